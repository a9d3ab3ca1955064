import { type SqlBool, sql } from 'kysely';
import { admin, staff } from '#access/contract/grants.ts';
import { reachOf } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { sharedStates, type VisitState } from '../contract/visit.ts';

/** In a query of a person's `post` of today: Admins, principals in their branches, heads in their departments. */
export function isOverseen(user: User) {
  const reach = reachOf(user, [admin(), staff('principal')]);
  if (reach.isAll) return sql<SqlBool>`true`;
  return sql<SqlBool>`coalesce(post.branch_id = any(${reach.branches}::integer[])
    or ${user.sets.includes('headOfDepartment')} and exists (select from academic_department department
      where department.id = post.department_id and department.staff_id = ${user.staffId}), false)`;
}

const postOn = (day: string) => sql<{ branch_id: number | null; department_id: number | null }>`(
  select branch_id, department_id from staff_post own where own.staff_id = observed.id
    and ${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity') limit 1)`;

/** The people with their `post` of today. */
export const observable = ({ db, now }: UserContext) =>
  db.selectFrom('staff as observed').leftJoinLateral(postOn(toLocalDate(now())).as('post'), (join) => join.onTrue());

export const isShared = sql<SqlBool>`visit.state in ('Shared', 'Acknowledged', 'Closed')`;

/** The visits that the user sees in lists: what one shows before it is shared is for its observer alone. */
export const visitsSeen = (ctx: UserContext) =>
  observable(ctx)
    .innerJoin('observation_visit as visit', 'visit.observed_id', 'observed.id')
    .where(sql<boolean>`(visit.observer_id = ${ctx.user.staffId} or ${isOverseen(ctx.user)})`);

/** A visit, locked if `locks`, with the part of the user in it; throws `not_found` where they may not read its content. */
export async function requireVisit(ctx: UserContext, id: number, locks = false) {
  if (locks) await ctx.db.selectFrom('observation_visit').where('id', '=', id).select('id').forUpdate().execute();
  const { staffId, role, sets } = ctx.user;
  const found = await observable(ctx)
    .innerJoin('observation_visit as visit', 'visit.observed_id', 'observed.id')
    .where('visit.id', '=', id)
    .selectAll('visit')
    .select(['observed.name as teacher', isOverseen(ctx.user).as('isOverseen')])
    .executeTakeFirst();
  const isObserver = found?.observer_id === staffId;
  const isObserved = found?.observed_id === staffId;
  const isOpen = found && sharedStates.includes(found.state as VisitState);
  const isOverseer = Boolean(found?.isOverseen) && !isObserved;
  if (!found || !(isObserver || (isOpen && (isObserved || isOverseer))))
    throw new AppError('not_found', notFoundMessage);
  return {
    ...found,
    state: found.state as VisitState,
    isObserver,
    isObserved,
    isChief: isOverseer && (role === 'Admin' || sets.includes('principal')),
  };
}
export type FoundVisit = Awaited<ReturnType<typeof requireVisit>>;
