import { type RawBuilder, sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { Context, EndingYear, YearEndLine } from '#kit/server/context.ts';

const sets = ['office', 'principal'];

/**
 * Of the children of a year’s last day those whose enrolment nothing has written yet, who have no place in a later year, and
 * for whose `result` this is so: their number and the first three, by name.
 */
async function countOpen({ db }: Pick<Context, 'db'>, year: EndingYear, isMeant: RawBuilder<boolean>) {
  const { rows } = await sql<{ open: number; of: number; names: string[] }>`
    with roll as materialized (
      select own.id, own.student_id, student.name, student.sort_name,
        own.status = 'Active' and ${isMeant} and not exists (select from student_enrollment later
          join academic_year next on next.id = later.academic_year_id and next.starts_on > ${year.endsOn}
          where later.student_id = own.student_id and later.is_standing) as is_open
      from student_enrollment own join student on student.id = own.student_id
      left join student_result result on result.enrollment_id = own.id
      where own.academic_year_id = ${year.id} and own.is_standing
        and (own.left_on is null or own.left_on >= ${year.endsOn})
        and ${isCounted(year, sql`own.branch_id`)})
    select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
      array(select first.name || coalesce(' (' || place.name || ')', '')
        from (select * from roll where is_open order by sort_name, id limit 3) first
        left join lateral student_place(first.student_id, ${year.endsOn}, ${year.id}) place on true
        order by first.sort_name, first.id) as names
    from roll`.execute(db);
  const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
  return { open, of, names: names.map(verbatim) };
}

/** Children without a decision. */
const undecided: YearEndLine = {
  key: 'student.undecided',
  isOnCard: true,
  title: text`Students without a result`,
  at: 'blocks',
  fate: text`decide each`,
  act: text`Decide`,
  sets,
  isForAdmins: true,
  count: async (ctx, year) => ({
    ...(await countOpen(ctx, year, sql<boolean>`result.enrollment_id is null`)),
    to: `academic/year-end?tab=results&year=${year.id}&state=${encodeURIComponent('No decision yet')}`,
  }),
};

/** Children with a result that no promotion has written yet. */
const notPromoted: YearEndLine = {
  key: 'student.not-promoted',
  isOnCard: true,
  title: text`Students with a result, not promoted yet`,
  at: 'blocks',
  fate: text`promote their grades`,
  act: text`Open`,
  sets,
  isForAdmins: true,
  count: async (ctx, year) => {
    const { open, names } = await countOpen(ctx, year, sql<boolean>`result.enrollment_id is not null`);
    return open === 0 ? undefined : { open, names, to: `academic/year-end?tab=turn&year=${year.id}` };
  },
};

/** Children who left in the year and have no valid leaving certificate. */
const certificates: YearEndLine = {
  key: 'student.leaving-certificates',
  title: text`Leaving certificates not made`,
  at: 'warns',
  fate: text`can be made later`,
  act: text`Open`,
  sets,
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with leavers as materialized (
        select student.id, student.name, student.sort_name, not exists (select from student_certificate paper
          where paper.leaving_id = own.id and paper.kind = 'Leaving' and paper.voided_at is null) as is_open
        from student_leaving own
        join student_enrollment enrollment on enrollment.id = own.enrollment_id
        join student on student.id = own.student_id
        where enrollment.academic_year_id = ${year.id} and own.undone_at is null and own.readmitted_on is null
          and ${isCounted(year, sql`enrollment.branch_id`)})
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from leavers where is_open order by sort_name, id limit 3) as names
      from leavers`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    return of === 0 ? undefined : { open, of, names: names.map(verbatim), to: 'student/student-list?tab=left' };
  },
};

export const studentYearEnd = [undecided, notPromoted, certificates];

/** The sections of a year that had children, each with the first and the last day on which it had any. */
export async function sectionsHeld(
  { db }: Pick<Context, 'db'>,
  yearId: number,
): Promise<{ id: number; from: string; to: string }[]> {
  const { rows } = await sql<{ id: number; from: string; to: string }>`
    select own.section_id as id, min(own.effective_from)::text as "from",
      max(coalesce(own.effective_to, year.ends_on))::text as "to"
    from student_section own join academic_year year on year.id = own.academic_year_id
    where own.academic_year_id = ${yearId} group by own.section_id`.execute(db);
  return rows;
}
