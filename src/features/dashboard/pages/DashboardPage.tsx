import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { Fragment, lazy, type ReactNode, Suspense, useId } from 'react';
import { choiceOf, workingYearName } from '#features/calendar/contract/year.ts';
import { setUpApi } from '#features/set-up/contract/set-up.ts';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useLaterCards } from '#kit/browser/record/later-cards.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button, ServedButton } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Box, Grid, Panel, Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { localTimeZone, showDate } from '#kit/contract/day.ts';
import { showNumber, type Text } from '#kit/contract/text.ts';
import { type DashboardCard, dashboardApi } from '../contract.ts';
import { ChartCard } from './Charts.tsx';
import styles from './DashboardPage.module.css';
import { ComingDays, DayStrip, OwnSections } from './DayStrip.tsx';
import { Since } from './Since.tsx';
import { TodayLine } from './TodayLine.tsx';
import { TodoCard } from './TodoCard.tsx';
import { Warnings } from './Warnings.tsx';

// Staff never see it. Where it cannot be fetched, the rest of the page stands.
const SetUp = lazy(() =>
  import('#features/set-up/ui/SetUp.tsx').then(
    ({ SetUp }) => ({ default: SetUp }),
    () => ({ default: () => null }),
  ),
);

const LineCard = lazy(async () => ({ default: (await import('./LineCard.tsx')).LineCard }));

/** More of them belong to reports. */
const mostCharts = 3;

interface Props {
  me: Me;
  /** What the user does most often, with its address. */
  acts?: readonly { title: Text; to: string }[];
}

/** /school-erp/dashboard: what the user has to do today, and the figures that their role and sets allow. */
export function DashboardPage({ me, acts = [] }: Props) {
  const { t, i18n } = useLingui();
  const academicYearId = choiceOf(useStored(workingYearName))?.id;
  const query = useRead(dashboardApi.read, { academicYearId });
  const todo = useRead(dashboardApi.todo, {});
  const day = useRead(dashboardApi.day, {});
  const line = useRead(dashboardApi.line, {});
  const changes = useRead(dashboardApi.changes, {});
  const { charts = [] } = useRead(dashboardApi.charts, {}).data ?? {};
  const cardsOf = useLaterCards();
  const isAdmin = me.role === 'Admin';
  const hasNothing = query.data?.cards.length === 0 && todo.data?.rows.length === 0 && !todo.data.hasFailed;
  const weekday = new Date().toLocaleDateString(i18n.locale, { weekday: 'long', timeZone: localTimeZone });
  const date = showDate(today());
  const sections = day.data?.sections ?? [];
  const hasToday = (line.data?.figures ?? []).length + charts.length + sections.length > 0;
  // One filled button a screen.
  const hasDayAct = day.data?.cells.some(({ act }) => act) ?? false;
  const led = (query.data?.cards ?? []).filter(({ leads }) => leads).map((card) => card.figures);
  // One or two charts stand beside the work, three have a row of their own, and the cards are then below.
  const beside = charts.length < mostCharts ? charts : [];
  const columns = [styles.day, styles.halves, styles.sided][charts.length];
  const figures = (
    <Grid columns={1} gap={16} className={charts.length > 0 ? styles.flow : styles.cards}>
      <QueryBoundary query={query} skeleton={<CardsSkeleton />}>
        {({ cards }) =>
          cardsOf(
            cards
              .filter(({ lines }) => !lines)
              .map((card) => ({
                title: translate(card.title),
                card: <Card key={card.title.id} card={card} onRetry={() => void query.refetch()} />,
                // Today’s figures and the charts say what matters of it.
                isLater: hasToday && !card.hasFailed,
                isBlank: isBlank(card),
              })),
          )
        }
      </QueryBoundary>
    </Grid>
  );
  const lined = (query.data?.cards ?? []).flatMap(({ title, lines }) => (lines?.length ? [{ title, lines }] : []));
  const work = (
    <>
      <TodoCard query={todo} />
      {lined.map((card) => (
        <Suspense key={card.title.id} fallback={null}>
          <LineCard {...card} />
        </Suspense>
      ))}
    </>
  );
  const lead = (
    <>
      {led.map(
        ([figure]) =>
          figure?.to && (
            <Fragment key={figure.to}>
              <ServedLink className={styles.led} to={`/school-erp/${figure.to}`}>
                {translate(figure.label)} <b>{showCount(figure)}</b>
              </ServedLink>
              {' · '}
            </Fragment>
          ),
      )}
      {weekday}, {date}
      {query.data?.year && (
        <>
          {' · '}
          <span className={styles.year}>
            <Trans>Academic year {query.data.year}</Trans>
          </span>
        </>
      )}
    </>
  );
  const head = (
    <div className={styles.head}>
      <PageHead title={t`Dashboard`}>
        <div className={styles.lead}>{lead}</div>
        {acts.map(({ title, to }, index) => (
          <ServedButton
            key={to}
            kind={index === 0 && !hasDayAct ? 'main' : 'plain'}
            className={index > 0 ? styles.further : undefined}
            to={to}
          >
            <IconPlus size={18} aria-hidden />
            {translate(title)}
          </ServedButton>
        ))}
      </PageHead>
    </div>
  );
  const rest = (
    <>
      {query.data && <Warnings warnings={query.data.warnings} />}
      {line.data && <TodayLine line={line.data} onRetry={() => void line.refetch()} />}
      {changes.data && <Since changes={changes.data} />}
      {day.data && <DayStrip cells={day.data.cells} />}
      {hasNothing && !isAdmin && sections.length + charts.length === 0 ? (
        <EmptyState message={<Trans>You have no pages here yet. Ask an Admin for the permissions you need.</Trans>} />
      ) : (
        <Stack gap={24} mt={16} mb={16}>
          <Grid columns={1} gap={24} className={columns}>
            {sections.length > 0 ? (
              <Grid columns={1} gap={16} className={styles.cards}>
                <OwnSections sections={sections} />
                {work}
              </Grid>
            ) : lined.length > 0 ? (
              <Grid columns={1} gap={16} className={styles.cards}>
                {work}
              </Grid>
            ) : (
              work
            )}
            {beside.length > 0 && (
              <Grid columns={1} gap={24} className={styles.cards}>
                {beside.map((one) => (
                  <ChartCard key={one.title.id} chart={one} />
                ))}
              </Grid>
            )}
            {charts.length === 0 && figures}
          </Grid>
          {charts.length >= mostCharts && (
            <Grid columns={1} gap={24} className={styles.charts}>
              {charts.slice(0, mostCharts).map((one) => (
                <ChartCard key={one.title.id} chart={one} />
              ))}
            </Grid>
          )}
          {charts.length > 0 && figures}
        </Stack>
      )}
      {day.data && <ComingDays coming={day.data.coming} />}
    </>
  );
  return (
    <>
      {head}
      {isAdmin ? <AfterSetUp>{rest}</AfterSetUp> : rest}
    </>
  );
}

/** The page of an Admin: while a school has no students, the steps to them stand first. */
function AfterSetUp({ children }: { children: ReactNode }) {
  const { data } = useRead(setUpApi.read, {});
  const isOpen = (key: string) =>
    data?.steps.some((step) => step.key === key && !step.isDone && !step.isSkipped) ?? false;
  const steps = data?.steps.some(({ isDone }) => !isDone) && (
    <Suspense fallback={null}>
      <SetUp steps={data.steps} />
    </Suspense>
  );
  const isFirst = isOpen('students');
  return (
    <>
      {isFirst && steps}
      {children}
      {!isFirst && steps}
    </>
  );
}

/** Stands where the first cards will be, so that they do not move. */
const CardsSkeleton = () => (
  <Grid columns={1} gap={16} className={styles.cards} data-skeleton aria-hidden>
    <Box framed className={styles.skeleton} />
    <Box framed className={styles.skeleton} />
    <Box framed className={styles.skeleton} />
  </Grid>
);

/** Figures, each with the list that has as many rows: the user's own, then those of all; zeros are quiet. */
function Card({ card: { title, figures, hasFailed }, onRetry }: { card: DashboardCard; onRetry: () => void }) {
  const { t } = useLingui();
  const heading = useId();
  const hasOwn = figures.some(({ ofAll }) => ofAll);
  return (
    <Panel as="section" className={styles.card} aria-labelledby={heading}>
      <Row as="header" gap={12} align="baseline" justify="between">
        <h2 id={heading}>{translate(title)}</h2>
        {hasOwn && (
          <p>
            <Trans>mine, of all</Trans>
          </p>
        )}
      </Row>
      {hasFailed && (
        <p className={styles.failed}>
          <Trans>This could not be loaded.</Trans>{' '}
          <Button kind="quiet" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      )}
      <dl>
        {figures.map(({ label, isLate, to, ofAll, ...mine }) => (
          <Row
            gap={12}
            align="baseline"
            justify="between"
            key={`${to} ${label.id}`}
            className={isLate && mine.value > 0 ? styles.late : undefined}
          >
            <dt>
              {to ? (
                <ServedLink className="quiet-link" to={`/school-erp/${to}`}>
                  {translate(label)}
                </ServedLink>
              ) : (
                translate(label)
              )}
            </dt>
            <dd data-zero={mine.value === 0 || undefined}>{showCount(mine)}</dd>
            {ofAll ? (
              <dd className={styles.all}>
                <ServedLink
                  className="quiet-link"
                  to={`/school-erp/${ofAll.to}`}
                  aria-label={t`of ${showCount(ofAll)}: ${translate(label)}, all`}
                >
                  <Trans>of {showCount(ofAll)}</Trans>
                </ServedLink>
              </dd>
            ) : (
              hasOwn && <dd className={styles.all} aria-hidden />
            )}
          </Row>
        ))}
      </dl>
    </Panel>
  );
}

/** A phone leaves out a card of zeros alone. */
const isBlank = ({ figures, hasFailed }: DashboardCard) =>
  !hasFailed && figures.every(({ value, ofAll }) => value === 0 && !ofAll);

const showCount = ({ value, isMore }: { value: number; isMore?: boolean | undefined }) =>
  `${showNumber(value)}${isMore ? '+' : ''}`;
