import { type RawBuilder, sql } from 'kysely';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type AcademicYear, yearApi } from '../contract/year.ts';

/** What the row `year` of a query is on a day. */
export const phaseOn = (day: string): RawBuilder<AcademicYear['phase']> =>
  sql<AcademicYear['phase']>`academic_year_phase(year, ${day}::date)`;

const list: Handler<typeof yearApi.list> = ({ db, now }) => {
  const today = toLocalDate(now());
  return db
    .selectFrom('academic_year as year')
    .where('is_active', '=', true)
    .select(['id', 'name', 'starts_on as startsOn', 'ends_on as endsOn'])
    .select([phaseOn(today).as('phase'), sql<boolean>`id = academic_year_on(${today}::date)`.as('isCurrent')])
    .orderBy('starts_on', 'desc')
    .execute();
};

export default routes(yearApi, { list });
