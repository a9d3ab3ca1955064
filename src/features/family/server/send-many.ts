import { sql } from 'kysely';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type RunAct, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { linkKeepers } from '../contract/cards.ts';
import { linkApi } from '../contract/link.ts';
import { addressOf, guardians, isReached } from './guardians.ts';
import { guardiansSelected } from './link-list.ts';
import { type Channel, hasNoContact, sendLink } from './send-link.ts';

const isSentToday = text`The link was sent today.`;
const seesNothing = text`Sees no child on the family page today.`;
const sameAddress = (name: string) => text`Same number or address as ${{ name }}, who sees these children too.`;

type Receiver = Awaited<ReturnType<ReturnType<typeof guardians>['executeTakeFirstOrThrow']>>;

/** Why a guardian gets no link by a run; undefined where one is sent. */
function whyNot(row: Receiver, now: Date): Text | undefined {
  if (!row.mobile && !row.email) return hasNoContact;
  return row.sent_at && toLocalDate(row.sent_at) === toLocalDate(now) ? isSentToday : undefined;
}

interface Seen {
  guardianId: number;
  /** What the guardian sees: each child, and a second time with fees and bus. */
  sees: string[];
  /** The place among the contacts of the child that comes first. */
  place: number;
}

async function readSeen({ db, now }: UserContext, ids: readonly number[]): Promise<Map<number, Seen>> {
  const { rows } = await sql<Seen>`
    select pair.guardian_id as "guardianId",
      array_agg(pair.student_id::text) || coalesce(array_agg(pair.student_id || ' all') filter (where pair.reach = 'All'), '{}') as sees,
      min(case when bond.is_primary then 0 else bond.contact_order end)::integer as place
    from family_pairs(${toLocalDate(now())}) pair
    join student_guardian bond on bond.guardian_id = pair.guardian_id and bond.student_id = pair.student_id
    where pair.guardian_id = any(${[...ids]}::integer[]) group by pair.guardian_id`.execute(db);
  return new Map(rows.map((row) => [row.guardianId, row]));
}

/** The selected guardians who would read the message of another at the same address, who sees at least the same. */
async function findReaders(ctx: UserContext, rows: readonly Receiver[], channel: Channel) {
  const seen = await readSeen(
    ctx,
    rows.map(({ id }) => id),
  );
  const readers = new Map<number, Text>();
  const byAddress = Map.groupBy(rows, (row) => addressOf(row, channel)?.recipient.toLowerCase());
  byAddress.delete(undefined);
  for (const adults of byAddress.values()) {
    if (adults.length < 2) continue;
    for (const { id } of adults) {
      const own = seen.get(id);
      const reader = adults.find((other) => {
        const theirs = seen.get(other.id);
        if (other.id === id || !own || !theirs || !own.sees.every((word) => theirs.sees.includes(word))) return false;
        if (theirs.sees.length > own.sees.length) return true;
        // Of two who see the same, the one to call first.
        return theirs.place !== own.place ? theirs.place < own.place : other.id < id;
      });
      if (reader) readers.set(id, sameAddress(reader.name));
    }
  }
  return readers;
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
    const readers = await findReaders(ctx, rows, channel as Channel);
    const decided = rows.map((row) => ({
      id: row.id,
      name: row.name,
      reason: whyNot(row, ctx.now()) ?? readers.get(row.id),
    }));
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
export const sendManyRoutes = routes({ sendMany: linkApi.sendMany }, { sendMany });
