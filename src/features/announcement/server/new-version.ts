import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { cancelRun } from '#kit/server/job/runs.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { type announcementApi, announcementMessages as messages } from '../contract/announcement.ts';
import { costOf } from './cost.ts';
import { recipientsOf } from './figures.ts';
import { reachOf } from './reach.ts';
import { beginRound, pageOf, receiving } from './release.ts';
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
    const number = await saveText(ctx, notice, draft, true);
    const { parts, paise, emails, texts } = await costOf(ctx, id, { only: told });
    const reach = { ...(await reachOf(ctx, id)), emails, texts };
    await notify(ctx, {
      to: { staff: found.staff },
      kind: 'announcement.published',
      text: text`An announcement has a new text: ${{ title: draft.title }}`,
      path: pageOf(id),
      key: `announcement ${id}`,
    });
    const guardians = sql`select unnest(${told}::integer[]) as guardian_id`;
    const runId = await beginRound(ctx, id, { kind: 'New version', guardians });
    const details = { Title: draft.title, Text: number, Guardians: told.length, Staff: found.staff.length };
    const act = { action: 'announcement.new-version', entity: 'announcement', entityId: id };
    await audit(ctx, { ...act, version: version + 1, details });
    const before = { read: found.read, acknowledged: found.acknowledged };
    const answer = { ...reach, parts, paise, waiting: found.receiving.length - told.length, before, runId };
    return { answer, basis: [id, version, draft, told, { ...answer, runId: null }] };
  });

/**
 * Shows the earlier text again: as a further version, since the new one was shown and keeps its proof. What was read of
 * the earlier text counts again.
 */
export async function undoNewVersion(ctx: UserContext, { id, version, ...notice }: Locked, runId: number | null) {
  if (runId) await cancelRun(ctx, { id: runId });
  const number = notice.current_version + 1;
  await sql`insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at)
    select announcement_id, ${number}::smallint, title, body, search_text, ${ctx.user.staffId}::integer, ${ctx.now()}
    from announcement_version where announcement_id = ${id} and number = ${notice.current_version - 1}`.execute(ctx.db);
  await sql`update announcement set current_version = ${number}, version = version + 1,
      counts_from = coalesce((select max(number) from announcement_version where announcement_id = ${id}
        and is_reading_reset and number < ${notice.current_version}), 1)
    where id = ${id}`.execute(ctx.db);
  const details = { State: 'New version', Text: number };
  const act = { action: 'announcement.undone', entity: 'announcement', entityId: id };
  await audit(ctx, { ...act, version: version + 1, details });
  return { id, version: version + 1 };
}
