import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Language } from '#kit/contract/languages.ts';
import { english, text } from '#kit/contract/text.ts';
import type { Context, HolderContext } from '#kit/server/context.ts';
import { keepingPlans } from '#kit/server/database/database.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessages } from '#kit/server/messages/outbox.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit, networkOf } from '#kit/server/security/limits.ts';
import { familyApi, renewalAnswer } from '../contract/family.ts';
import { childrenOf } from './children.ts';
import { extendPhone } from './device.ts';
import { extendLinks, hashOf } from './link.ts';
import { type FamilyReader, familyReader } from './part.ts';
import { keepLanguage } from './preference.ts';
import { proofOf, wayOfCode } from './proof.ts';

/** Openings of the page by one link within an hour: far more than a family needs. */
const reads = { kind: 'family-page', most: 240, windowSeconds: 3600 };

const read: Handler<typeof familyApi.read> = async (ctx) => {
  const guardianId = ctx.holder.id;
  const wait = await countHit(ctx.db, reads, String(guardianId));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  return keepingPlans(ctx.db, (db) => readPage({ ...ctx, db }));
};

async function readPage(ctx: HolderContext) {
  const { id: guardianId, isProven = false } = ctx.holder;
  const day = toLocalDate(ctx.now());
  const [children, way, link] = await Promise.all([
    childrenOf(ctx, guardianId, day),
    wayOfCode(ctx, guardianId),
    ctx.db
      .selectFrom('guardian')
      .leftJoin('family_link', 'family_link.guardian_id', 'guardian.id')
      .where('guardian.id', '=', guardianId)
      .select(['guardian.name', 'expires_at'])
      .select(sql<Language | ''>`guardian_language(guardian.id)`.as('language'))
      .executeTakeFirst(),
  ]);
  // The last child may have left since the link was looked up.
  if (!link || children.length === 0) throw new AppError('not_found', notFoundMessage);
  return {
    guardian: link.name,
    language: link.language,
    day,
    at: ctx.now().toISOString(),
    until: ctx.link && link.expires_at ? toLocalDate(link.expires_at) : '',
    proof: proofOf(way, isProven),
    children: children.map(({ studentId, name, section, reach }) => ({ id: studentId, name, section, reach })),
    parts: await readParts(ctx, familyReader({ guardianId, day, children })),
  };
}

/** What the features show, without what their schemas do not name. */
async function readParts(ctx: Context, family: FamilyReader) {
  const read = await Promise.all(
    ctx.familyParts.map(async (part) => [part.key, part.output.parse(await part.read(ctx, family as never))] as const),
  );
  return Object.fromEntries(read);
}

/** The openings of one link that count: another within half an hour is the same visit. */
const visits = { kind: 'family-visit', most: 1, windowSeconds: 1800 };

const opened: Handler<typeof familyApi.opened> = async (ctx) => {
  const guardianId = ctx.holder.id;
  await extendPhone(ctx, guardianId);
  if ((await countHit(ctx.db, visits, String(guardianId))) > 0) return {};
  await sql`
    with counted as (
      insert into family_opening (guardian_id, day, times) values (${guardianId}, ${toLocalDate(ctx.now())}, 1)
      on conflict (guardian_id, day) do update set times = least(family_opening.times + 1, 48))
    update family_link set opened_first_at = coalesce(opened_first_at, ${ctx.now()}), opened_last_at = ${ctx.now()}
    where guardian_id = ${guardianId}`.execute(ctx.db);
  return {};
};

/** Renewals of one guardian within a day, and of one network within an hour. */
const renewals = { kind: 'family-renewal', most: 3, windowSeconds: 24 * 3600 };
const renewalsOfNetwork = { kind: 'family-renewal-network', most: 20, windowSeconds: 3600 };

/** Sends only for a link that has expired. Statements and answer are the same for every value. */
const renewal: Handler<typeof familyApi.renewal> = async (ctx, { value }) => {
  const wait = await countHit(ctx.db, renewalsOfNetwork, networkOf(ctx.address));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  const { rows } = await sql<{ id: number; channel: 'email' | 'sms'; recipient: string }>`
    select guardian.id, case when mobile = '' then 'email' else 'sms' end as channel,
      coalesce(nullif(mobile, ''), nullif(email, '')) as recipient
    from family_link link join guardian on guardian.id = link.guardian_id
    where link.link_hash = ${hashOf(value.trim())} and link.revoked_at is null and link.expires_at <= ${ctx.now()}
      and exists (select from family_children(guardian.id, ${toLocalDate(ctx.now())}))
      and (mobile <> '' or email <> '')`.execute(ctx.db);
  const [found] = rows;
  const isOver = (await countHit(ctx.db, renewals, String(found?.id ?? 0))) > 0;
  const [link] = await extendLinks(ctx, found && !isOver ? [found.id] : [], true);
  await queueMessages(ctx, [
    {
      channel: found?.channel ?? 'sms',
      template: 'family.link',
      recipient: link && found ? found.recipient : null,
      subjectId: link?.guardianId ?? 0,
      version: link?.version ?? 0,
      ...(link && { readerId: link.guardianId }),
      isAwaited: true,
    },
  ]);
  if (link)
    await audit(ctx, { actor: 'Parent', action: 'family.link.renewed', entity: 'guardian', entityId: link.guardianId });
  return { message: english(renewalAnswer) };
};

/** Choices of one guardian within an hour. */
const choices = { kind: 'family-language', most: 60, windowSeconds: 3600 };

const preference: Handler<typeof familyApi.preference> = async (ctx, { language }) => {
  const wait = await countHit(ctx.db, choices, String(ctx.holder.id));
  if (wait > 0) throw new AppError('too_many_tries', text`Too many attempts. Try again later.`, { retryAfter: wait });
  await keepLanguage(ctx, { guardianId: ctx.holder.id, language, by: 'Guardian' });
  return {};
};

interface Reader {
  id: number;
  child: string;
  relation: string;
  reach: 'All' | 'School matters';
  getsMessages: boolean;
}

/** Barred adults see nothing, so they are not among them. */
const readers: Handler<typeof familyApi.readers> = async (ctx) => {
  const day = toLocalDate(ctx.now());
  const { rows } = await sql<Reader>`
    select bond.id, student.first_name as child, relation.name as relation, other.reach, bond.receives_messages as "getsMessages"
    from family_children(${ctx.holder.id}, ${day}) own
    join student on student.id = own.student_id
    join student_guardian bond on bond.student_id = own.student_id and bond.guardian_id <> ${ctx.holder.id}
    join academic_lookup relation on relation.id = bond.relation_id
    cross join lateral (select reach from family_children(bond.guardian_id, ${day}) child
      where child.student_id = own.student_id) as other
    where own.reach = 'All'
    order by student.birth_date, student.id, bond.is_primary desc, bond.contact_order, bond.id`.execute(ctx.db);
  return rows;
};

const own = {
  read: familyApi.read,
  readers: familyApi.readers,
  opened: familyApi.opened,
  preference: familyApi.preference,
  renewal: familyApi.renewal,
};
export const familyRoutes = routes(own, { read, readers, opened, preference, renewal });
