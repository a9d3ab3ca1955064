import { sql } from 'kysely';
import type { Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

/** The school's day, on which an account may or may not sign in. */
export const dayOf = ({ now }: Pick<Services, 'now'>): string => toLocalDate(now());

/** Whether `account` is neither suspended nor past its last day, on a day. */
export const isOpenOn = (day: string) =>
  sql<boolean>`(account.is_active and coalesce(account.ends_on >= ${day}::date, true))`;
