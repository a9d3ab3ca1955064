import { type RawBuilder, sql } from 'kysely';

/** The crew who can’t be there on some of these days, as rows of `crew_id`: no longer in use, on leave, or marked absent. */
export const awayCrew = (from: string, to: string): RawBuilder<unknown> =>
  sql`(select id as crew_id from transport_crew where not is_active
    union select crew.id from transport_crew crew join workday_away away on away.staff_id = crew.staff_id
    where away.day between ${from}::date and ${to}::date)`;
