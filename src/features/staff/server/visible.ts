import { sql } from 'kysely';
import { staffKeepers } from '#access/contract/grants.ts';
import { inScope, otherBranch, reachesBranch } from '#access/server/scope.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';
import type { staffStatuses } from '../contract/record.ts';
import { hasLeft, isPostOfDay, isSpellOfDay, statusOn } from './standing.ts';

/** The branch of a person's post of the day, in a query of `staff`. */
export const branchOn = (day: string) => sql<number>`(select branch_id from staff_post as post
  where post.staff_id = staff.id and ${isPostOfDay(day)})`;

/** True in a query of `staff` of the people whose records this user keeps: of all for an Admin, of their branches for HR. */
export const isKept = (user: User, day: string) => inScope(user, staffKeepers, { branch: branchOn(day) });

/** True in a query of `staff` and their `spell` of the day of those that exist for this user: people who have left, for the keepers alone. */
export const isVisible = (user: User, day: string) => sql<boolean>`(not ${hasLeft(day)} or ${isKept(user, day)})`;

/** Refuses a post in a branch that the user's sets do not reach. */
export function requireOwnBranch(user: User, branchId: number | null) {
  if (!reachesBranch(user, branchId)) throw fieldRefusal('branchId', otherBranch);
}

interface Seen {
  isOwn: boolean;
  isKept: boolean;
  status: (typeof staffStatuses)[number];
  /** '' while it is not known. */
  lastDay: string;
}

/**
 * What this user may see of a person. Throws `not_found` for an unknown person, and for one who has left unless the user
 * keeps the record.
 */
export async function seeStaff({ db, user, now }: UserContext, id: number): Promise<Seen> {
  const today = toLocalDate(now());
  const isOwn = id === user.staffId;
  const found = await db
    .selectFrom('staff')
    .innerJoin('staff_employment as spell', (join) =>
      join.onRef('spell.staff_id', '=', 'staff.id').on(isSpellOfDay(today)),
    )
    .where('staff.id', '=', id)
    .$if(!isOwn, (query) => query.where(isVisible(user, today)))
    .select([isKept(user, today).as('isKept'), statusOn(today).as('status'), 'spell.last_day'])
    .executeTakeFirstOrThrow(notFound);
  return { isOwn, isKept: found.isKept, status: found.status, lastDay: found.last_day ?? '' };
}

/** As `seeStaff`, for the parts that only the person and the keepers of the records read. */
export async function seeWholeStaff(ctx: UserContext, id: number): Promise<Seen> {
  const seen = await seeStaff(ctx, id);
  if (!seen.isOwn && !seen.isKept) throw new AppError('not_found', notFoundMessage);
  return seen;
}

/** As `seeStaff`, for the acts of the keepers. */
export async function seeKeptStaff(ctx: UserContext, id: number): Promise<Seen> {
  const seen = await seeStaff(ctx, id);
  if (!seen.isKept) throw new AppError('not_found', notFoundMessage);
  return seen;
}
