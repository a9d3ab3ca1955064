import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

const columns = {
  Email: [sql`staff.email_changed_at`, sql`staff.email_confirmed_at`],
  Mobile: [sql`staff.mobile_changed_at`, sql`staff.mobile_confirmed_at`],
} as const;

/** In a query of `staff`: when an address has waited 72 hours that others have changed, which may be a thief's; else null. */
export const heldUntil = (method: 'Email' | 'Mobile') => {
  const [changedAt, confirmedAt] = columns[method];
  return sql<Date | null>`case when ${changedAt} > now() - interval '72 hours'
    and ${changedAt} > coalesce(${confirmedAt}, '-infinity') then ${changedAt} + interval '72 hours' end`;
};

/** Whether an address that others changed began the user's session: it proves no other address. */
export async function isHeldSession({ db, user }: UserContext): Promise<boolean> {
  const session = await db
    .selectFrom('sign_in_session')
    .where('number', '=', user.session)
    .select(sql<boolean>`coalesce(held_until > now(), false)`.as('isHeld'))
    .executeTakeFirst();
  return session?.isHeld ?? false;
}

/** Ends other sessions that such an address began, now that it has changed again. */
export const endHeldSessions = ({ db, user }: UserContext, accountId: number) =>
  db
    .deleteFrom('sign_in_session')
    .where('account_id', '=', accountId)
    .where('held_until', 'is not', null)
    .where('number', '<>', user.session)
    .execute();
