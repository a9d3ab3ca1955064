import { type RawBuilder, sql } from 'kysely';

/** The half of the day in which a trip runs, by the time at which it starts. */
export const halfOf = (starts: RawBuilder<unknown>) => sql<number>`case when ${starts} < '12:00' then 1 else 2 end`;

/**
 * The crew who can’t be there on some of these days, in one of these halves of the day, as rows of `crew_id`: no longer in
 * use, on leave, or marked absent.
 */
export const awayCrew = (from: string, to: string, halves: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select id as crew_id from transport_crew where not is_active
    union select crew.id from transport_crew crew join workday_away away on away.staff_id = crew.staff_id
    where away.day between ${from}::date and ${to}::date and away.half = any(${halves}))`;
