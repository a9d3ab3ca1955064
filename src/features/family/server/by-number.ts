import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { english, text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { queueMessages } from '#kit/server/messages/outbox.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { addHits, countHit, networkOf } from '#kit/server/security/limits.ts';
import { readSetting } from '#kit/server/settings.ts';
import { byNumberAnswer, familyApi } from '../contract/family.ts';
import { extendLinks } from './link.ts';
import { linkByNumber } from './settings.ts';

/** Askings for one number within a day and of one network within an hour; links to all numbers within an hour. */
const ofNumber = { kind: 'family-number', most: 2, windowSeconds: 24 * 3600 };
const ofNetwork = { kind: 'family-number-network', most: 20, windowSeconds: 3600 };
const ofAll = { kind: 'family-number-all', most: 60, windowSeconds: 3600 };

/**
 * The guardians of a number who see a child today. A link that the office revoked is sent by the office alone, and a number
 * that an adult who is barred from the same child has too gets none.
 */
async function guardiansOf({ db, now }: Context, mobile: string, isOver: boolean) {
  const { rows } = await sql<{ id: number; isOld: boolean; version: number | null }>`
    select guardian.id, coalesce(link.expires_at <= ${now()}, false) as "isOld",
      case when link.expires_at > ${now()} then link.version end as version
    from guardian left join family_link link on link.guardian_id = guardian.id
    where guardian.mobile = ${mobile} and not ${isOver}::boolean and link.revoked_at is null
      and exists (select from family_children(guardian.id, ${toLocalDate(now())}))
      and not family_contact_is_barred(guardian.id, ${mobile})
    order by guardian.id limit 4`.execute(db);
  return rows;
}

/** Statements and answer are the same for every number. */
const byNumber: Handler<typeof familyApi.byNumber> = async (ctx, { mobile }) => {
  if (!(await readSetting(ctx, linkByNumber))) throw new AppError('conflict', text`Call the school for a new link.`);
  const ofNow = await countHit(ctx.db, ofNetwork, networkOf(ctx.address));
  const sent = await addHits(ctx.db, ofAll, '', 0);
  const retryAfter = Math.max(ofNow, sent.hits >= ofAll.most ? sent.wait : 0);
  if (retryAfter > 0)
    throw new AppError('too_many_tries', text`Too many attempts. Call the school for a new link.`, { retryAfter });
  const subject = createHash('sha256').update(mobile).digest('hex');
  const isOver = (await countHit(ctx.db, ofNumber, subject)) > 0;
  const found = await guardiansOf(ctx, mobile, isOver);
  const idsOf = (isOld: boolean) =>
    found.flatMap((one) => (one.version === null && one.isOld === isOld ? [one.id] : []));
  // One that works is sent again and expires when it did: a stranger who types the number changes nothing.
  const working = found.flatMap(({ id, version }) => (version === null ? [] : [{ guardianId: id, version }]));
  // An expired one is replaced.
  const made = [...(await extendLinks(ctx, idsOf(false))), ...(await extendLinks(ctx, idsOf(true), true))];
  const links = [...working, ...made];
  await addHits(ctx.db, ofAll, '', links.length);
  const [first, ...others] = links.map(({ guardianId, version }) => ({
    recipient: mobile,
    subjectId: guardianId,
    version,
    readerId: guardianId,
  }));
  const message = { channel: 'sms', template: 'family.link', isAwaited: true } as const;
  const none = { recipient: null, subjectId: 0, version: 0 };
  await queueMessages(
    ctx,
    [first ?? none, ...others].map((one) => ({ ...message, ...one })),
  );
  await auditAll(
    ctx,
    links.map(({ guardianId }) => ({
      actor: 'Parent',
      action: 'family.link.by-number',
      entity: 'guardian',
      entityId: guardianId,
    })),
  );
  return { message: english(byNumberAnswer) };
};

export const byNumberRoutes = routes({ byNumber: familyApi.byNumber }, { byNumber });
