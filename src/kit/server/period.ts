import { type Expression, sql } from 'kysely';

/** The days of a card or a timeline; '' is no limit. */
export interface Period {
  from: string;
  to: string;
}

const firstOf = ({ from }: Period) => sql`coalesce(nullif(${from}::text, '')::date, '-infinity')`;
const lastOf = ({ to }: Period) => sql`coalesce(nullif(${to}::text, '')::date, 'infinity')`;

/** Whether a day lies within a period. */
export const inPeriod = (day: Expression<unknown>, period: Period) =>
  sql<boolean>`${day} between ${firstOf(period)} and ${lastOf(period)}`;

/** Whether one of the days from a first to a last one, null for none, lies within a period. */
export const touchesPeriod = (first: Expression<unknown>, last: Expression<unknown>, period: Period) =>
  sql<boolean>`(${first} <= ${lastOf(period)} and coalesce(${last}, 'infinity') >= ${firstOf(period)})`;
