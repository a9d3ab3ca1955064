import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { closedSpans } from '#features/calendar/api.ts';
import { readSchoolName } from '#features/school/api.ts';
import { text } from '#kit/contract/text.ts';
import { type CalendarEntry, calendarFile } from '#kit/server/calendar-file.ts';
import type { FamilyDate, FindLinkHolder, HolderContext } from '#kit/server/context.ts';
import { keepingPlans } from '#kit/server/database/database.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { say } from '#kit/server/language/say.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { linkHash } from '#kit/server/security/link-value.ts';
import { behindFeed, feedApi } from '../contract/feed.ts';
import { childrenOf, type FamilyChild } from './children.ts';
import { requireProven } from './device.ts';
import { hashOf } from './link.ts';
import { familyReader } from './part.ts';
import { languageOfReader } from './preference.ts';
import { tooMany } from './proof.ts';

/** How many past days the calendar keeps, and how many it looks ahead. */
const [behind, ahead] = [31, 366];
const mostEntries = 400;

/** Readings of one address within an hour: a phone, a tablet and a calendar on the web read it every few minutes at most. */
const readings = { kind: 'family-feed', most: 60, windowSeconds: 3600 };
/** Addresses of one guardian within a day. */
const makings = { kind: 'family-feed-made', most: 20, windowSeconds: 24 * 3600 };

/** The guardian of an address that works, with a child here today. One and the same query for every value that opens nothing. */
export const findFeedHolder: FindLinkHolder = async ({ db, now }, value) => {
  const { rows } = await sql<{ id: number }>`
    select feed.guardian_id as id from family_feed feed where feed.value_hash = ${hashOf(value)}
      and exists (select from family_children(feed.guardian_id, ${toLocalDate(now())}))`.execute(db);
  return rows[0];
};

const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first letter of each child, by age; of two with the same one the letter and a number. */
export function signsOf(children: readonly Pick<FamilyChild, 'studentId' | 'name'>[]): Map<number, string> {
  const letters = children.map(({ name }) => [...signs.segment(name)][0]?.segment.toUpperCase() ?? '');
  return new Map(
    children.map(({ studentId }, place) => {
      const letter = letters[place] ?? '';
      const isAlone = letters.filter((other) => other === letter).length === 1;
      const number = letters.slice(0, place + 1).filter((other) => other === letter).length;
      return [studentId, isAlone ? letter : `${letter}${number}`];
    }),
  );
}

interface Span {
  from: string;
  to: string;
}

/** The holidays and vacations of the children's grades. */
async function closedDates(
  ctx: HolderContext,
  children: readonly FamilyChild[],
  span: Span & { day: string },
): Promise<FamilyDate[]> {
  const gradeIds = [...new Set(children.map(({ gradeId }) => gradeId))];
  const spans = await closedSpans(ctx, { gradeIds, ...span });
  return spans.map(({ name, from, to, gradeIds: closed }) => ({
    key: `closed-${from}-${Math.min(...closed)}`,
    of:
      closed.length === gradeIds.length
        ? []
        : children.filter(({ gradeId }) => closed.includes(gradeId)).map(({ studentId }) => studentId),
    words: text`No school: ${{ name }}`,
    when: { from, to },
  }));
}

const startOf = ({ when }: Pick<FamilyDate, 'when'>) => ('from' in when ? when.from : when.starts.toISOString());

/** So many of them as a calendar gets: what comes before what has passed, the nearest first. */
function nearest(dates: readonly FamilyDate[], today: string): FamilyDate[] {
  const inOrder = dates.toSorted((one, other) => startOf(one).localeCompare(startOf(other)));
  const coming = inOrder.filter((date) => startOf(date) >= today);
  const passed = inOrder.filter((date) => startOf(date) < today);
  return [...coming, ...passed.reverse()].slice(0, mostEntries);
}

async function readEntries(ctx: HolderContext): Promise<CalendarEntry[]> {
  const guardianId = ctx.holder.id;
  const day = toLocalDate(ctx.now());
  const children = await childrenOf(ctx, guardianId, day);
  // The last child may have left since the address was looked up.
  if (children.length === 0) throw notFound();
  const span = { from: addDays(day, -behind), to: addDays(day, ahead) };
  const family = familyReader({ guardianId, day, children });
  const read = await Promise.all([
    closedDates(ctx, children, { ...span, day }),
    ...ctx.familyParts.map(({ dates }) => dates?.(ctx, family as never, span) ?? []),
  ]);
  const saying = say(await languageOfReader(ctx, guardianId));
  const signOf = signsOf(children);
  return nearest(read.flat(), day).map(({ of, words, ...entry }) => {
    const whose = of.flatMap((id) => signOf.get(id) ?? []).join(', ');
    return { ...entry, title: whose ? `${whose}: ${saying(words)}` : saying(words) };
  });
}

const file: Handler<typeof feedApi.file> = async (ctx) => {
  const wait = await countHit(ctx.db, readings, String(ctx.holder.id));
  if (wait > 0) throw tooMany(wait);
  const entries = await keepingPlans(ctx.db, (db) => readEntries({ ...ctx, db }));
  const written = calendarFile({
    name: await readSchoolName(ctx),
    host: new URL(ctx.publicUrl).host,
    now: ctx.now(),
    entries,
  });
  return { mediaType: 'text/calendar; charset=utf-8', name: 'calendar.ics', bytes: Buffer.from(written) };
};

const read: Handler<typeof feedApi.read> = async (ctx) => {
  const guardianId = ctx.holder.id;
  const children = await childrenOf(ctx, guardianId, toLocalDate(ctx.now()));
  const feed = await ctx.db
    .selectFrom('family_feed')
    .where('guardian_id', '=', guardianId)
    .select('made_at')
    .executeTakeFirst();
  const signOf = signsOf(children);
  return {
    since: feed ? toLocalDate(feed.made_at) : '',
    signs: children.map(({ studentId, name }) => ({ id: studentId, sign: signOf.get(studentId) ?? '', child: name })),
  };
};

const make: Handler<typeof feedApi.make> = async (ctx) => {
  const guardianId = ctx.holder.id;
  const wait = await countHit(ctx.db, makings, String(guardianId));
  if (wait > 0) throw tooMany(wait);
  // As every change of a guardian locks them first; what ends an address does too.
  await ctx.db.selectFrom('guardian').where('id', '=', guardianId).select('id').forNoKeyUpdate().execute();
  await requireProven(ctx, guardianId);
  const value = randomBytes(16).toString('hex');
  const made = { value_hash: linkHash(value), made_at: ctx.now() };
  await ctx.db
    .insertInto('family_feed')
    .values({ guardian_id: guardianId, ...made })
    .onConflict((conflict) => conflict.column('guardian_id').doUpdateSet(made))
    .execute();
  await audit(ctx, { actor: 'Parent', action: 'family.feed.made', entity: 'guardian', entityId: guardianId });
  return { address: `${ctx.publicUrl}/api${feedApi.file.path}?${behindFeed.link}=${value}` };
};

const end: Handler<typeof feedApi.end> = async (ctx) => {
  const guardianId = ctx.holder.id;
  const { numDeletedRows } = await ctx.db
    .deleteFrom('family_feed')
    .where('guardian_id', '=', guardianId)
    .executeTakeFirst();
  if (numDeletedRows > 0n)
    await audit(ctx, { actor: 'Parent', action: 'family.feed.ended', entity: 'guardian', entityId: guardianId });
  return {};
};

export const feedRoutes = routes(feedApi, { read, make, end, file });
