import { type Expression, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import type { RunContext } from '#kit/server/job/runs.ts';
import { notFound } from '#kit/server/record/version.ts';
import { inquiryReaders } from '../contract/record.ts';

/** True in a query of the inquiries that exist for this user: those of the branches that the account reaches. */
export const isReached = (user: User, branch: Expression<unknown> = sql`inquiry.branch_id`) =>
  inScope(user, inquiryReaders, { branch });

/** As `isReached`, for the person who started a run; the system's own reach every branch. */
export const isReachedByStarter = ({ starter }: RunContext) => (starter ? isReached(starter) : sql<boolean>`true`);
export const outOfReach = text`Is in a branch that the person who started this does not reach.`;

/** Throws `not_found` for an inquiry that does not exist for this user. */
export async function requireInquiry({ db, user }: UserContext, id: number) {
  return db
    .selectFrom('admission_inquiry as inquiry')
    .where('id', '=', id)
    .where(isReached(user))
    .select(['received_at', 'sibling_used_at'])
    .executeTakeFirstOrThrow(notFound);
}

/** Throws `not_found` also for a form that was never submitted. */
export async function requireSubmitted(ctx: UserContext, id: number) {
  const { received_at } = await requireInquiry(ctx, id);
  if (!received_at) throw new AppError('not_found', notFoundMessage);
}
