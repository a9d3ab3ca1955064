import { sql } from 'kysely';
import { offeredLanguages } from '#features/school/api.ts';
import { visibleStudents } from '#features/student/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Language } from '#kit/contract/languages.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { slip } from '#kit/server/paper/paper.ts';
import { qrCode } from '#kit/server/paper/qr-code.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { linkKeepers } from '../contract/cards.ts';
import { type channels, type LinkOfChild, linkApi } from '../contract/link.ts';
import { mayUndo } from './contact-office.ts';
import { guardians, isReached, stateOf } from './guardians.ts';
import { extendLinks, linkOf } from './link.ts';
import { keepLanguage } from './preference.ts';
import { endOf } from './proof.ts';
import { tellGuardians, type Way, waysOf } from './tell.ts';

export type Channel = (typeof channels)[number];

export const hasNoContact = text`Has no email address and no mobile number.`;

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
    .leftJoin('guardian_preference as preference', 'preference.guardian_id', 'guardian.id')
    .where('bond.student_id', '=', id)
    .select(['guardian.id', 'guardian.name', 'relation.name as relation'])
    .select([
      sql<Language | ''>`coalesce(preference.language, '')`.as('language'),
      sql<number>`coalesce(preference.version, 0)`.as('languageVersion'),
    ])
    .select(['link.sent_at', 'link.expires_at', 'link.opened_last_at', 'link.revoked_reason'])
    .select([
      stateOf(ctx.now()).as('state'),
      sql<boolean>`(guardian.mobile <> '' or guardian.email <> '')`.as('hasContact'),
      sql<{
        count: number;
        usedOn: string;
      }>`(select json_build_object('count', count(*), 'usedOn', coalesce(max(device.used_on)::text, ''))
        from family_device device where device.guardian_id = guardian.id and device.ended_at is null
          and device.expires_at > ${ctx.now()})`.as('phones'),
      sql<{ id: number; day: string } | null>`(select json_build_object('id', change.id, 'day',
          (change.made_at at time zone 'Asia/Kolkata')::date::text)
        from guardian_contact_change change where change.guardian_id = guardian.id and ${mayUndo(ctx.now())}
        order by change.id desc limit 1)`.as('undo'),
      sql<string>`coalesce((select new_value from guardian_contact_change change
        where change.guardian_id = guardian.id and change.state = 'Asked'), '')`.as('asked'),
      sql<LinkOfChild['sees']>`case when bond.is_barred then 'Barred' when guardian.is_deceased then 'Deceased'
        when bond.role = 'Contact' then 'Contact'
        else coalesce((select own.reach from family_children(guardian.id, ${toLocalDate(ctx.now())}) own
          where own.student_id = bond.student_id), 'Not here') end`.as('sees'),
    ])
    .orderBy('bond.is_primary', 'desc')
    .orderBy('bond.contact_order')
    .orderBy('bond.id')
    .execute();
  const offered = await offeredLanguages(ctx);
  return {
    languages: [...offered],
    guardians: rows.map(({ sent_at, expires_at, opened_last_at, revoked_reason, undo, asked, ...row }) => ({
      ...row,
      undoId: undo?.id ?? 0,
      undoDay: undo?.day ?? '',
      asked: endOf(asked),
      language: offered.find((one) => one === row.language) ?? '',
      sentOn: dayOf(sent_at),
      until: dayOf(expires_at),
      openedOn: dayOf(opened_last_at),
      revokedReason: revoked_reason ?? '',
    })),
  };
};

const setReach: Handler<typeof linkApi.setReach> = async (ctx, { id, guardianId, reach }) => {
  await requireChild(ctx, id);
  await ctx.db
    .updateTable('student_guardian')
    .set({ family_page: reach, version: sql`version + 1` })
    .where('student_id', '=', id)
    .where('guardian_id', '=', guardianId)
    .returning('guardian_id')
    .executeTakeFirstOrThrow(notFound);
  const details = { 'Guardian id': guardianId, Sees: reach };
  await audit(ctx, { action: 'family.reach.changed', entity: 'student', entityId: id, details });
  return {};
};

/** Links sent to one guardian within an hour. */
const sendings = { kind: 'family-link', most: 10, windowSeconds: 3600 };

/** The guardian, if the user reaches a child on the page; throws `not_found`. */
async function requireGuardian(ctx: UserContext, id: number) {
  return guardians(ctx)
    .where('guardian.id', '=', id)
    .where(isReached(ctx.user, toLocalDate(ctx.now())))
    .executeTakeFirstOrThrow(notFound);
}

const kind = 'family.link';

/** How these guardians get the link: by the channel that the office chose where they have it, else by the other. */
export async function linkWays(ctx: Pick<Context, 'db' | 'now'>, guardianIds: readonly number[], channel: Channel) {
  const { rows: pairs } = await sql<{ guardianId: number; studentId: number }>`
    select guardian_id as "guardianId", student_id as "studentId" from family_pairs(${toLocalDate(ctx.now())})
    where guardian_id = any(${[...guardianIds]}::integer[])`.execute(ctx.db);
  return waysOf(ctx, { kind, urgency: channel === 'SMS' ? 'Must' : 'Normal' }, pairs);
}

interface Sending {
  way: Way;
  isRenewed?: boolean;
  actor?: string;
  key?: string;
}

export async function sendLink(ctx: Context, { way, isRenewed = false, actor, key }: Sending) {
  const { guardianId: id } = way;
  await tellGuardians(ctx, { kind, urgency: 'Normal', carriesLink: true, isRenewed }, [{ way, subjectId: id, key }]);
  const action = isRenewed ? 'family.link.renewed' : 'family.link.sent';
  await audit(ctx, { ...(actor && { actor }), action, entity: 'guardian', entityId: id });
}

async function requireTurn({ db }: UserContext, id: number) {
  const wait = await countHit(db, sendings, String(id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
}

async function sendOne(ctx: UserContext, id: number, channel: Channel, isRenewed: boolean) {
  await requireGuardian(ctx, id);
  const [way] = (await linkWays(ctx, [id], channel)).get(id)?.ways ?? [];
  if (!way) throw new AppError('conflict', hasNoContact);
  await requireTurn(ctx, id);
  await sendLink(ctx, { way, isRenewed });
  // The office sends a new link where the earlier one is in other hands, which may have proven a phone.
  if (isRenewed) await sql`select end_family_proof(${id})`.execute(ctx.db);
  return {};
}

const send: Handler<typeof linkApi.send> = (ctx, { id, channel }) => sendOne(ctx, id, channel as Channel, false);
const renew: Handler<typeof linkApi.renew> = (ctx, { id, channel }) => sendOne(ctx, id, channel as Channel, true);

/** Gives the link to an employee, who hands it over. */
async function handOver(ctx: UserContext, id: number) {
  const { name } = await requireGuardian(ctx, id);
  await requireTurn(ctx, id);
  const [made] = await extendLinks(ctx, [id]);
  const addresses = made && (await linkOf(ctx, made));
  if (!addresses) throw new AppError('not_found', notFoundMessage);
  await audit(ctx, { action: 'family.link.copied', entity: 'guardian', entityId: id });
  return { ...addresses, name };
}

const copy: Handler<typeof linkApi.copy> = async (ctx, { id }) => {
  const { link, shortLink, until } = await handOver(ctx, id);
  return { link, shortLink, until };
};

const printSlip: Handler<typeof linkApi.slip> = async (ctx, { id }) => {
  // The PDF takes a second, in which the guardian must not stay locked.
  const { name, shortLink, until } = await ctx.db.transaction().execute((db) => handOver({ ...ctx, db }, id));
  const head = await ctx.readPaperHead(ctx);
  const lines = [
    text`Works until ${{ date: showDate(until) }}`,
    ...(head.phone ? [text`Call the school: ${{ phone: head.phone }}`] : []),
  ];
  const data = { head, name, title: text`The school page of your children`, code: qrCode(shortLink), lines };
  return { mediaType: 'application/pdf', name: 'family-link.pdf', bytes: await ctx.makePaper(slip, data, ctx.caller) };
};

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

const setLanguage: Handler<typeof linkApi.setLanguage> = async (ctx, { id, language, version }) => {
  await requireGuardian(ctx, id);
  await keepLanguage(ctx, { guardianId: id, language: language as Language, by: 'School', version });
  return {};
};

const { sendMany: _, ...own } = linkApi;
export const linkRoutes = routes(own, {
  ofStudent,
  setReach,
  send,
  renew,
  copy,
  slip: printSlip,
  revoke,
  setLanguage,
});
