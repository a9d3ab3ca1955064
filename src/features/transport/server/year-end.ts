import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';

/** Riders of the last day with a place in the next year, and no ride on its first day. */
const riders: YearEndLine = {
  key: 'transport.riders',
  isOfNext: true,
  isOnCard: true,
  title: text`Bus riders without a ride in the next year`,
  at: 'warns',
  fate: text`give them a ride`,
  act: text`Open`,
  sets: ['office', 'principal'],
  count: async ({ db, user }, year) => {
    if (!year.next) return undefined;
    const { rows } = await sql<{ open: number; of: number; names: string[] }>`
      with riders as materialized (
        select student.id, student.name, student.sort_name, not exists (select from transport_assignment later
          where later.student_id = own.student_id
            and ${year.next.startsOn}::date between later.effective_from and coalesce(later.effective_to, 'infinity'))
          as is_open
        from transport_assignment own join student on student.id = own.student_id
        join student_enrollment there on there.student_id = own.student_id
          and there.academic_year_id = ${year.next.id} and there.is_standing
        where ${year.endsOn}::date between own.effective_from and coalesce(own.effective_to, 'infinity')
          and ${isCounted(year, sql`there.branch_id`)})
      select count(*) filter (where is_open)::integer as open, count(*)::integer as of,
        array(select name from riders where is_open order by sort_name, id limit 3) as names
      from riders`.execute(db);
    const { open, of, names } = rows[0] ?? { open: 0, of: 0, names: [] };
    const to = user.sets.includes('principal') ? { to: 'transport/' } : {};
    return of === 0 ? undefined : { open, of, names: names.map(verbatim), ...to };
  },
};

export const transportYearEnd = [riders];
