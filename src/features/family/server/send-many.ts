import { sql } from 'kysely';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type RunAct, startRun, undoSeconds } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { linkKeepers } from '../contract/cards.ts';
import { linkApi } from '../contract/link.ts';
import { guardians, isReached } from './guardians.ts';
import { guardiansSelected } from './link-list.ts';
import { type Channel, hasNoContact, linkWays, sendLink } from './send-link.ts';
import type { Reach } from './tell.ts';

const isSentToday = text`The link was sent today.`;
const seesNothing = text`Sees no child on the family page today.`;
const sameAddress = (name: string) => text`Same number or address as ${{ name }}, who sees these children too.`;

type Receiver = Awaited<ReturnType<ReturnType<typeof guardians>['executeTakeFirstOrThrow']>>;

/** Why a guardian gets no link by a run; undefined where one is sent. */
function whyNot(row: Receiver, now: Date): Text | undefined {
  if (!row.mobile && !row.email) return hasNoContact;
  return row.sent_at && toLocalDate(row.sent_at) === toLocalDate(now) ? isSentToday : undefined;
}

/** The selected guardian at the same address who sees at least the same, in words. */
const whoReads = (reach: Reach | undefined) => (reach?.reason === 'Same as' ? sameAddress(reach.reader) : undefined);

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
    const ways = await linkWays(ctx, ids, channel as Channel);
    const decided = rows.map((row) => ({
      id: row.id,
      name: row.name,
      reason: whyNot(row, ctx.now()) ?? whoReads(ways.get(row.id)),
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
  const [way] = (await linkWays(ctx, [id], channel)).get(id)?.ways ?? [];
  if (reason || !way) return reason ?? hasNoContact;
  await sendLink(ctx, { way, actor: ctx.actor, key: `family.send ${ctx.run} ${id}` });
  return undefined;
};

export const linkRuns = { 'family.send': sendInRun };
export const sendManyRoutes = routes({ sendMany: linkApi.sendMany }, { sendMany });
