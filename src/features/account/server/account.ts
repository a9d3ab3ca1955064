import { sql } from 'kysely';
import { type DerivedRight, derivedRights } from '#access/server/derived-right.ts';
import {
  dayOf,
  endSessionOf,
  isAlive,
  isForAccount,
  isFresh,
  isLeftAdmin,
  isOpenOn,
  lockAdmins,
  queueReset,
  sessionsOf,
  tellAdmins,
} from '#features/sign-in/api.ts';
import { lastAdmin } from '#features/sign-in/contract/session.ts';
import { requireEmployed } from '#features/staff/api.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains, readPage } from '#kit/server/list/pagination.ts';
import { queueMessage, type Template } from '#kit/server/messages/outbox.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { searchedMobile } from '#kit/server/search.ts';
import { audit } from '#kit/server/security/audit.ts';
import { accountApi, freshAddress, needsEmail, takenAddress, takenUserName } from '../contract/account.ts';
import { branchCodesOf, saveBranches } from './branch.ts';
import { addAccount, createAccount } from './create-account.ts';
import { queueInvitation } from './invitation.ts';
import { rightsOf } from './rights-words.ts';

const accounts = ({ db, now }: Pick<Context, 'db' | 'now'>) =>
  db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .select((from) => [
      'account.id',
      'account.staff_id',
      'staff.name',
      'staff.email',
      'staff.mobile',
      'account.user_name',
      'account.is_staff',
      'account.is_admin',
      'account.sets',
      sql<number[]>`array(select branch_id from sign_in_account_branch where account_id = account.id order by 1)`.as(
        'branchIds',
      ),
      'account.ends_on',
      isOpenOn(dayOf({ now })).as('isOpen'),
      'account.version',
      isFresh('staff.email_changed_at').as('isEmailFresh'),
      from
        .selectFrom('sign_in_session as session')
        .whereRef('session.account_id', '=', 'account.id')
        .where(isAlive)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('sessions'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>;

const toAccount = (
  { id, staff_id, name, email, mobile, user_name, is_staff, is_admin, sets, branchIds, isOpen, version, sessions }: Row,
  derived: DerivedRight[],
) => ({
  id,
  staffId: staff_id,
  name,
  email: email ?? '',
  mobile: mobile ?? '',
  userName: user_name ?? '',
  isStaff: is_staff,
  isAdmin: is_admin,
  sets: sets as never[],
  branchIds,
  derived: is_staff ? derived : [],
  isActive: isOpen,
  sessions: sessions ?? 0,
  version,
});

async function toAccounts(ctx: Pick<Context, 'db' | 'now'>, rows: Row[]) {
  const derived = await derivedRights(
    ctx,
    rows.map(({ staff_id }) => staff_id),
  );
  return rows.map((row) => toAccount(row, derived.get(row.staff_id) ?? []));
}

const list: Handler<typeof accountApi.list> = async (ctx, { search, state, ...wanted }) => {
  const { db } = ctx;
  let query = accounts(ctx);
  if (state !== 'all') query = query.where(isOpenOn(dayOf(ctx)), '=', state === 'active');
  if (search !== '') {
    query = query.where((where) =>
      where.or(
        (['staff.name', 'staff.email', 'staff.mobile', 'account.user_name'] as const).map((column) =>
          where(column, 'ilike', contains(searchedMobile(search) ?? search)),
        ),
      ),
    );
  }
  const order = { by: sql`lower(staff.name)`, as: 'text', id: 'account.id' } as const;
  const { rows, ...page } = await readPage(db, query, order, wanted);
  return { ...page, rows: await toAccounts(ctx, rows) };
};

/** The account of a member of staff. */
export const readAccount = (ctx: Pick<Context, 'db' | 'now'>, staffId: number) =>
  accounts(ctx).where('account.staff_id', '=', staffId).executeTakeFirst();

export const changeAccount: Handler<typeof accountApi.update> = async (
  ctx,
  { id, version, userName, isStaff, isAdmin, isActive, sets, branchIds },
) => {
  await lockAdmins(ctx);
  const before = await accounts(ctx).where('account.id', '=', id).executeTakeFirstOrThrow(notFound);
  requireVersion(before, version, { now: before });
  const becomesAdmin = isAdmin && !before.is_admin;
  // The link to the password goes to this address.
  if (becomesAdmin && before.isEmailFresh) throw fieldRefusal('isAdmin', freshAddress);
  // Queued before the change, or the removed Admin would not be notified.
  if (before.is_admin && before.isOpen && !(isAdmin && isActive))
    await tellAdmins(ctx, { template: 'admin-removed', subjectId: id, except: [ctx.user.id] });
  const changed = {
    user_name: userName === '' ? null : userName.toLowerCase(),
    is_staff: isStaff,
    is_admin: isAdmin,
    is_active: isActive,
    ends_on: isActive && !before.isOpen ? await requireEmployed(ctx, before.staff_id, 'isActive') : before.ends_on,
    sets: [...sets],
    ...(sets.some((set) => !before.sets.includes(set)) && {
      sets_granted_by: ctx.user.staffId,
      sets_granted_at: ctx.now(),
    }),
  };
  await ctx.db
    .updateTable('sign_in_account')
    .set({
      ...changed,
      version: sql`version + 1`,
      ...(userName === '' && { password_hash: null, password_set_at: null }),
    })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      throw new AppError('conflict', takenUserName, { fields: { userName: takenUserName } });
    });
  if (!(await isLeftAdmin(ctx))) throw new AppError('conflict', lastAdmin, { fields: { isAdmin: lastAdmin } });
  const branchesBefore = await branchCodesOf(ctx, id);
  if (branchIds) await saveBranches(ctx, id, branchIds);
  const branches = await branchCodesOf(ctx, id);
  const isLess = !isActive || (before.is_admin && !isAdmin) || (before.is_staff && !isStaff);
  if (isLess) await ctx.db.deleteFrom('sign_in_session').where('account_id', '=', id).execute();
  if (becomesAdmin && before.email) await queueReset(ctx, id, before.email);
  if (isAdmin && isActive && !(before.is_admin && before.isOpen)) await tellOfNewAdmin(ctx, id);
  await audit(ctx, {
    action: 'account.changed',
    entity: 'sign_in_account',
    entityId: id,
    version: version + 1,
    details: {
      before: rightsOf({
        isStaff: before.is_staff,
        isAdmin: before.is_admin,
        isActive: before.isOpen,
        sets: before.sets,
      }),
      after: rightsOf({ isStaff, isAdmin, isActive, sets }),
      ...(branches !== branchesBefore && { branches: `${branchesBefore || '–'} → ${branches || '–'}` }),
    },
  });
  const [account] = await toAccounts(ctx, await accounts(ctx).where('account.id', '=', id).execute());
  if (!account) throw new AppError('not_found', notFoundMessage);
  return account;
};

const tellOfNewAdmin = (ctx: UserContext, id: number) =>
  tellAdmins(ctx, { template: 'admin-added', subjectId: id, except: [ctx.user.id, id] });

const endSessions: Handler<typeof accountApi.endSessions> = async (ctx, { id }) => {
  await ctx.db.selectFrom('sign_in_account').where('id', '=', id).select('id').executeTakeFirstOrThrow(notFound);
  const { numDeletedRows } = await ctx.db
    .deleteFrom('sign_in_session')
    .where('account_id', '=', id)
    .where('number', '<>', ctx.user.session)
    .executeTakeFirstOrThrow();
  const details = { ended: Number(numDeletedRows) };
  await audit(ctx, { action: 'account.signed-out-everywhere', entity: 'sign_in_account', entityId: id, details });
  return {};
};

const sessions: Handler<typeof accountApi.sessions> = async (ctx, { id }) => {
  await ctx.db.selectFrom('sign_in_account').where('id', '=', id).select('id').executeTakeFirstOrThrow(notFound);
  return sessionsOf(ctx, id);
};

const endSession: Handler<typeof accountApi.endSession> = (ctx, { id, number }) => endSessionOf(ctx, id, number);

const requests: Handler<typeof accountApi.requests> = async ({ db }, { search, ...wanted }) => {
  let query = db
    .selectFrom('sign_in_request')
    .where('status', '=', 'pending')
    .select(['id', 'name', 'email', 'mobile', 'reason', 'asked_at']);
  if (search !== '') query = query.where('name', 'ilike', contains(search));
  const order = { by: sql`lower(name)`, as: 'text', id: 'id' } as const;
  const { rows, ...page } = await readPage(db, query, order, wanted);
  return {
    ...page,
    rows: rows.map(({ asked_at, placed: _, ...row }) => ({ ...row, askedAt: asked_at.toISOString() })),
  };
};

/** Throws `not_found` for a request that is already decided. */
async function decideRequest(ctx: UserContext, id: number, status: 'approved' | 'declined') {
  const row = await ctx.db
    .updateTable('sign_in_request')
    .set({ status, decided_by: ctx.user.id, decided_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning(['name', 'email', 'mobile'])
    .executeTakeFirstOrThrow(notFound);
  await audit(ctx, { action: `account-request.${status}`, entity: 'sign_in_request', entityId: id });
  return row;
}

/** The one member of staff with an address of a request, if they have no account. */
async function findWithoutAccount({ db }: Context, { email, mobile }: { email: string; mobile: string }) {
  const found = await db
    .selectFrom('staff')
    .leftJoin('sign_in_account as account', 'account.staff_id', 'staff.id')
    .where((where) => where.or([where('staff.email', '=', email), where('staff.mobile', '=', mobile)]))
    .select(['staff.id', 'staff.email', 'staff.mobile', 'account.id as account_id'])
    .select(isFresh('staff.email_changed_at').as('isEmailFresh'))
    .forUpdate('staff')
    .execute();
  const [person, other] = found;
  return other || person?.account_id ? undefined : person;
}

const approve: Handler<typeof accountApi.approve> = async (
  ctx,
  { id, userName, isStaff, isAdmin, sets, branchIds },
) => {
  const { name, ...asked } = await decideRequest(ctx, id, 'approved');
  const grantedBy = ctx.user.staffId;
  const rights = { userName: userName || null, isStaff, isAdmin, sets, grantedBy, branchIds: branchIds ?? [] };
  const person = await findWithoutAccount(ctx, asked);
  // What the record has, since anyone may ask with another person's number.
  const { email, mobile } = person ?? asked;
  if (isAdmin && person && !email) throw fieldRefusal('isAdmin', needsEmail);
  if (isAdmin && person?.isEmailFresh) throw fieldRefusal('isAdmin', freshAddress);
  try {
    const accountId = person
      ? await addAccount(ctx, ctx.user.name, person.id, rights)
      : (await createAccount(ctx, ctx.user.name, { name, ...asked, ...rights })).id;
    if (isAdmin) {
      await queueReset(ctx, accountId, email);
      await tellOfNewAdmin(ctx, accountId);
    } else if (email)
      await queueMessage(ctx, {
        channel: 'email',
        template: 'account-approved',
        recipient: email,
        subjectId: accountId,
      });
    else await queueInvitation(ctx, accountId, { channel: 'SMS', recipient: mobile });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const isName = isDuplicate(error, 'sign_in_account_user_name_key');
    const words = isName ? takenUserName : takenAddress;
    throw new AppError('conflict', words, { fields: { [isName ? 'userName' : 'isStaff']: words } });
  }
  return {};
};

const decline: Handler<typeof accountApi.decline> = async (ctx, { id }) => {
  const { email } = await decideRequest(ctx, id, 'declined');
  await queueMessage(ctx, { channel: 'email', template: 'account-declined', recipient: email, subjectId: id });
  return {};
};

export const approvedMessage: Template = {
  isFor: isForAccount,
  render: async ({ publicUrl }) => ({
    subject: text`Your account is ready`,
    paragraphs: [
      text`The school has approved your account request.`,
      text`Sign in with a one-time code sent to this email address: ${{ link: `${publicUrl}/login` }}`,
    ],
  }),
};

export const declinedMessage: Template = {
  isFor: 'as queued',
  render: async () => ({
    subject: text`Your account request`,
    paragraphs: [
      text`The school has not approved your account request. If you think this is a mistake, call the school.`,
    ],
  }),
};

export const accountRoutes = routes(accountApi, {
  list,
  update: changeAccount,
  sessions,
  endSession,
  endSessions,
  requests,
  approve,
  decline,
});
