import { useLingui } from '@lingui/react/macro';
import type { KeyboardEvent, ReactNode } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Calendar, weekdays } from '../contract/calendar.ts';
import { daysOfMonth, lastOf, type SchoolDay, weekdayOf } from '../contract/working-days.ts';
import { classOf, monthWords, weekdayWord } from './calendar-words.ts';
import type { Grades } from './grades.ts';
import styles from './MonthGrid.module.css';

interface Props {
  month: string;
  calendar: Calendar;
  grades: Grades;
  gradeId: number | null;
  today: string;
  /** Without it the days are read-only. */
  onChoose?: (day: string) => void;
}

const mostGrades = 2;

/** A month as a table with its weeks down and its weekdays across; on a phone a list of its days. */
export function MonthGrid({ month, calendar, grades, gradeId, today, onChoose }: Props) {
  const { t } = useLingui();
  const days = new Map(daysOfMonth(month, calendar, gradeId).map((entry) => [entry.day, entry]));
  // The whole school's view also shows the days of single grades.
  const ofGrades = (day: string) =>
    gradeId === null ? calendar.days.filter((entry) => entry.day === day && entry.gradeId !== null) : [];
  return (
    <table className={styles.month}>
      <VisuallyHidden as="caption">{monthWords(month)}</VisuallyHidden>
      <thead>
        <tr>
          {weekdays.map((weekday, place) => (
            <th key={weekday} scope="col">
              <span aria-hidden>{weekdayWord(place, 'short')}</span>
              <VisuallyHidden>{weekdayWord(place, 'long')}</VisuallyHidden>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((day, place) => {
              const entry = day && days.get(day);
              if (!entry)
                return <td key={weekdays[place]}>{day && <span className="soft">{Number(day.slice(8))}</span>}</td>;
              const different = ofGrades(entry.day);
              return (
                <td key={entry.day} className={`${styles.day} ${styles[classOf(entry.kind)] ?? ''}`}>
                  <DayButton onChoose={onChoose && (() => onChoose(entry.day))} isToday={entry.day === today}>
                    <Row as="span" gap={4} align="baseline" justify="between" className={styles.date}>
                      <span className={styles.number} aria-hidden>
                        {Number(entry.day.slice(8))}
                      </span>
                      <span className={styles.weekday} aria-hidden>
                        {weekdayWord(place, 'short')}
                      </span>
                      <VisuallyHidden>{showDate(entry.day)}</VisuallyHidden>{' '}
                      {entry.day === today && <span className={styles.today}>{t`Today`}</span>}
                    </Row>{' '}
                    <span className={styles.words}>
                      <KindWords {...entry} />
                      {different.slice(0, mostGrades).map(({ gradeId, kind }) => (
                        <span key={gradeId} className={styles.grade}>
                          {' '}
                          {grades.find(({ id }) => id === gradeId)?.name}: {translateOption(kind)}
                        </span>
                      ))}
                      {different.length > mostGrades && (
                        <span className={styles.grade}> {t`+${different.length - mostGrades} more`}</span>
                      )}
                    </span>
                  </DayButton>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An ordinary working day shows only its number. */
function KindWords({ kind, name }: SchoolDay) {
  if (kind === 'Working day' && !name) return <VisuallyHidden>{translateOption(kind)}</VisuallyHidden>;
  return (
    <>
      <span className={styles.kind}>{translateOption(kind)}</span> {name && <span className={styles.name}>{name}</span>}
    </>
  );
}

interface DayButtonProps {
  children: ReactNode;
  isToday: boolean;
  onChoose?: () => void;
}

function DayButton({ children, isToday, onChoose }: DayButtonProps) {
  const current = isToday ? 'date' : undefined;
  if (!onChoose) {
    return (
      <div className={styles.body} aria-current={current}>
        {children}
      </div>
    );
  }
  return (
    <button type="button" className={styles.body} aria-current={current} onClick={onChoose} onKeyDown={walk}>
      {children}
    </button>
  );
}

const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** The arrow keys move by a day, and by a week up and down. */
function walk(event: KeyboardEvent<HTMLButtonElement>) {
  const days = [...(event.currentTarget.closest('table')?.querySelectorAll('button') ?? [])];
  const day = days[days.indexOf(event.currentTarget) + (steps[event.key] ?? 0)];
  if (!day || day === event.currentTarget) return;
  event.preventDefault();
  day.focus();
}

/** The weeks of a month, each from Monday to Sunday; undefined where a day belongs to another month. */
function weeksOf(month: string): (string | undefined)[][] {
  const blank = weekdayOf(`${month}-01`);
  const last = Number(lastOf(month).slice(8));
  return Array.from({ length: Math.ceil((blank + last) / 7) }, (_, week) =>
    weekdays.map((_, place) => {
      const number = week * 7 + place - blank + 1;
      return number >= 1 && number <= last ? `${month}-${String(number).padStart(2, '0')}` : undefined;
    }),
  );
}
