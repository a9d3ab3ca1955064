import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';

/** How far leave beside a new one is read. */
const farthest = 60;

export interface LeaveSpan {
  yearId: number;
  gradeId: number;
  studentId: number;
  fromDay: string;
  toDay: string;
  isHalf: boolean;
}

interface Day {
  day: string;
  /** In half days. */
  work: number;
  /** Half days of leave that is granted or waits. */
  away: number;
}

/**
 * The half school days of a leave, and those together with leave that has no school day in between: otherwise two short
 * leaves would make a long one. Leave that waits counts like granted leave, which it may become.
 */
export async function countHalves(ctx: Pick<UserContext, 'db'>, span: LeaveSpan) {
  const { yearId, gradeId, studentId, fromDay, toDay, isHalf } = span;
  const { rows: days } = await sql<Day>`
    select days.day::text, days.work, coalesce((select case other.half when 'Whole day' then days.work else least(days.work, 1) end
      from attendance_leave other where other.student_id = ${studentId} and other.state in ('Granted', 'Asked')
        and days.day between other.from_day and other.to_day), 0)::integer as away
    from academic_school_days(${yearId}, ${addDays(fromDay, -farthest)}, ${addDays(toDay, farthest)}) as days
    where days.grade_id = ${gradeId} order by days.day`.execute(ctx.db);
  const own = days.filter(({ day }) => day >= fromDay && day <= toDay);
  const halves = isHalf ? Math.min(1, sumOf(own, 'work')) : sumOf(own, 'work');
  const before = days.filter(({ day }) => day < fromDay).reverse();
  const after = days.filter(({ day }) => day > toDay);
  return { halves, counted: halves + adjoining(before) + adjoining(after) };
}

const sumOf = (days: readonly Day[], key: 'work' | 'away') => days.reduce((sum, day) => sum + day[key], 0);

/** The half days of leave until the first school day without leave. */
function adjoining(days: readonly Day[]): number {
  const end = days.findIndex(({ work, away }) => work > 0 && away === 0);
  return sumOf(end < 0 ? days : days.slice(0, end), 'away');
}

export const showDays = (halves: number): string => String(halves / 2);
