import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { translate } from '#kit/browser/text.ts';
import { ServedButton } from '#kit/browser/ui/Button.tsx';
import { Box, Grid, List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { DayCell, dashboardApi, OwnSection } from '../contract.ts';
import styles from './DayStrip.module.css';

type Day = OutputOf<typeof dashboardApi.day>;

/** What matters to a teacher today, in cells beside each other. */
export function DayStrip({ cells }: Pick<Day, 'cells'>) {
  const { t } = useLingui();
  if (cells.length === 0) return null;
  return (
    <Grid as="section" mt={16} mb={24} framed className={styles.strip} aria-label={t`My day`}>
      {cells.map((cell) => (
        <Cell key={cell.title.id} cell={cell} />
      ))}
    </Grid>
  );
}

function Cell({ cell: { title, lines, act } }: { cell: DayCell }) {
  const [first] = lines;
  return (
    <Row gap={12} justify="between" className={styles.cell}>
      <div>
        <h2>{translate(title)}</h2>
        {lines.map(({ words, aside, isProblem, to }) => {
          const says = translate(words);
          return (
            <Row as="p" gap="0 12" justify="between" wrap key={`${says} ${to}`}>
              <span data-problem={isProblem || undefined}>
                {to ? (
                  <ServedLink className="quiet-link" to={`/school-erp/${to}`}>
                    {says}
                  </ServedLink>
                ) : (
                  says
                )}
              </span>{' '}
              {aside && <span className="soft">{translate(aside)}</span>}
            </Row>
          );
        })}
      </div>
      {act && first?.to && (
        <ServedButton kind="main" to={`/school-erp/${first.to}`}>
          {translate(act)}
        </ServedButton>
      )}
    </Row>
  );
}

/** The sections of a teacher, each with the attendance of the last school days. */
export function OwnSections({ sections }: Pick<Day, 'sections'>) {
  const heading = useId();
  return (
    <Box as="section" framed className={styles.card} aria-labelledby={heading}>
      <Row gap="0 12" align="baseline" wrap className={styles.head}>
        <h2 id={heading}>
          <Trans>My sections</Trans>
        </h2>
        <span className="soft">{sections.length}</span>
        <span className={styles.about}>
          <Trans>present, last 10 school days</Trans>
        </span>
      </Row>
      <List>
        {sections.map((section) => (
          <Section key={section.id} section={section} />
        ))}
      </List>
    </Box>
  );
}

function Section({ section }: { section: OwnSection }) {
  const { t } = useLingui();
  const { id, name, work, state, isProblem, days, perMille, people } = section;
  const share = perMille === null ? '' : `${Math.round(perMille / 10)} %`;
  return (
    <Grid as="li" gap="4 12" align="center" line="hair-above" className={styles.section}>
      <ServedLink
        className={`quiet-link ${styles.name}`}
        to={`/school-erp/attendance/student-attendance?section=${id}`}
      >
        {name}
      </ServedLink>
      <p className={styles.work}>
        {work}
        <span data-problem={isProblem || undefined}>{translate(state)}</span>
      </p>
      <span
        className={styles.bars}
        role="img"
        aria-label={share ? t`${share} present in the last 10 school days` : t`No register in the last 10 school days`}
      >
        <svg width={days.length * 10} height="24" aria-hidden>
          {days.map((value, index) => {
            const height = value === null ? 20 : Math.max(2, Math.round((value / 1000) * 20));
            return (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: A day has no other name here.
                key={index}
                className={value === null ? styles.open : styles.bar}
                x={index * 10 + 1}
                y={23 - height}
                width="7"
                height={height}
                rx="1"
              />
            );
          })}
        </svg>
      </span>
      <Text as="span" end className={styles.share}>
        {share}
      </Text>
      <Text as="span" end className={styles.students}>
        {people} <span className="soft">{people === 1 ? t`student` : t`students`}</span>
      </Text>
      <ServedButton
        className={styles.list}
        to={`/school-erp/report/student-report?sectionId=${id}`}
        aria-label={t`Class list of ${name}`}
      >
        <Trans>Class list</Trans>
      </ServedButton>
    </Grid>
  );
}

/** The next days with a name. */
export function ComingDays({ coming }: Pick<Day, 'coming'>) {
  const heading = useId();
  if (coming.length === 0) return null;
  return (
    <Box as="section" mt={24} line="above" className={styles.coming} aria-labelledby={heading}>
      <h2 id={heading}>
        <Trans>Next days</Trans>
      </h2>
      <Grid as="ul" gap="12 24" mt={4}>
        {coming.map(({ from, words, detail }) => (
          <li key={`${from} ${translate(words)}`}>
            <strong>{showDate(from)}</strong>
            <span>{translate(words)}</span>
            <span className="soft">{translate(detail)}</span>
          </li>
        ))}
      </Grid>
    </Box>
  );
}
