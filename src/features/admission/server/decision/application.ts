import { sql } from 'kysely';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import type { UserContext } from '#kit/server/context.ts';
import { notFound } from '#kit/server/record/version.ts';
import { shareOpenYear } from '../seat/seat.ts';
import { isSeatReached } from '../seat/seat-read.ts';
import { isApplication } from './process-list.ts';

const found = ({ db, user }: UserContext, id: number) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .where('inquiry.id', '=', id)
    .where(isSeatReached(user, sql`inquiry.branch_id`))
    .where(isApplication);

/** An application of an open year, locked after its year. Throws `not_found`, and `stale` for another version. */
export async function lockApplication(ctx: UserContext, { id, version }: { id: number; version: number }) {
  const year = await found(ctx, id).select('academic_year_id').executeTakeFirstOrThrow(notFound);
  await shareOpenYear(ctx, year.academic_year_id);
  const row = await found(ctx, id).selectAll('inquiry').forUpdate().executeTakeFirst();
  if (row?.version !== version) throw new AppError('stale', staleMessage);
  return row;
}
