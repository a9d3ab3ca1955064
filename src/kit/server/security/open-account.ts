import { sql } from 'kysely';

/** Whether `account` is neither suspended nor past its last day, on a day. */
export const isOpenOn = (day: string) =>
  sql<boolean>`(account.is_active and coalesce(account.ends_on >= ${day}::date, true))`;
