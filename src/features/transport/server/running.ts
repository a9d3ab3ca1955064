import { type RawBuilder, sql } from 'kysely';
import { localTimeZone } from '#kit/server/day.ts';

/** The time of the school's day at a moment, HH:MM. */
export const localTime = (moment: Date): string =>
  moment.toLocaleTimeString('en-GB', { timeZone: localTimeZone, hour: '2-digit', minute: '2-digit' });

/** In a query of the `plan` of a slot: whether the trip runs on a day by its weekdays, and has not ended today. */
export const isStillToRun = (day: RawBuilder<unknown>, today: string, time: string): RawBuilder<boolean> =>
  sql`(to_char(${day}, 'FMDay') = any(plan.weekdays) and (${day} > ${today}::date or ${time}
    < case when extract(isodow from ${day}) = 6 and plan.saturday_ends <> '' then plan.saturday_ends else plan.ends end))`;
