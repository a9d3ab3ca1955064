import { type Expression, sql } from 'kysely';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Recipients } from '#kit/server/messages/notifications.ts';
import { isOpenOn } from '#kit/server/security/open-account.ts';

/** The manager of a person on a day, who may sign in and was not away on that or another day; null for none. */
export const managerOf = (
  staffId: Expression<unknown>,
  day: string,
  presentOn: Expression<unknown> = sql`${day}::date`,
) => sql<number | null>`(
  select post.reports_to_id from staff_post post
  join sign_in_account account on account.staff_id = post.reports_to_id and account.is_staff and ${isOpenOn(day)}
  where post.staff_id = ${staffId} and ${day}::date between post.effective_from and coalesce(post.effective_to, 'infinity')
    and not exists (select from workday_away away where away.staff_id = post.reports_to_id and away.day = ${presentOn})
  limit 1)`;

/** Whether a person holds the set of a principal. */
export const isPrincipal = (staffId: Expression<unknown>) => sql<boolean>`exists (select from sign_in_account account
  where account.staff_id = ${staffId} and account.is_staff and 'principal' = any(account.sets))`;

/** Whether another principal reaches the branch, who may sign in. */
export const hasPrincipal = (
  staffId: Expression<unknown>,
  branchId: Expression<unknown>,
  day: string,
) => sql<boolean>`exists (
  select from sign_in_account account
  where account.is_staff and 'principal' = any(account.sets) and account.staff_id <> ${staffId} and ${isOpenOn(day)}
    and (not exists (select from sign_in_account_branch own where own.account_id = account.id)
      or exists (select from sign_in_account_branch own where own.account_id = account.id and own.branch_id = ${branchId})))`;

interface Asked {
  staffId: number;
  branchId: number | null;
  /** Longer than the manager grants. */
  isLong: boolean;
  step: number;
}

/** Who decides on the leave of a person now: whom the bell tells, and in words. */
export async function decidersOf(
  { db, now }: UserContext,
  { staffId, branchId, isLong, step }: Asked,
): Promise<{ to: Recipients; words: Text }> {
  const day = toLocalDate(now());
  const person = sql`${staffId}::integer`;
  const { rows } = await sql<{
    managerId: number | null;
    manager: string;
    isPrincipal: boolean;
    hasPrincipal: boolean;
  }>`
    select own.id as "managerId", coalesce((select name from staff where id = own.id), '') as manager,
      ${isPrincipal(person)} as "isPrincipal", ${hasPrincipal(person, sql`${branchId}::integer`, day)} as "hasPrincipal"
    from (select ${managerOf(person, day)} as id) as own`.execute(db);
  const [found] = rows;
  if (found?.managerId && step === 1 && !found.isPrincipal)
    return {
      to: { staff: [found.managerId] },
      words: !isLong
        ? text`${{ name: found.manager }} decides.`
        : found.hasPrincipal
          ? text`${{ name: found.manager }} decides, then the principal.`
          : text`${{ name: found.manager }} decides, then HR.`,
    };
  if (found?.hasPrincipal)
    return {
      to: { sets: ['principal'], branchId },
      words: found.isPrincipal ? text`Another principal decides.` : text`The principal decides.`,
    };
  return { to: { sets: ['hr'], branchId }, words: text`HR decides.` };
}
