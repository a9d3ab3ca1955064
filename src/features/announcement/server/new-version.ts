import { sql } from 'kysely';
import { readTags, setTags } from '#features/tag/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { cancelRun } from '#kit/server/job/runs.ts';
import { endNotices, notify } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type announcementApi, announcementMessages as messages } from '../contract/announcement.ts';
import { costOf } from './cost.ts';
import { recipientsOf } from './figures.ts';
import { requireOut } from './heard.ts';
import { reachOf } from './reach.ts';
import { beginRound, type Earlier, pageOf, receiving } from './release.ts';
import { type Locked, lockOwn, mayEdit, saveText } from './save.ts';

/**
 * Publishes a text of another meaning: reading begins again, and every recipient gets a message. A guardian for whom one
 * still waits gets no second: it is written when it is sent.
 */
export const newVersion: Handler<typeof announcementApi.newVersion> = (ctx, { id, version, confirmToken, ...draft }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db } = ctx;
    const notice = await lockOwn(ctx, id, version);
    if (!notice.released_at || !(await mayEdit(ctx, notice))) throw new AppError('conflict', messages.noChange);
    const { rows } = await sql<{
      read: number;
      acknowledged: number;
      staff: number[];
      receiving: number[];
      waiting: number[];
    }>`
      with reader as materialized (${recipientsOf(id)}),
      waiting as (
        select told.guardian_id from announcement_delivery told
        join outbox on outbox.dedupe_key = 'announcement ' || told.id and outbox.status = 'queued'
        where told.announcement_id = ${id}
        union select row_of.subject_id from announcement_round round
        join run_row row_of on row_of.run_id = round.run_id and row_of.status = 'Waiting'
        where round.announcement_id = ${id})
      select (select count(*) from reader where seen_at is not null)::integer as read,
        (select count(*) from reader where acknowledged_at is not null)::integer as acknowledged,
        array(select staff_id from reader where staff_id is not null order by 1) as staff,
        array(select guardian_id from (${receiving(id)}) as told order by 1) as receiving,
        array(select guardian_id from waiting order by 1) as waiting`.execute(db);
    const found = rows[0] ?? { read: 0, acknowledged: 0, staff: [], receiving: [], waiting: [] };
    const has = new Set(found.waiting);
    const told = found.receiving.filter((guardian) => !has.has(guardian));
    const earlier = await earlierOf(ctx, notice);
    const number = await saveText(ctx, notice, draft, true);
    const whole = await reachOf(ctx, id);
    await requireOut(ctx, await lockOwn(ctx, id), whole);
    const { parts, paise, emails, texts } = await costOf(ctx, id, { only: told });
    const reach = { ...whole, emails, texts };
    await notify(ctx, {
      to: { staff: found.staff },
      kind: 'announcement.published',
      text: text`An announcement has a new text: ${{ title: draft.title }}`,
      path: pageOf(id),
      key: `announcement ${id}`,
    });
    const guardians = sql`select unnest(${told}::integer[]) as guardian_id`;
    const runId = await beginRound(ctx, id, { kind: 'New version', guardians, earlier });
    const details = { Title: draft.title, Text: number, Guardians: told.length, Staff: found.staff.length };
    const act = { action: 'announcement.new-version', entity: 'announcement', entityId: id };
    await audit(ctx, { ...act, version: version + 1, details });
    const before = { read: found.read, acknowledged: found.acknowledged };
    const answer = { ...reach, parts, paise, waiting: found.receiving.length - told.length, before, runId };
    return { answer, basis: [id, version, draft, told, { ...answer, runId: null }] };
  });

async function earlierOf(ctx: UserContext, notice: Locked): Promise<Earlier> {
  const { category_id, priority, branch_id, expires_at, is_pinned, asks, options, acknowledge_by } = notice;
  const { sends_email, sends_sms, is_page_only, counts_from } = notice;
  const tags = ((await readTags(ctx, 'Announcement', [notice.id])).get(notice.id) ?? []).map(({ id }) => id);
  const columns = { category_id, priority, branch_id, expires_at, is_pinned, asks, options, acknowledge_by };
  return { ...columns, sends_email, sends_sms, is_page_only, counts_from, tags };
}

/**
 * Shows the earlier text again: as a further version, since the new one was shown and keeps its proof. What was read of
 * the earlier text counts again, and what the form of the new one changed besides is as before.
 */
export async function undoNewVersion(
  ctx: UserContext,
  { id, version, current_version: current }: Locked,
  round: { run_id: number | null; earlier: unknown },
) {
  if (round.run_id) await cancelRun(ctx, { id: round.run_id });
  const number = current + 1;
  await sql`insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at)
    select announcement_id, ${number}::smallint, title, body, search_text, ${ctx.user.staffId}::integer, ${ctx.now()}
    from announcement_version where announcement_id = ${id} and number = ${current - 1}`.execute(ctx.db);
  const { tags, ...columns } = round.earlier as Earlier;
  await ctx.db
    .updateTable('announcement')
    .set({ ...columns, current_version: number, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  await setTags(ctx, 'Announcement', id, tags);
  await endNotices(ctx, [`announcement ${id}`]);
  // Those who have not read the earlier text have it to read as before.
  const { rows: unread } = await sql<{ staffId: number; title: string }>`
    select reader.staff_id as "staffId", own.title from (${recipientsOf(id)}) as reader
    join announcement_version own on own.announcement_id = ${id} and own.number = ${number}
    where reader.staff_id is not null and reader.seen_at is null order by reader.staff_id`.execute(ctx.db);
  await notify(ctx, {
    to: { staff: unread.map(({ staffId }) => staffId) },
    kind: 'announcement.published',
    text: text`New announcement: ${{ title: unread[0]?.title ?? '' }}`,
    path: pageOf(id),
    key: `announcement ${id}`,
  });
  const details = { State: 'New version', Text: number };
  const act = { action: 'announcement.undone', entity: 'announcement', entityId: id };
  await audit(ctx, { ...act, version: version + 1, details });
  return { id, version: version + 1 };
}
