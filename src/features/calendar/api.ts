export { closedSpans } from './server/closed-spans.ts';
export { nextWorkingDay, nextWorkingDays } from './server/next-working-day.ts';
export { lockYears } from './server/roll-over.ts';

import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Context, EndingYear } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';
import { type ClosedWay, closedYear } from './contract/closed-year.ts';

/** An academic year, locked if `locks`; throws `not_found`. */
export async function readYear({ db }: Pick<Context, 'db'>, id: number, locks = false) {
  const query = db
    .selectFrom('academic_year')
    .where('id', '=', id)
    .select(['id', 'name', 'status', 'starts_on', 'ends_on', 'closed_at']);
  return (locks ? query.forUpdate() : query).executeTakeFirstOrThrow(notFound);
}

/** As `readYear`, locked, for a change: throws `conflict` if the year is closed. */
export async function lockOpenYear(ctx: Pick<Context, 'db'>, id: number, way: ClosedWay = 'reopen') {
  const year = await readYear(ctx, id, true);
  requireOpen(year, way);
  return year;
}

/** Throws `conflict` if the year is closed; `way` is what is possible instead. */
export function requireOpen({ name, closed_at }: { name: string; closed_at: Date | null }, way: ClosedWay = 'reopen') {
  if (closed_at) throw new AppError('conflict', closedYear(name, toLocalDate(closed_at), way));
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
