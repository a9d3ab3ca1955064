import { sql } from 'kysely';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { AppError, fieldRefusal, proveMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext, Context, HolderContext, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { saveFile } from '#kit/server/files/files.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { ownApi } from '../contract/own.ts';
import { childrenOf } from './children.ts';
import { isFreshPhone, keepPhone } from './device.ts';
import { codes, endOf, makeCode, tooMany, withCode } from './proof.ts';
import { tellGuardians } from './tell.ts';
import { wish, wishesOf } from './wishes.ts';

export const contactKind = 'family.contact';

/** The columns of a guardian that are changed, by the channel of messages. */
const columns = { sms: 'mobile', email: 'email' } as const;
type Channel = keyof typeof columns;

export interface NewContact {
  channel: Channel;
  value: string;
}

/** Changes of one guardian within a year. */
const mostChanges = 3;

const callSchool = text`You changed your number or address three times within a year. Call the school.`;

export const contactOwner = (id: number) => ({
  table: 'guardian_contact_change',
  id,
  tooMany: text`This request has a paper already.`,
});

/** The one of the two that was entered. */
function newContact({ mobile, email }: { mobile: string; email: string }): NewContact {
  if (mobile === '' && email === '')
    throw fieldRefusal('mobile', text`Enter your new mobile number, or your new email address.`);
  if (mobile !== '' && email !== '')
    throw fieldRefusal('email', text`Change one after the other: clear the number or the address.`);
  return mobile === '' ? { channel: 'email', value: email } : { channel: 'sms', value: mobile };
}

/** The guardian with a lock, so that two changes wait for each other. */
const lockGuardian = ({ db }: Pick<Context, 'db'>, id: number) =>
  db.selectFrom('guardian').where('id', '=', id).select(['mobile', 'email']).forNoKeyUpdate().executeTakeFirstOrThrow();

/** What the guardian has now in its place; refuses one that is the same, and the fourth change within a year. */
async function requireChange(ctx: HolderContext, { channel, value }: NewContact): Promise<string> {
  const old = (await lockGuardian(ctx, ctx.holder.id))[columns[channel]];
  if (old.toLowerCase() === value.toLowerCase())
    throw fieldRefusal(columns[channel], text`The school has this one already.`);
  const { changes } = await ctx.db
    .selectFrom('guardian_contact_change')
    .where('guardian_id', '=', ctx.holder.id)
    .where('state', '=', 'Applied')
    .where('made_at', '>', sql<Date>`${ctx.now()}::timestamptz - interval '1 year'`)
    .select((eb) => eb.fn.countAll<string>().as('changes'))
    .executeTakeFirstOrThrow();
  if (Number(changes) >= mostChanges) throw new AppError('conflict', callSchool);
  return old;
}

async function requireFresh(ctx: HolderContext) {
  if (!(await isFreshPhone(ctx, ctx.holder.id))) throw new AppError('confirm_required', proveMessage);
}

/** The answer is the same whatever the number or address: that of a barred adult of the same child gets no code. */
const code: Handler<typeof ownApi.code> = async (ctx, given) => {
  const to = newContact(given as never);
  await requireFresh(ctx);
  await requireChange(ctx, to);
  const guardianId = ctx.holder.id;
  const wait = await countHit(ctx.db, { ...codes, kind: 'family-contact-code' }, String(guardianId));
  if (wait > 0) throw tooMany(wait);
  const { rows } = await sql<{ isBarred: boolean }>`
    select family_contact_is_barred(${guardianId}, ${to.value}) as "isBarred"`.execute(ctx.db);
  const id = await makeCode(ctx, { guardianId, purpose: 'Contact', target: to.value });
  await queueMessage(ctx, {
    channel: to.channel,
    template: 'family.contact-code',
    recipient: rows[0]?.isBarred ? null : to.value,
    subjectId: id,
    isAwaited: true,
  });
  await audit(ctx, { actor: 'Parent', action: 'family.contact.code-sent', entity: 'guardian', entityId: guardianId });
  return {};
};

interface Change extends NewContact {
  guardianId: number;
  old: string;
}

/** Enters the new number or address; links, phones and codes of the earlier one end by trigger. */
export async function enterContact({ db }: Pick<Context, 'db'>, { guardianId, channel, value }: Omit<Change, 'old'>) {
  await db
    .updateTable('guardian')
    .set({ [columns[channel]]: value, version: sql`version + 1` })
    .where('id', '=', guardianId)
    .execute();
}

/** Tells the earlier number or address; of a first one, the other of the guardian. */
export async function tellOld(ctx: Context, changeId: number, { guardianId, channel, old }: Change): Promise<void> {
  const other: Channel = channel === 'sms' ? 'email' : 'sms';
  const guardian = await ctx.db
    .selectFrom('guardian')
    .where('id', '=', guardianId)
    .select(['mobile', 'email'])
    .executeTakeFirstOrThrow();
  const to = old === '' ? { channel: other, recipient: guardian[columns[other]] } : { channel, recipient: old };
  if (to.recipient === '') return;
  // Without the reader: a failure at the earlier number is none of the new one.
  await queueMessage(ctx, { ...to, template: 'family.contact-changed', subjectId: changeId, isAwaited: true });
}

/** Sends the link that works to the new number or address, and with it all that still waits for the guardian. */
export async function sendToNew(ctx: Context, { guardianId, channel, value }: Omit<Change, 'old'>): Promise<void> {
  await tellGuardians(ctx, { kind: 'family.link', urgency: 'Must', carriesLink: true, isForNow: true }, [
    { way: { guardianId, channel, recipient: value }, subjectId: guardianId },
  ]);
  await sql`update outbox set recipient = case when channel = ${channel} then ${value} else recipient end,
      version = case when version is not null then (select version from family_link where guardian_id = ${guardianId}) end
    where reader_id = ${guardianId} and status = 'queued' and template not like 'family.%'
      and (channel = ${channel} or version is not null)`.execute(ctx.db);
}

/** The number or address of another guardian of the same child whom the school may not tell anything. */
export async function refuseBarred(
  { db }: Pick<Context, 'db'>,
  { guardianId, value }: Omit<Change, 'old' | 'channel'>,
) {
  const { rows } = await sql<{ isBarred: boolean }>`
    select family_contact_is_barred(${guardianId}, ${value}) as "isBarred"`.execute(db);
  if (rows[0]?.isBarred)
    throw new AppError(
      'conflict',
      text`An adult whom the school may not tell about this child has this number or address.`,
    );
}

/** A request that waits is out of date once the contact changed. */
export async function endAsked(ctx: ActingContext, guardianId: number): Promise<void> {
  const ended = await ctx.db
    .updateTable('guardian_contact_change')
    .set({ state: 'Stale', version: sql`version + 1` })
    .where('guardian_id', '=', guardianId)
    .where('state', '=', 'Asked')
    .returning('id')
    .executeTakeFirst();
  if (ended) await withdrawApproval(ctx, { kind: contactKind, subjectId: ended.id });
}

const change: Handler<typeof ownApi.change> = async (ctx, { code: typed }) => {
  await requireFresh(ctx);
  const guardianId = ctx.holder.id;
  await withCode(ctx, { purpose: 'Contact', typed }, async (inside, value) => {
    const to: NewContact = { channel: value.includes('@') ? 'email' : 'sms', value };
    const old = await requireChange(inside, to);
    const { id } = await inside.db
      .insertInto('guardian_contact_change')
      .values({
        guardian_id: guardianId,
        channel: to.channel,
        old_value: old,
        new_value: value,
        proof: 'Both codes',
        state: 'Applied',
        made_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await endAsked(inside, guardianId);
    await enterContact(inside, { guardianId, ...to });
    // The phones of the earlier number ended with it; this one typed both codes.
    await keepPhone(inside, guardianId);
    await auditContact(inside, 'family.contact.changed', { guardianId, ...to, old });
    await tellOld(inside, id, { guardianId, ...to, old });
    await sendToNew(inside, { guardianId, ...to });
  });
  return {};
};

export const auditContact = (ctx: Context | UserContext, action: string, { guardianId, value, old }: Change) =>
  audit(ctx, {
    ...(!('user' in ctx && ctx.user) && { actor: 'Parent' }),
    action,
    entity: 'guardian',
    entityId: guardianId,
    details: { Contact: `${old === '' ? '–' : endOf(old)} → ${endOf(value)}` },
  });

const ask: Handler<typeof ownApi.ask> = async (ctx, given) => {
  const to = newContact(given as never);
  const guardianId = ctx.holder.id;
  const old = await requireChange(ctx, to);
  const { paper } = ctx.uploads;
  if (!paper)
    throw fieldRefusal('paper', text`Add a photo of a paper that has your name and the new number or address.`);
  const made = await ctx.db
    .insertInto('guardian_contact_change')
    .values({
      guardian_id: guardianId,
      channel: to.channel,
      old_value: old,
      new_value: to.value,
      proof: 'Paper',
      state: 'Asked',
      made_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw new AppError('conflict', text`The school has not decided about your earlier request.`);
  const paper_id = await saveFile(ctx, contactOwner(made.id), 'paper', paper);
  await ctx.db.updateTable('guardian_contact_change').set({ paper_id }).where('id', '=', made.id).execute();
  await auditContact(ctx, 'family.contact.asked', { guardianId, ...to, old });
  const [child] = await childrenOf(ctx, guardianId, toLocalDate(ctx.now()));
  await requestApproval(ctx, {
    kind: contactKind,
    subjectId: made.id,
    branchId: child?.branchId ?? null,
    studentId: child?.studentId ?? null,
    title: to.channel === 'sms' ? text`New mobile number of a guardian` : text`New email address of a guardian`,
    by: { guardianId },
  });
  return {};
};

const read: Handler<typeof ownApi.read> = async (ctx) => {
  const row = await ctx.db
    .selectFrom('guardian')
    .leftJoin('guardian_contact_change as asked', (join) =>
      join.onRef('asked.guardian_id', '=', 'guardian.id').on('asked.state', '=', 'Asked'),
    )
    .where('guardian.id', '=', ctx.holder.id)
    .select(['guardian.mobile', 'guardian.email', 'asked.new_value'])
    .executeTakeFirstOrThrow();
  return {
    mobile: endOf(row.mobile),
    email: endOf(row.email),
    asked: endOf(row.new_value ?? ''),
    wishes: await wishesOf(ctx, ctx.holder.id),
  };
};

export const contactRoutes = routes(ownApi, { read, wish, code, change, ask });
