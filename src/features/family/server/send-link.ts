import { sql } from 'kysely';
import { visibleStudents } from '#features/student/api.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type RunAct, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type channels, type LinkOfChild, linkApi, linkKeepers } from '../contract/link.ts';
import { addressOf, guardians, isReached, stateOf } from './guardians.ts';
import { extendLinks } from './link.ts';
import { guardiansSelected } from './link-list.ts';

type Channel = (typeof channels)[number];

const hasNoContact = text`Has no email address and no mobile number.`;
const isSentToday = text`The link was sent today.`;
const seesNothing = text`Sees no child on the family page today.`;

const dayOf = (moment: Date | null) => (moment ? toLocalDate(moment) : '');

async function requireChild(ctx: UserContext, id: number) {
  const [seen] = await visibleStudents(ctx, [id], linkKeepers);
  if (seen === undefined) throw new AppError('not_found', notFoundMessage);
}

const ofStudent: Handler<typeof linkApi.ofStudent> = async (ctx, { id }) => {
  await requireChild(ctx, id);
  const rows = await ctx.db
    .selectFrom('student_guardian as bond')
    .innerJoin('guardian', 'guardian.id', 'bond.guardian_id')
    .innerJoin('academic_lookup as relation', 'relation.id', 'bond.relation_id')
    .leftJoin('family_link as link', 'link.guardian_id', 'guardian.id')
    .where('bond.student_id', '=', id)
    .select(['guardian.id', 'guardian.name', 'relation.name as relation'])
    .select(['link.sent_at', 'link.expires_at', 'link.opened_last_at', 'link.revoked_reason'])
    .select([
      stateOf(ctx.now()).as('state'),
      sql<boolean>`(guardian.mobile <> '' or guardian.email <> '')`.as('hasContact'),
      sql<LinkOfChild['sees']>`case when bond.is_barred then 'Barred' when guardian.is_deceased then 'Deceased'
        when bond.role = 'Contact' then 'Contact'
        else coalesce((select own.reach from family_children(guardian.id, ${toLocalDate(ctx.now())}) own
          where own.student_id = bond.student_id), 'Not here') end`.as('sees'),
    ])
    .orderBy('bond.is_primary', 'desc')
    .orderBy('bond.contact_order')
    .orderBy('bond.id')
    .execute();
  return {
    guardians: rows.map(({ sent_at, expires_at, opened_last_at, revoked_reason, ...row }) => ({
      ...row,
      sentOn: dayOf(sent_at),
      until: dayOf(expires_at),
      openedOn: dayOf(opened_last_at),
      revokedReason: revoked_reason ?? '',
    })),
  };
};

const setReach: Handler<typeof linkApi.setReach> = async (ctx, { id, guardianId, reach }) => {
  await requireChild(ctx, id);
  const row = await ctx.db
    .updateTable('student_guardian')
    .set({ family_page: reach, version: sql`version + 1` })
    .where('student_id', '=', id)
    .where('guardian_id', '=', guardianId)
    .returning('guardian_id')
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  const details = { 'Guardian id': guardianId, Sees: reach };
  await audit(ctx, { action: 'family.reach.changed', entity: 'student', entityId: id, details });
  return {};
};

/** Links sent to one guardian within an hour. */
const sendings = { kind: 'family-link', most: 10, windowSeconds: 3600 };

/** The guardian, if the user reaches a child on the page; throws `not_found`. */
async function requireGuardian(ctx: UserContext, id: number) {
  const row = await guardians(ctx)
    .where('guardian.id', '=', id)
    .where(isReached(ctx.user, toLocalDate(ctx.now())))
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', notFoundMessage);
  return row;
}

interface Sending {
  id: number;
  address: NonNullable<ReturnType<typeof addressOf>>;
  isRenewed?: boolean;
  actor?: string;
  key?: string;
}

async function sendLink(ctx: Context, { id, address, isRenewed = false, actor, key }: Sending) {
  const [link] = await extendLinks(ctx, [id], isRenewed);
  if (!link) throw new AppError('not_found', notFoundMessage);
  await queueMessage(ctx, {
    ...address,
    template: 'family.link',
    subjectId: id,
    version: link.version,
    keepsQuiet: true,
    ...(key && { dedupeKey: key }),
  });
  const action = isRenewed ? 'family.link.renewed' : 'family.link.sent';
  await audit(ctx, { ...(actor && { actor }), action, entity: 'guardian', entityId: id });
}

async function sendOne(ctx: UserContext, id: number, channel: Channel, isRenewed: boolean) {
  const address = addressOf(await requireGuardian(ctx, id), channel);
  if (!address) throw new AppError('conflict', hasNoContact);
  const wait = await countHit(ctx.db, sendings, String(id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  await sendLink(ctx, { id, address, isRenewed });
  return {};
}

const send: Handler<typeof linkApi.send> = (ctx, { id, channel }) => sendOne(ctx, id, channel as Channel, false);
const renew: Handler<typeof linkApi.renew> = (ctx, { id, channel }) => sendOne(ctx, id, channel as Channel, true);

const revoke: Handler<typeof linkApi.revoke> = async (ctx, { id, reason }) => {
  await requireGuardian(ctx, id);
  const { numUpdatedRows } = await ctx.db
    .updateTable('family_link')
    .set({ revoked_at: ctx.now(), revoked_reason: reason })
    .where('guardian_id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new AppError('conflict', text`This guardian has no link that works.`);
  await audit(ctx, { action: 'family.link.revoked', entity: 'guardian', entityId: id, details: { Reason: reason } });
  return {};
};

interface Receiver {
  mobile: string;
  email: string;
  sent_at: Date | null;
}

/** Why a guardian gets no link by a run; undefined where one is sent. */
function whyNot(row: Receiver, now: Date): Text | undefined {
  if (!row.mobile && !row.email) return hasNoContact;
  return row.sent_at && toLocalDate(row.sent_at) === toLocalDate(now) ? isSentToday : undefined;
}

const sendMany: Handler<typeof linkApi.sendMany> = (ctx, { selection, channel, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const ids = await guardiansSelected(ctx, selection);
    // Of two starts at once the second finds the links of the first.
    if (!isPreview) await sql`select pg_advisory_xact_lock(hashtext('family.send'))`.execute(ctx.db);
    const { last } = await ctx.db
      .selectFrom('run')
      .where('kind', '=', 'family.send')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    const rows = await guardians(ctx)
      .where('guardian.id', '=', sql<number>`any(${ids}::integer[])`)
      .orderBy('guardian.id')
      .execute();
    const decided = rows.map((row) => ({ id: row.id, name: row.name, reason: whyNot(row, ctx.now()) }));
    const sent = decided.filter(({ reason }) => !reason);
    const skipped = decided.flatMap(({ id, name, reason }) => (reason ? [{ id, name, reason }] : []));
    const runId =
      isPreview || sent.length === 0
        ? null
        : await startRun(ctx, {
            kind: 'family.send',
            input: { channel },
            rows: sent,
            told: { title: text`Send family links`, path: '/school-erp/family/link-list' },
            access: linkKeepers,
            waitSeconds: undoSeconds,
          });
    return {
      answer: {
        changed: sent.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
      },
      // A token counts once: the next run of the kind has another.
      basis: [selection, channel, last, decided.map(({ id, reason }) => [id, reason?.id])],
      isRefused: sent.length === 0,
    };
  });

/** The guardian as of now: a child may have left, or the person who started it may reach the branch no more. */
const sendInRun: RunAct = async (ctx, id, { channel }: { channel: Channel }) => {
  const { starter } = ctx;
  const row = await guardians(ctx)
    .where('guardian.id', '=', id)
    .$if(starter !== undefined, (query) => (starter ? query.where(isReached(starter, toLocalDate(ctx.now()))) : query))
    .executeTakeFirst();
  if (!row) return seesNothing;
  const reason = whyNot(row, ctx.now());
  const address = addressOf(row, channel);
  if (reason || !address) return reason ?? hasNoContact;
  await sendLink(ctx, { id, address, actor: ctx.actor, key: `family.send ${ctx.run} ${id}` });
  return undefined;
};

export const linkRuns = { 'family.send': sendInRun };
export const linkRoutes = routes(linkApi, { ofStudent, setReach, send, renew, revoke, sendMany });
