import { Trans, useLingui } from '@lingui/react/macro';
import { IconCalendar, IconFileText, IconUser } from '@tabler/icons-react';
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { useLaterCards } from '#kit/browser/record/later-cards.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { ServedCard } from '#kit/browser/record/ServedCards.tsx';
import { translate } from '#kit/browser/text.ts';
import { ActMenu } from '#kit/browser/ui/ActMenu.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { Tabs, TabWords } from '#kit/browser/ui/Tabs.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Period, ReportApi, ReportCard, reportOf } from '../contract/report.ts';
import { Events } from './Events.tsx';
import { useRecentReports } from './RecentReports.tsx';
import { RestrictedCard } from './RestrictedCard.tsx';
import styles from './report.module.css';

const Paper = lazy(async () => ({ default: (await import('./PaperButton.tsx')).Paper }));

type Answer = Pick<OutputOf<ReturnType<typeof reportOf>['read']>, 'periods' | 'cards' | 'kinds'>;

/** The days that the address has; '' for the usual days. */
export function usePeriod() {
  const { address } = useListAddress();
  return { from: address.from ?? '', to: address.to ?? '' };
}

interface Props extends Pick<ComponentProps<typeof RecordPage>, 'of' | 'picture' | 'chips' | 'about' | 'contact'> {
  api: ReportApi;
  kind: 'student' | 'staff';
  id: number;
  name: string;
  answer: Answer;
  /** Opens the record itself. */
  onRecord: () => void;
  /** Above the days. */
  today?: ReactNode;
}

/** The report of one person: the head, the days, a card for each area that the reader has, and what happened. */
export function Report({ api, kind, id, name, answer, onRecord, today, ...head }: Props) {
  const { t } = useLingui();
  const period = usePeriod();
  const { periods, cards, kinds } = answer;
  const [isPaper, setPaper] = useState(false);
  const [hasBoxes, setBoxes] = useState(false);
  const isPhone = useMedia('(max-width: 767px)');
  const cardsOf = useLaterCards();
  const { add } = useRecentReports();
  // biome-ignore lint/correctness/useExhaustiveDependencies: It is noted once for each person.
  useEffect(() => add({ kind, id, title: name, to: `report/${kind}-report/${id}` }), [kind, id, name]);
  const drawn = ({ key, title, isRestricted }: ReportCard) =>
    isRestricted ? (
      <RestrictedCard
        key={`${key} ${period.from} ${period.to}`}
        endpoint={api.open}
        title={translate(title)}
        {...{ id, cardKey: key, period }}
      />
    ) : (
      <ServedCard key={key} cardKey={key} title={translate(title)} id={id} endpoint={api.card} period={period} />
    );
  const events = (
    <Events key={`events ${period.from} ${period.to}`} endpoint={api.timeline} kinds={kinds} {...{ id, period }} />
  );
  return (
    <RecordPage
      {...head}
      title={name}
      actions={
        <Acts
          name={name}
          isPhone={isPhone}
          onDays={() => setBoxes(true)}
          onRecord={onRecord}
          onPaper={cards.length > 0 ? () => setPaper(true) : undefined}
        />
      }
      below={
        <>
          {today}
          {periods.length > 0 && <PeriodBar periods={periods} hasBoxes={hasBoxes} />}
          {isPaper && (
            <Suspense fallback={null}>
              <Paper endpoint={api.paper} id={id} cards={cards} period={period} onClose={() => setPaper(false)} />
            </Suspense>
          )}
        </>
      }
      parts={[
        {
          key: 'report',
          title: t`Report`,
          cards: cardsOf([
            // What the report is read for stands first on every screen.
            ...cards
              .toSorted((one, other) => Number(one.isLater ?? false) - Number(other.isLater ?? false))
              .map((card) => ({ title: translate(card.title), card: drawn(card), isLater: card.isLater })),
            ...(kinds.length > 0 ? [{ title: t`Timeline`, card: events, isLater: true }] : []),
          ]),
        },
      ]}
    />
  );
}

interface ActsProps {
  name: string;
  isPhone: boolean;
  onDays: () => void;
  onRecord: () => void;
  onPaper: (() => void) | undefined;
}

/** The record and the paper: two buttons, and in a menu on a phone. */
function Acts({ name, isPhone, onDays, onRecord, onPaper }: ActsProps) {
  const { t } = useLingui();
  if (isPhone)
    return (
      <ActMenu
        label={t`More for ${name}`}
        groups={[
          [
            { words: t`Record`, Icon: IconUser, run: onRecord },
            { words: t`Other days`, Icon: IconCalendar, run: onDays },
            onPaper && { words: t`PDF…`, Icon: IconFileText, run: onPaper },
          ],
        ]}
      />
    );
  return (
    <>
      <Button onClick={onRecord}>
        <Trans>Record</Trans>
      </Button>
      {onPaper && (
        <Button onClick={onPaper}>
          <Trans>PDF…</Trans>
        </Button>
      )}
    </>
  );
}

/** The usual days as links, and two boxes for others, which a phone shows on request. */
function PeriodBar({ periods, hasBoxes }: { periods: readonly Period[]; hasBoxes: boolean }) {
  const { t } = useLingui();
  const control = useId();
  const { address, go } = useListAddress();
  const [first] = periods;
  const from = address.from || first?.from || '';
  const to = address.to || first?.to || '';
  const current = periods.find((period) => period.from === from && period.to === to)?.key;
  const choose = (days: { from?: string; to?: string }) => go({ ...address, from, to, ...days });
  return (
    <Row gap="8 16" align="center" wrap className={styles.period}>
      <Tabs label={t`Days of the report`} current={current}>
        {periods.map((period) => (
          <SearchLink
            key={period.key}
            search={period === first ? {} : { from: period.from, to: period.to }}
            // The address of the first days is a part of those of the others.
            activeOptions={{ exact: true }}
            activeProps={{ 'aria-current': undefined }}
            aria-current={period.key === current ? 'page' : undefined}
          >
            <TabWords words={translate(period.label)} />
          </SearchLink>
        ))}
      </Tabs>
      <Row gap={8} align="center" wrap noPrint className={styles.days} data-open={hasBoxes || !current || undefined}>
        <label className="soft" htmlFor={`${control}-from`}>
          <Trans>From</Trans>
        </label>
        <DateInput
          id={`${control}-from`}
          value={from}
          toward="past"
          onChange={() => undefined}
          onLeave={(day) => day && choose({ from: day })}
        />
        <label className="soft" htmlFor={`${control}-to`}>
          <Trans>to</Trans>
        </label>
        <DateInput
          id={`${control}-to`}
          value={to}
          toward="past"
          onChange={() => undefined}
          onLeave={(day) => day && choose({ to: day })}
        />
      </Row>
    </Row>
  );
}
