import { sql } from 'kysely';
import { dayOf, isForAccount, isFresh, isOpenOn } from '#features/sign-in/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import type { DailyTask } from '#kit/server/job/daily.ts';
import { type RunAct, startRun } from '#kit/server/job/runs.ts';
import { notifyEach } from '#kit/server/messages/notifications.ts';
import { queueMessage, type Template } from '#kit/server/messages/outbox.ts';
import { openDocuments } from './due-document.ts';
import { hasLeft, isSpellOfDay } from './standing.ts';
import { branchOn } from './visible.ts';

/** True of an `account` whose owner keeps the record of `staff` on a day: an Admin all, HR those of their branches. */
const isKeptBy = (day: string) => sql<boolean>`(account.is_admin or (account.is_staff and 'hr' = any(account.sets)
  and (not exists (select from sign_in_account_branch where account_id = account.id) or exists (
    select from sign_in_account_branch as reached where reached.account_id = account.id
      and reached.branch_id = ${branchOn(day)}))))`;

/** The documents of a day that expire or have expired, with the accounts whose owners renew them. */
const kept = (day: string) => sql`sign_in_account account
  join staff on true join staff_employment as spell on spell.staff_id = staff.id and ${isSpellOfDay(day)}
  join expiring on expiring.staff_id = staff.id
  where ${isOpenOn(day)} and not ${hasLeft(day)} and ${isKeptBy(day)}`;

const expiring = (day: string) =>
  sql`select * from ${openDocuments(day)} as open where state in ('Expiring', 'Expired')`;

const path = '/school-erp/staff/staff-list?tab=due';

const words = (people: number) =>
  text(
    {
      message:
        'Documents of {people, plural, one {# staff member} other {# staff members}} expire soon or have expired.',
    },
    { people },
  );

/** Tells each keeper of new ones how many people there are; a document is news once when it expires soon, and once when it has. */
export async function tellKeepers(ctx: Context, day: string) {
  const { rows } = await sql<{ id: number; people: number }>`
    with expiring as (${expiring(day)}),
    fresh as (insert into staff_document_told (document_id, state, told_on)
      select document_id, state, ${day}::date from expiring on conflict do nothing returning document_id)
    select account.id, count(distinct staff.id)::integer as people from ${kept(day)}
    group by account.id having bool_or(document_id in (select document_id from fresh))`.execute(ctx.db);
  await notifyEach(
    ctx,
    rows.map(({ id, people }) => ({
      accountId: id,
      kind: 'staff.documents-due',
      text: words(people),
      path,
      key: 'staff.documents-due',
    })),
  );
}

/** Starts the email of the week to each keeper whose address has not just changed. */
async function emailKeepers(ctx: Context, day: string) {
  const { rows } = await sql<{ id: number; name: string }>`
    with expiring as (${expiring(day)})
    select account.id, owner.name from sign_in_account as account join staff as owner on owner.id = account.staff_id
    where owner.email is not null and account.id in (select account.id from ${kept(day)}) order by account.id`.execute(
    ctx.db,
  );
  if (rows.length > 0) await startRun(ctx, { kind: 'staff.documents-due', input: {}, rows });
}

/** The owner's address; undefined where the account may not sign in, or the address is new and may be a stranger's. */
const findAddress = async ({ db, now }: Pick<Context, 'db' | 'now'>, accountId: number) =>
  (
    await db
      .selectFrom('sign_in_account as account')
      .innerJoin('staff', 'staff.id', 'account.staff_id')
      .where('account.id', '=', accountId)
      .where(isOpenOn(dayOf({ now })))
      .where('staff.email', 'is not', null)
      .where(sql<boolean>`not ${isFresh('staff.email_changed_at')}`)
      .select('staff.email')
      .executeTakeFirst()
  )?.email;

const emailKeeper: RunAct = async (ctx, accountId) => {
  const recipient = await findAddress(ctx, accountId);
  if (!recipient) return text`Has no email address that we may use.`;
  const dedupeKey = `run ${ctx.run} ${accountId}`;
  await queueMessage(ctx, {
    channel: 'email',
    template: 'staff.documents-due',
    recipient,
    subjectId: accountId,
    dedupeKey,
  });
  return undefined;
};

/** Names nobody: the list does. */
const documentsDueMessage: Template = {
  isFor: isForAccount,
  render: async ({ db, now, publicUrl }, accountId) => {
    const day = dayOf({ now });
    const { rows } = await sql<{ people: number }>`with expiring as (${expiring(day)})
      select count(distinct staff.id)::integer as people from ${kept(day)} and account.id = ${accountId}`.execute(db);
    const people = rows[0]?.people ?? 0;
    if (people === 0) return undefined;
    const address = `${publicUrl}${path}`;
    return {
      subject: text`Staff documents that expire`,
      paragraphs: [words(people), text`Sign in to see the list of these documents: ${{ address }}`],
    };
  },
};

export const dueMessages = { 'staff.documents-due': documentsDueMessage };
export const dueRuns = { 'staff.documents-due': emailKeeper };

/** A notice on each day that brings a new one, and an email each Monday, or later in a week whose Monday was missed. */
export const dailyDocumentsDue: DailyTask = {
  name: 'staff.documents-due',
  from: 8,
  until: 20,
  act: async (ctx) => {
    const day = dayOf(ctx);
    await tellKeepers(ctx, day);
    if (await isFirstOfWeek(ctx, day)) await emailKeepers(ctx, day);
  },
};

/** Whether it is Monday, or nothing was done on a day of this week yet. A new school waits for its first Monday. */
async function isFirstOfWeek({ db }: Context, day: string): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean | null }>`
    select ${day}::date = monday or max(day) < monday as "isFirst"
    from (select date_trunc('week', ${day}::date)::date as monday) as week
    left join daily_task on name = ${dailyDocumentsDue.name} and day < ${day}::date group by monday`.execute(db);
  return rows[0]?.isFirst ?? false;
}
