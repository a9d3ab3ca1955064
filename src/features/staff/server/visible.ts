import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#features/account/api.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { staffKeepers, type staffStatuses } from '../contract/record.ts';

/** Whether this user keeps the staff records: an Admin, or HR. */
export const isKeeper = ({ role, sets }: Pick<User, 'role' | 'sets'>) => role === 'Admin' || sets.includes('hr');

/** Whether the user's sets reach a branch. */
export const isOwnBranch = ({ role, scope: { branches } }: User, branchId: number | null) =>
  role === 'Admin' || branches.length === 0 || (branchId !== null && branches.includes(branchId));

/** Refuses a post in a branch that the user's sets do not reach. */
export function requireOwnBranch(user: User, branchId: number | null) {
  if (!isOwnBranch(user, branchId)) throw fieldRefusal('branchId', otherBranch);
}

export const otherBranch = text`Choose one of your branches.`;

/** True of a person's post of the day, or else of their next one, or else of their last one. */
export const isPostOfDay = (day: string) => sql<boolean>`not exists (select from staff_post as other
  where other.staff_id = post.staff_id and case when coalesce(post.effective_to, 'infinity') < ${day}
    then other.effective_from > post.effective_from
    else other.effective_from < post.effective_from and coalesce(other.effective_to, 'infinity') >= ${day} end)`;

/** Whether the user's sets of this access reach the branch of that post. */
export const reaches = (user: User, access: Access, staffId: RawBuilder<unknown>, day: string) =>
  inScope(user, access, {
    branch: sql`(select branch_id from staff_post as post where post.staff_id = ${staffId} and ${isPostOfDay(day)})`,
  });

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
    .select(['joined_on', 'last_day', reaches(user, staffKeepers, sql`${id}::integer`, today).as('isKept')])
    .orderBy(sql`joined_on <= ${today} and coalesce(last_day, 'infinity') >= ${today}`, 'desc')
    .orderBy('joined_on', 'desc')
    .executeTakeFirst();
  const isOwn = id === user.staffId;
  const status = spell && statusOf(spell, today);
  if (!spell || !status || (status === 'Left' && !isOwn && !spell.isKept))
    throw new AppError('not_found', notFoundMessage);
  return { isOwn, isKept: spell.isKept, status, lastDay: spell.last_day ?? '' };
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
