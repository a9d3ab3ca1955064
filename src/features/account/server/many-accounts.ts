import { sql } from 'kysely';
import type { GrantedSet } from '#access/contract/grants.ts';
import { dayOf, isOpenOn } from '#features/sign-in/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { auditAll, auditEach } from '#kit/server/security/audit.ts';
import { rightsOf } from './rights-words.ts';

/** The accounts of these members of staff by their staff id, locked until the transaction ends. */
export async function lockAccounts(ctx: UserContext, staffIds: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('sign_in_account as account')
    .where('account.staff_id', '=', sql<number>`any(${staffIds}::integer[])`)
    .select(['account.id', 'account.staff_id', 'account.version', 'account.is_staff', 'account.is_admin'])
    .select(['account.is_active', 'account.sets', 'account.ends_on', isOpenOn(dayOf(ctx)).as('isOpen')])
    .orderBy('account.id')
    .forUpdate('account')
    .execute();
  return new Map(rows.map((row) => [row.staff_id, row]));
}

export type LockedAccount = NonNullable<ReturnType<Awaited<ReturnType<typeof lockAccounts>>['get']>>;

/** Creates accounts for members of staff who have none; returns their ids by staff id. */
export async function addAccounts(
  ctx: UserContext,
  people: readonly { staffId: number; endsOn: string | null }[],
  sets: readonly GrantedSet[],
): Promise<Map<number, number>> {
  const rows = JSON.stringify(people.map(({ staffId, endsOn }) => ({ staff_id: staffId, ends_on: endsOn })));
  const { rows: added } = await sql<{ id: number; staff_id: number }>`
    insert into sign_in_account (staff_id, is_staff, is_admin, sets, ends_on, sets_granted_by, sets_granted_at)
    select staff_id, true, false, ${sets}::text[], ends_on, ${ctx.user.staffId}, ${ctx.now()}
    from jsonb_to_recordset(${rows}::jsonb) as person (staff_id integer, ends_on date)
    returning id, staff_id`.execute(ctx.db);
  const details = { isAdmin: false, isStaff: true, sets: sets.join(' ') };
  await auditEach(
    ctx,
    { action: 'account.created', entity: 'sign_in_account', details },
    added.map(({ id }) => id),
  );
  return new Map(added.map(({ id, staff_id }) => [staff_id, id]));
}

interface Change {
  account: LockedAccount;
  isActive: boolean;
  sets: readonly string[];
  endsOn: string | null;
}

/** Changes locked accounts that are no Admin's; an account that is suspended loses its sessions. */
export async function changeAccounts(ctx: UserContext, changes: readonly Change[]) {
  const rows = JSON.stringify(
    changes.map(({ account, isActive, sets, endsOn }) => ({ id: account.id, isActive, sets, endsOn })),
  );
  await sql`
    update sign_in_account as account
    set is_active = changed."isActive", sets = changed.sets, ends_on = changed."endsOn", version = version + 1,
      sets_granted_by = case when changed.sets <@ account.sets then account.sets_granted_by else ${ctx.user.staffId} end,
      sets_granted_at = case when changed.sets <@ account.sets then account.sets_granted_at else ${ctx.now()}::timestamptz end
    from jsonb_to_recordset(${rows}::jsonb) as changed (id integer, "isActive" boolean, sets text[], "endsOn" date)
    where account.id = changed.id`.execute(ctx.db);
  const suspended = changes.filter(({ isActive }) => !isActive).map(({ account }) => account.id);
  await sql`delete from sign_in_session where account_id = any(${suspended}::integer[])`.execute(ctx.db);
  await auditAll(
    ctx,
    changes.map(({ account, isActive, sets }) => {
      const { id, version, is_staff: isStaff, is_admin: isAdmin } = account;
      return {
        action: 'account.changed',
        entity: 'sign_in_account',
        entityId: id,
        version: version + 1,
        details: {
          before: rightsOf({ isStaff, isAdmin, isActive: account.isOpen, sets: account.sets }),
          after: rightsOf({ isStaff, isAdmin, isActive, sets }),
        },
      };
    }),
  );
}
