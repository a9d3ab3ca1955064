import { Trans } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip, type ChipKind } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, List } from '#kit/browser/ui/Layout.tsx';
import type { Calendar, DayKind } from '../contract/calendar.ts';
import { spansOf } from '../contract/working-days.ts';
import type { AcademicYear } from '../contract/year.ts';
import styles from './CalendarList.module.css';
import { spanWords } from './calendar-words.ts';
import type { Wanted } from './DayForm.tsx';
import type { Grades } from './grades.ts';

const chipOf: Record<DayKind, ChipKind> = {
  Holiday: 'accent',
  Vacation: 'good',
  'Half day': 'warn',
  'Exam day': 'info',
  'Working day': 'plain',
};

interface Props {
  year: AcademicYear;
  calendar: Calendar;
  grades: Grades;
  gradeId: number | null;
  /** Without it the list is read-only. */
  onChoose?: (wanted: Wanted) => void;
}

/** The special days of a year; consecutive days are one entry. */
export function CalendarList({ year, calendar: { days, weeklyOff }, grades, gradeId, onChoose }: Props) {
  const shown = days.filter((day) => gradeId === null || day.gradeId === null || day.gradeId === gradeId);
  const spans = spansOf(shown, weeklyOff);
  return (
    <section className={styles.list} aria-labelledby="days-of-year">
      <h2 id="days-of-year">
        <Trans>Days of {year.name}</Trans>
      </h2>
      {spans.length === 0 && (
        <EmptyState message={<Trans>No holidays or other special days yet.</Trans>}>
          {onChoose && (
            <p>
              <Trans>Choose a day in the calendar, or import a list of holidays.</Trans>
            </p>
          )}
        </EmptyState>
      )}
      <List>
        {spans.map((span) => {
          const grade = grades.find(({ id }) => id === span.gradeId)?.name;
          return (
            <Grid as="li" gap="0 8" align="start" key={`${span.from} ${span.gradeId}`}>
              {onChoose ? (
                <Button kind="link" className="list-name" onClick={() => onChoose({ ...span, isThere: true })}>
                  {span.name}
                </Button>
              ) : (
                <span className="list-name">{span.name}</span>
              )}
              <Chip kind={chipOf[span.kind]}>{translateOption(span.kind)}</Chip>
              <span className="soft">
                {spanWords(span)}
                {grade && `, ${grade}`}
              </span>
            </Grid>
          );
        })}
      </List>
    </section>
  );
}
