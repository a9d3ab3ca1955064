import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

const sets = ['accountant', 'office', 'principal'];

/** Prices of the next year that are drafts or wait for the second person; where it has none, those of this year that have no successor. */
const prices: YearEndLine = {
  key: 'fee.prices',
  isOfNext: true,
  isOnCard: true,
  title: text`Prices of the next year not published`,
  at: 'warns',
  fate: text`publish them`,
  act: text`Open`,
  sets,
  count: async ({ db }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ drafts: number; ready: number; before: number }>`
      select count(*) filter (where own.academic_year_id = ${year.next.id} and own.status in ('Draft', 'Waiting for approval'))::integer
          as drafts,
        count(*) filter (where own.academic_year_id = ${year.next.id} and own.status = 'Published')::integer as ready,
        count(*) filter (where own.academic_year_id = ${year.id} and own.status = 'Published')::integer as before
      from fee_structure own
      where own.academic_year_id in (${year.id}, ${year.next.id}) and ${isCounted(year, sql`own.branch_id`)}`.execute(
      db,
    );
    const { drafts, ready, before } = rows[0] ?? { drafts: 0, ready: 0, before: 0 };
    const open = drafts + ready > 0 ? drafts : before;
    const of = open + ready;
    return of === 0
      ? undefined
      : { open, of, to: `fee/fee-structure-allocation?academicYearId=${year.next.id}&tab=draft` };
  },
};

/** Children of the next year who have no fee plan there. */
const plans: YearEndLine = {
  key: 'fee.plans',
  isOfNext: true,
  title: text`Students of the next year without a fee plan`,
  at: 'warns',
  fate: text`make the plans`,
  act: text`Open`,
  sets,
  count: async ({ db }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with there as materialized (
        select student.id, student.name, student.sort_name, not exists (select from fee_plan plan
          join fee_account account on account.id = plan.account_id and account.student_id = own.student_id
          where plan.academic_year_id = own.academic_year_id and plan.status = 'Active') as is_open
        from student_enrollment own join student on student.id = own.student_id
        where own.academic_year_id = ${year.next.id} and own.is_standing and ${isCounted(year, sql`own.branch_id`)})
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from there where is_open order by sort_name, id limit 3) as names
      from there`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    return of === 0
      ? undefined
      : {
          open,
          of,
          names: names.map(verbatim),
          to: `fee/fee-structure-allocation?part=plan&tab=without&yearId=${year.next.id}`,
        };
  },
};

export const feePriceYearEnd = [prices, plans];
