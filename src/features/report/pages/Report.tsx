import { Trans, useLingui } from '@lingui/react/macro';
import { type ComponentProps, type ReactNode, useEffect, useId } from 'react';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { ServedCard } from '#kit/browser/record/ServedCards.tsx';
import { translate } from '#kit/browser/text.ts';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { Tabs, TabWords } from '#kit/browser/ui/Tabs.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Period, ReportApi, reportOf } from '../contract/report.ts';
import { Events } from './Events.tsx';
import { PaperButton } from './PaperButton.tsx';
import { useRecentReports } from './RecentReports.tsx';
import { RestrictedCard } from './RestrictedCard.tsx';
import styles from './report.module.css';

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
  /** Buttons beside the one for a PDF. */
  actions?: ReactNode;
}

/** The report of one person: the head, the days, a card for each area that the reader has, and what happened. */
export function Report({ api, kind, id, name, answer, actions, ...head }: Props) {
  const { t } = useLingui();
  const period = usePeriod();
  const { periods, cards, kinds } = answer;
  const { add } = useRecentReports();
  // biome-ignore lint/correctness/useExhaustiveDependencies: It is noted once for each person.
  useEffect(() => add({ kind, id, title: name, to: `report/${kind}-report/${id}` }), [kind, id, name]);
  return (
    <RecordPage
      {...head}
      title={name}
      actions={
        <>
          {actions}
          {cards.length > 0 && <PaperButton endpoint={api.paper} id={id} cards={cards} period={period} />}
        </>
      }
      below={periods.length > 0 && <PeriodBar periods={periods} />}
      parts={[
        {
          key: 'report',
          title: t`Report`,
          cards: [
            ...cards.map(({ key, title, isRestricted }) =>
              isRestricted ? (
                <RestrictedCard
                  key={`${key} ${period.from} ${period.to}`}
                  endpoint={api.open}
                  title={translate(title)}
                  {...{ id, cardKey: key, period }}
                />
              ) : (
                <ServedCard
                  key={key}
                  cardKey={key}
                  title={translate(title)}
                  id={id}
                  endpoint={api.card}
                  period={period}
                />
              ),
            ),
            kinds.length > 0 && (
              <Events
                key={`events ${period.from} ${period.to}`}
                endpoint={api.timeline}
                kinds={kinds}
                {...{ id, period }}
              />
            ),
          ],
        },
      ]}
    />
  );
}

/** The usual days as links, and two boxes for others. */
function PeriodBar({ periods }: { periods: readonly Period[] }) {
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
            activeProps={{ 'aria-current': undefined }}
            aria-current={period.key === current ? 'page' : undefined}
          >
            <TabWords words={translate(period.label)} />
          </SearchLink>
        ))}
      </Tabs>
      <Row gap={8} align="center" wrap noPrint className={styles.days}>
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
