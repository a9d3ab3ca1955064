import { sql } from 'kysely';
import { readSchoolName } from '#features/school/api.ts';
import { codeOf, exampleCode, isCode, newSalt } from '#features/sign-in/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, HolderContext, Services } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessages, type Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit, networkOf } from '#kit/server/security/limits.ts';
import { type FamilyPageData, familyApi } from '../contract/family.ts';
import { deviceCookie, endPhones, hashesOf, keepPhone } from './device.ts';

/** Minutes a code can be used: a text message may take some of them. */
const codeMinutes = 10;
const mostTries = 5;

const wrongCode = text`This code is not right. Check it, or ask for another one.`;
export const tooMany = (wait: number) =>
  new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });

interface Way {
  channel: 'sms' | 'email';
  recipient: string;
}

/** Where a code for the guardian goes: to the number, else to the address. An adult who is barred from a child may have neither. */
export async function wayOfCode({ db }: Pick<Context, 'db'>, guardianId: number): Promise<Way | undefined> {
  const { rows } = await sql<Way>`
    select case when mobile <> '' then 'sms' else 'email' end as channel, coalesce(nullif(mobile, ''), email) as recipient
    from guardian where id = ${guardianId} and (mobile <> '' or email <> '')
      and not family_contact_is_barred(id, coalesce(nullif(mobile, ''), email))`.execute(db);
  return rows[0];
}

/** The end of a number, or an address without most of its letters; '' without one. */
export function endOf(contact: string): string {
  const [name = '', host] = contact.split('@');
  return host === undefined ? contact.slice(-2) : `${name.slice(0, 1)}…@${host}`;
}

/** How the page names where a code goes, without telling a reader of the link the whole of it. */
export function proofOf(way: Way | undefined, isProven: boolean): FamilyPageData['proof'] {
  if (!way) return { isProven, way: 'None', to: '' };
  return { isProven, way: way.channel === 'sms' ? 'SMS' : 'Email', to: endOf(way.recipient) };
}

/** Codes of one guardian within an hour. */
export const codes = { kind: 'family-code', most: 3, windowSeconds: 3600 };

const code: Handler<typeof familyApi.code> = async (ctx) => {
  const guardianId = ctx.holder.id;
  const way = await wayOfCode(ctx, guardianId);
  if (!way)
    throw new AppError(
      'conflict',
      text`The school has no number or address of you to which a code can be sent. Call the school.`,
    );
  const wait = await countHit(ctx.db, codes, String(guardianId));
  if (wait > 0) throw tooMany(wait);
  const id = await makeCode(ctx, { guardianId, purpose: 'Prove', target: way.recipient });
  await queueMessages(ctx, [{ ...way, template: 'family.code', subjectId: id, readerId: guardianId, isAwaited: true }]);
  await audit(ctx, { actor: 'Parent', action: 'family.code-sent', entity: 'guardian', entityId: guardianId });
  return {};
};

type Purpose = 'Prove' | 'Contact';

interface NewCode {
  guardianId: number;
  purpose: Purpose;
  target: string;
}

/** Makes a code, which takes the place of an earlier one, and returns its id. */
export async function makeCode({ db, now }: Context, { guardianId, purpose, target }: NewCode): Promise<number> {
  await db.deleteFrom('family_code').where('guardian_id', '=', guardianId).where('purpose', '=', purpose).execute();
  const { id } = await db
    .insertInto('family_code')
    .values({
      guardian_id: guardianId,
      purpose,
      target,
      salt: newSalt(),
      expires_at: sql<Date>`${now()}::timestamptz + make_interval(mins => ${codeMinutes})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Tries of one guardian, and of one network, within an hour: far more than those who mistype need. */
const tries = { kind: 'family-prove', most: 30, windowSeconds: 3600 };
const triesOfNetwork = { kind: 'family-prove-network', most: 240, windowSeconds: 3600 };

/**
 * Acts in a transaction on the code that the guardian typed; refuses a wrong one. Each try counts before it is compared, so
 * that several at once are limited too.
 */
export async function withCode(
  ctx: HolderContext,
  { purpose, typed }: { purpose: Purpose; typed: string },
  act: (ctx: HolderContext, target: string) => Promise<void>,
): Promise<void> {
  const guardianId = ctx.holder.id;
  const waits = [
    await countHit(ctx.db, triesOfNetwork, networkOf(ctx.address)),
    await countHit(ctx.db, tries, String(guardianId)),
  ];
  const wait = Math.max(...waits);
  if (wait > 0) throw tooMany(wait);
  const open = await ctx.db
    .updateTable('family_code')
    .set({ tries: sql`tries + 1` })
    .where('guardian_id', '=', guardianId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', ctx.now())
    .where('tries', '<', mostTries)
    // An adult who reads these messages too may have been barred since it was sent.
    .where(sql<boolean>`not family_contact_is_barred(guardian_id, target)`)
    .returning(['id', 'salt', 'target'])
    .executeTakeFirst();
  if (!open) throw fieldRefusal('code', wrongCode);
  if (!isCode(ctx, open, typed)) {
    await audit(ctx, {
      actor: 'Parent',
      action: 'family.code-refused',
      entity: 'guardian',
      entityId: guardianId,
      result: 'refused',
    });
    throw fieldRefusal('code', wrongCode);
  }
  await ctx.db.transaction().execute(async (db) => {
    // Before the code, as every change of a guardian locks them.
    await db.selectFrom('guardian').where('id', '=', guardianId).select('id').forNoKeyUpdate().execute();
    // Of two phones that send one code at once, the first takes it.
    const taken = await db.deleteFrom('family_code').where('id', '=', open.id).returning('id').executeTakeFirst();
    if (!taken) throw fieldRefusal('code', wrongCode);
    await act({ ...ctx, db }, open.target);
  });
}

const prove: Handler<typeof familyApi.prove> = async (ctx, { code: typed }) => {
  const guardianId = ctx.holder.id;
  await withCode(ctx, { purpose: 'Prove', typed }, async (inside) => {
    await keepPhone(inside, guardianId);
    await audit(inside, {
      actor: 'Parent',
      action: 'family.phone-proven',
      entity: 'guardian',
      entityId: guardianId,
    });
  });
  return {};
};

const signOut: Handler<typeof familyApi.signOut> = async (ctx, { others }) => {
  await endPhones(ctx, ctx.holder.id, others ? 'others' : 'this');
  await audit(ctx, {
    actor: 'Parent',
    action: 'family.phone-signed-out',
    entity: 'guardian',
    entityId: ctx.holder.id,
    details: { Phones: others ? 'All others' : 'This one' },
  });
  return {};
};

const readings = { kind: 'family-phone', most: 240, windowSeconds: 3600 };

const phone: Handler<typeof familyApi.phone> = async (ctx) => {
  const cookie = ctx.http.cookie(deviceCookie);
  if (cookie === '') return [];
  const wait = await countHit(ctx.db, readings, networkOf(ctx.address));
  if (wait > 0) throw tooMany(wait);
  const { rows } = await sql<{ id: number; name: string }>`
    select distinct guardian.id, guardian.name
    from family_device device join guardian on guardian.id = device.guardian_id
    where device.token_hash = any(${hashesOf(cookie)}::bytea[]) and device.ended_at is null and device.expires_at > ${ctx.now()}
      and exists (select from family_children(guardian.id, ${toLocalDate(ctx.now())}))
    order by guardian.name, guardian.id`.execute(ctx.db);
  return rows;
};

const { code: codeEndpoint, prove: proveEndpoint, signOut: signOutEndpoint, phone: phoneEndpoint } = familyApi;
export const proofRoutes = routes(
  { code: codeEndpoint, prove: proveEndpoint, signOut: signOutEndpoint, phone: phoneEndpoint },
  { code, prove, signOut, phone },
);

export const codeWords = (typed: string, school: string): Rendered => ({
  subject: text`${{ code: typed }} is your code for the page of ${{ school }}`,
  paragraphs: [
    text`${{ code: typed }} is your code for the page of ${{ school }}. Use it once, within ${{ minutes: codeMinutes }} minutes. The school never asks for it.`,
  ],
});

/** Nothing is sent once the code was used, replaced, or the number changed. */
export const codeMessage: Template = {
  isFor: async ({ db }, { subjectId, recipient }) =>
    (await db
      .selectFrom('family_code')
      .where('id', '=', subjectId)
      .where('target', '=', recipient)
      .select('id')
      .executeTakeFirst()) !== undefined,
  render: async (services, id) => {
    const found = await openCode(services, id);
    return found && codeWords(found.code, await readSchoolName(services));
  },
};

/** A code that can be used; undefined otherwise. */
export async function openCode(
  services: Services,
  id: number,
): Promise<{ code: string; guardianId: number } | undefined> {
  const row = await services.db
    .selectFrom('family_code')
    .where('id', '=', id)
    .where('expires_at', '>', services.now())
    .select(['id', 'salt', 'guardian_id'])
    .executeTakeFirst();
  return row && { code: codeOf(services, row), guardianId: row.guardian_id };
}

export const codeText: TextMessage = {
  when: text`When a guardian proves the phone on which the family page is open.`,
  example: ({ name }) => codeWords(exampleCode, name),
};
