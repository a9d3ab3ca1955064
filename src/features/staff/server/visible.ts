import { sql } from 'kysely';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { staffStatuses } from '../contract/record.ts';

/** Whether this user keeps the staff records: an Admin, or HR. */
export const isKeeper = ({ role, sets }: Pick<User, 'role' | 'sets'>) => role === 'Admin' || sets.includes('hr');

/** Whether the user's sets reach every branch. */
export const isOfAllBranches = ({ role, scope }: Pick<User, 'role' | 'scope'>) =>
  role === 'Admin' || scope.branches.length === 0;

/** Refuses a post in a branch that the user's sets do not reach. */
export function requireOwnBranch(user: User, branchId: number | null) {
  if (!isOfAllBranches(user) && !(branchId && user.scope.branches.includes(branchId)))
    throw fieldRefusal('branchId', otherBranch);
}

export const otherBranch = text`Choose one of your branches.`;

/** Whether the latest post that has begun, or else the first one, is in one of these branches. */
async function isInBranches(db: UserContext['db'], id: number, branches: readonly number[], today: string) {
  const post = await db
    .selectFrom('staff_post')
    .where('staff_id', '=', id)
    .select('branch_id')
    .orderBy(sql`effective_from <= ${today}`, 'desc')
    .orderBy(sql`abs(effective_from - ${today}::date)`)
    .limit(1)
    .executeTakeFirst();
  return post !== undefined && branches.includes(post.branch_id);
}

type Status = (typeof staffStatuses)[number];

interface Seen {
  isOwn: boolean;
  isKept: boolean;
  status: Status;
  /** '' while it is not known. */
  lastDay: string;
}

/**
 * What this user may see of a person. Throws `not_found` for an unknown person, and for one who has left unless the user
 * keeps the records.
 */
export async function seeStaff({ db, user, now }: UserContext, id: number): Promise<Seen> {
  const today = toLocalDate(now());
  // The spell of today, else the last one.
  const spell = await db
    .selectFrom('staff_employment')
    .where('staff_id', '=', id)
    .select(['joined_on', 'last_day'])
    .orderBy(sql`joined_on <= ${today} and coalesce(last_day, 'infinity') >= ${today}`, 'desc')
    .orderBy('joined_on', 'desc')
    .executeTakeFirst();
  const isOwn = id === user.staffId;
  const isKept = isKeeper(user) && (isOfAllBranches(user) || (await isInBranches(db, id, user.scope.branches, today)));
  const status = spell && statusOf(spell, today);
  if (!spell || !status || (status === 'Left' && !isOwn && !isKept)) throw new AppError('not_found', notFoundMessage);
  return { isOwn, isKept, status, lastDay: spell.last_day ?? '' };
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

function statusOf({ joined_on, last_day }: { joined_on: string; last_day: string | null }, today: string): Status {
  if (joined_on > today) return 'Joining';
  return last_day !== null && last_day < today ? 'Left' : 'Active';
}
