import { type RawBuilder, sql } from 'kysely';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type AcademicYear, yearApi } from '../contract/year.ts';

/** What the row `year` of a query is on a day. */
export const phaseOn = (day: string): RawBuilder<AcademicYear['phase']> =>
  sql<AcademicYear['phase']>`academic_year_phase(year, ${day}::date)`;

const list: Handler<typeof yearApi.list> = async ({ db, now }) => {
  const today = toLocalDate(now());
  const years = await db
    .selectFrom('academic_year as year')
    .where('is_active', '=', true)
    .select(['id', 'name', 'starts_on as startsOn', 'ends_on as endsOn', 'closed_at'])
    .select([phaseOn(today).as('phase'), sql<boolean>`id = academic_year_on(${today}::date)`.as('isCurrent')])
    .orderBy('starts_on', 'desc')
    .execute();
  return years.map(({ closed_at, ...year }) => ({ ...year, ...(closed_at && { closedOn: toLocalDate(closed_at) }) }));
};

export default routes(yearApi, { list });
