export { nextWorkingDay } from './server/next-working-day.ts';
export { lockYears } from './server/roll-over.ts';

import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Context, EndingYear } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';
import { closedYearMessage } from './contract/masters.ts';

/** An academic year, locked if `locks`; throws `not_found`. */
export async function readYear({ db }: Pick<Context, 'db'>, id: number, locks = false) {
  const query = db
    .selectFrom('academic_year')
    .where('id', '=', id)
    .select(['id', 'name', 'status', 'starts_on', 'ends_on']);
  return (locks ? query.forUpdate() : query).executeTakeFirstOrThrow(notFound);
}

/** As `readYear`, locked, for a change: throws `conflict` if the year is closed. */
export async function lockOpenYear(ctx: Pick<Context, 'db'>, id: number) {
  const year = await readYear(ctx, id, true);
  if (year.status === 'Closed') throw new AppError('conflict', closedYearMessage);
  return year;
}

/**
 * Keeps a year from being closed or copied until the transaction ends. Changes of students' sections lock the year
 * first, then enrollments, then sections, so that they cannot deadlock.
 */
export const lockYearForShare = ({ db }: Pick<Context, 'db'>, id: number) =>
  db.selectFrom('academic_year').where('id', '=', id).select('id').forShare().execute();

interface Days {
  starts_on: string;
  ends_on: string;
}

/** The requested day or today, moved into the year. */
export function clampToYear({ now }: Pick<Context, 'now'>, { starts_on, ends_on }: Days, asked: string): string {
  const day = asked || toLocalDate(now());
  return day < starts_on ? starts_on : day > ends_on ? ends_on : day;
}

/** Whether what belongs to a branch is counted at the end of a year. */
export const isCounted = ({ branches }: Pick<EndingYear, 'branches'>, branch: RawBuilder<unknown>) =>
  branches.length === 0 ? sql<boolean>`true` : sql<boolean>`${branch} = any(${[...branches]}::integer[])`;
