import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

type Reading = Pick<Context, 'db'>;

/** Days of kinds of marks that count, in which half days are 0.5, and the percentage by thousandths. */
export interface ChildTotals {
  studentId: number;
  /** Null where nothing was taken. */
  perMille: number | null;
  days: number;
  present: number;
  absent: number;
  late: number;
  halfDay: number;
  leave: number;
  onDuty: number;
  /** School days in a section for which neither a register nor a mark exists. */
  notTaken: number;
}

interface Span {
  yearId: number;
  from: string;
  to: string;
}

/** The attendance of children between two days of a year, each child once; registers that are to come count as not taken. */
export async function percentOf(
  { db }: Reading,
  studentIds: readonly number[],
  { yearId, from, to }: Span,
): Promise<ChildTotals[]> {
  const ids = [...new Set(studentIds)];
  const { rows } = await sql<ChildTotals>`
    with placed as materialized (
      select own.student_id, own.section_id, own.grade_id, greatest(own.effective_from, ${from}::date) as first,
        least(coalesce(own.effective_to, 'infinity'), ${to}::date) as last
      from student_section own
      join student_enrollment enrollment on enrollment.id = own.enrollment_id and enrollment.status <> 'Cancelled'
      where own.student_id = any(${ids}::integer[]) and own.academic_year_id = ${yearId}
        and own.effective_from <= ${to} and coalesce(own.effective_to, 'infinity') >= ${from}),
    spans as materialized (select distinct section_id, grade_id, first, last from placed),
    work as materialized (
      select days.grade_id, days.day, days.work from (select distinct grade_id from spans) as own
      cross join lateral academic_school_days(${yearId}, ${from}, ${to}) as days
      where days.work > 0 and days.grade_id = own.grade_id),
    open as materialized (
      select spans.section_id, spans.first, spans.last,
        (select coalesce(sum(work.work), 0) from work
          where work.grade_id = spans.grade_id and work.day between spans.first and spans.last)
        - (select coalesce(sum(register.weight), 0) from attendance_register register
          where register.section_id = spans.section_id and register.day between spans.first and spans.last) as halves
      from spans),
    waiting as (
      select placed.student_id, sum(open.halves - elsewhere.halves) as halves
      from placed join open using (section_id, first, last)
      -- A transfer that was entered later left its marks in the other section's register.
      cross join lateral (
        select coalesce(sum(other.weight), 0) as halves
        from attendance_mark mark
        join attendance_register other on other.id = mark.register_id and other.section_id <> placed.section_id
        where mark.academic_year_id = ${yearId} and mark.student_id = placed.student_id
          and mark.day between placed.first and placed.last and not exists (
            select from attendance_register own
            where own.section_id = placed.section_id and own.day = mark.day and own.half = mark.half)) as elsewhere
      group by placed.student_id)
    select child.id as "studentId", totals.per_mille as "perMille", coalesce(totals.share / 4.0, 0)::float as days,
      coalesce(totals.present / 4.0, 0)::float as present, coalesce(totals.absent / 4.0, 0)::float as absent,
      coalesce(totals.late / 4.0, 0)::float as late, coalesce(totals.half_day / 4.0, 0)::float as "halfDay",
      coalesce(totals.leave / 4.0, 0)::float as leave, coalesce(totals.on_duty / 4.0, 0)::float as "onDuty",
      coalesce(waiting.halves / 2.0, 0)::float as "notTaken"
    from unnest(${ids}::integer[]) as child (id)
    left join attendance_totals(${ids}, ${yearId}, ${from}, ${to}) totals on totals.student_id = child.id
    left join waiting on waiting.student_id = child.id
    order by child.id`.execute(db);
  return rows;
}

export interface ChildDay {
  studentId: number;
  day: string;
  /** The half of the day, 1 or 2; a register of the whole day is 1. */
  half: number;
  /** The kind of the mark; '' where none was made. */
  kind: string;
  /** Its code; '' where none was made. */
  symbol: string;
}

/** The school days of children between two days, each with its mark if there is one. */
export async function daysOf(
  { db }: Reading,
  studentIds: readonly number[],
  from: string,
  to: string,
): Promise<ChildDay[]> {
  const { rows } = await sql<ChildDay>`
    with own as materialized (
      select enrollment.student_id, enrollment.academic_year_id, enrollment.grade_id,
        greatest(enrollment.joined_on, ${from}::date) as first,
        least(coalesce(enrollment.left_on, 'infinity'), ${to}::date) as last
      from student_enrollment enrollment
      where enrollment.student_id = any(${[...studentIds]}::integer[]) and enrollment.status <> 'Cancelled'
        and enrollment.joined_on <= ${to} and coalesce(enrollment.left_on, 'infinity') >= ${from}),
    work as materialized (
      select year.id, days.grade_id, days.day
      from (select distinct academic_year_id as id, grade_id from own) as year
      cross join lateral academic_school_days(year.id, ${from}, ${to}) as days
      where days.work > 0 and days.grade_id = year.grade_id)
    select own.student_id as "studentId", work.day::text as day, coalesce(mark.half, 1) as half,
      coalesce(code.kind, '') as kind, coalesce(code.code, '') as symbol
    from own
    join work on work.id = own.academic_year_id and work.grade_id = own.grade_id and work.day between own.first and own.last
    left join attendance_mark mark on mark.academic_year_id = own.academic_year_id and mark.student_id = own.student_id
      and mark.day = work.day
    left join attendance_code code on code.id = mark.code_id
    order by own.student_id, work.day, half`.execute(db);
  return rows;
}

/** The school days of children in a month, YYYY-MM, each with its mark if there is one. */
export const monthOf = (ctx: Reading, studentIds: readonly number[], month: string) =>
  daysOf(ctx, studentIds, `${month}-01`, lastOf(month));

/** The last day of a month, YYYY-MM. */
export function lastOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** Those of these children who are marked absent or on leave in the last register of the day, with the kind of the mark. */
export async function absentOn({ db }: Reading, day: string, studentIds: readonly number[]) {
  const { rows } = await sql<{ studentId: number; kind: 'Absent' | 'Leave' }>`
    select last.student_id as "studentId", code.kind
    from (
      select distinct on (mark.student_id) mark.student_id, mark.code_id
      from academic_year year
      join attendance_mark mark on mark.academic_year_id = year.id and mark.day = ${day}
      where ${day}::date between year.starts_on and year.ends_on and mark.student_id = any(${[...studentIds]}::integer[])
      order by mark.student_id, mark.half desc) as last
    join attendance_code code on code.id = last.code_id and code.kind in ('Absent', 'Leave')
    order by last.student_id`.execute(db);
  return rows;
}
