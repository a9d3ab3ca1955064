import { sql } from 'kysely';
import { requestApproval, withdrawApproval } from '#features/approval/api.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { cancelRun, undoSeconds } from '#kit/server/job/runs.ts';
import { endNotices } from '#kit/server/messages/notifications.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type announcementApi, announcementMessages as messages } from '../contract/announcement.ts';
import type { AnnouncementState } from '../contract/words.ts';
import { readAudiences, requireAudience, saveAudience } from './audience.ts';
import { costOf } from './cost.ts';
import { refuseLists } from './files.ts';
import { isUnheard, requireOut } from './heard.ts';
import { undoNewVersion } from './new-version.ts';
import { reachOf } from './reach.ts';
import { release } from './release.ts';
import { type Locked, lockOwn } from './save.ts';
import { isKeeper } from './scope.ts';
import { teacherApproval } from './settings.ts';

export const approvalKind = 'announcement.publish';

/** Whether what this user publishes waits for a second person. */
export const asksFor = async (ctx: UserContext) => !isKeeper(ctx) && (await readSetting(ctx, teacherApproval));

/** Makes a locked draft ready: published at once, or at its time. Returns its run. */
export async function makeReady(ctx: UserContext, id: number, publishAt: Date | null): Promise<number | null> {
  const isDue = publishAt === null || publishAt <= ctx.now();
  await ctx.db
    .updateTable('announcement')
    .set({ state: 'Ready', publish_at: isDue ? ctx.now() : publishAt, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  return isDue ? release(ctx, id) : null;
}

export const publish: Handler<typeof announcementApi.publish> = (ctx, { id, version, ways, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const notice = await lockOwn(ctx, id, version);
    if (notice.state !== 'Draft') throw new AppError('conflict', messages.published);
    if (notice.expires_at && notice.expires_at <= ctx.now()) throw new AppError('conflict', messages.hasEnded);
    const audience = (await readAudiences(ctx, [id])).get(id) ?? [];
    await requireAudience(ctx, audience);
    if (ways !== '') await chooseWays(ctx, id, ways);
    const reach = await reachOf(ctx, id);
    if (reach.guardians + reach.staff === 0) throw new AppError('conflict', messages.nobody);
    await refuseLists(ctx, id, reach);
    const { parts, paise } = await costOf(ctx, id);
    const isPageOnly = ways === '' ? notice.is_page_only : ways === 'Only on the page';
    const chosen = { ...notice, is_page_only: isPageOnly };
    // What reaches no guardian is answered with what messages would be.
    const isRefused = isUnheard(chosen, reach);
    const instead = isRefused ? await costOf(ctx, id, { byBoth: true }) : null;
    if (!isRefused) await requireOut(ctx, chosen, reach);
    const asks = await asksFor(ctx);
    const runId = asks ? null : await makeReady(ctx, id, notice.publish_at);
    if (asks) await ask(ctx, notice);
    const isDue = notice.publish_at === null || notice.publish_at <= ctx.now();
    const state: AnnouncementState = asks ? 'Waiting' : isDue ? 'Published' : 'Scheduled';
    const people = audience.map(({ kind, id: of, isExcluded }) => [kind, of, isExcluded]);
    return {
      answer: { ...reach, parts, paise, instead, state, runId },
      basis: [id, version, ways, reach, parts, paise, state, people],
      isRefused,
    };
  });

/** Takes the way that its author chooses in the preview, where the announcement reached no guardian. */
const chooseWays = ({ db }: UserContext, id: number, ways: 'Messages' | 'Only on the page') =>
  db
    .updateTable('announcement')
    .set({
      sends_email: ways === 'Messages',
      sends_sms: ways === 'Messages',
      is_page_only: ways === 'Only on the page',
    })
    .where('id', '=', id)
    .execute();

async function ask(ctx: UserContext, { id, branch_id: branchId, current_version: number }: Locked) {
  await ctx.db
    .updateTable('announcement')
    .set({ state: 'Waiting', version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  const { title } = await ctx.db
    .selectFrom('announcement_version')
    .where('announcement_id', '=', id)
    .where('number', '=', number)
    .select('title')
    .executeTakeFirstOrThrow();
  await requestApproval(ctx, { kind: approvalKind, subjectId: id, branchId, title: text`Announcement: ${{ title }}` });
}

/** The latest sending of an announcement. */
export const lastRound = ({ db }: Pick<UserContext, 'db'>, id: number) =>
  db
    .selectFrom('announcement_round')
    .where('announcement_id', '=', id)
    .select(['number', 'run_id', 'kind', 'version', 'started_by', 'started_at', 'earlier'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
type LastRound = Awaited<ReturnType<typeof lastRound>>;

/** Whether an announcement may become a draft again: while it waits, is scheduled, or was published some seconds ago. */
export function mayUndo(ctx: UserContext, notice: Pick<Locked, 'state' | 'released_at'>, round: LastRound): boolean {
  if (notice.state === 'Waiting') return true;
  if (notice.state !== 'Ready') return false;
  if (notice.released_at === null) return true;
  const isRecent = ctx.now().getTime() - notice.released_at.getTime() < undoSeconds * 1000;
  return isRecent && round?.kind === 'Publish' && round.started_by === ctx.user.staffId;
}

/** Whether the text before the present one may be shown again: for some seconds, by the publisher of the new one. */
export function mayUndoText(
  ctx: UserContext,
  notice: Pick<Locked, 'state' | 'current_version'>,
  round: LastRound,
): boolean {
  const isLast = round?.kind === 'New version' && round.version === notice.current_version;
  if (!isLast || notice.state !== 'Ready' || round.started_by !== ctx.user.staffId) return false;
  return ctx.now().getTime() - round.started_at.getTime() < undoSeconds * 1000;
}

export const undo: Handler<typeof announcementApi.undo> = async (ctx, { id, version }) => {
  const { db } = ctx;
  const notice = await lockOwn(ctx, id, version);
  const round = await lastRound(ctx, id);
  if (round && mayUndoText(ctx, notice, round)) return undoNewVersion(ctx, notice, round);
  if (!mayUndo(ctx, notice, round)) throw new AppError('conflict', messages.tooLate);
  // As a draft it could ask something else, and the answer would count for that.
  const answer = await db
    .selectFrom('announcement_answer')
    .where('announcement_id', '=', id)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (answer) throw new AppError('conflict', messages.answered);
  if (notice.state === 'Waiting') await withdrawApproval(ctx, { kind: approvalKind, subjectId: id });
  if (notice.released_at && round?.run_id) await cancelRun(ctx, { id: round.run_id });
  if (notice.released_at) {
    await db.deleteFrom('announcement_recipient').where('announcement_id', '=', id).execute();
    await endNotices(ctx, [`announcement ${id}`]);
  }
  const { state: before } = notice;
  await db
    .updateTable('announcement')
    // Published at once, it is published at once the next time.
    .set({
      state: 'Draft',
      released_at: null,
      ...(notice.released_at && { publish_at: null }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: 'announcement.undone',
    entity: 'announcement',
    entityId: id,
    version: version + 1,
    details: { State: before },
  });
  return { id, version: version + 1 };
};

export const withdraw: Handler<typeof announcementApi.withdraw> = async (ctx, { id, version, reason }) => {
  const notice = await lockOwn(ctx, id, version);
  if (notice.state !== 'Ready') throw new AppError('conflict', messages.hasEnded);
  await withdrawLocked(ctx, [id], reason);
  return { id, version: version + 1 };
};

/** Withdraws locked announcements: they leave the feed, and messages that wait are not sent. */
export async function withdrawLocked(
  ctx: Pick<UserContext, 'db' | 'now' | 'requestId' | 'address'> & Partial<Pick<UserContext, 'user'>>,
  ids: readonly number[],
  reason: string,
) {
  await ctx.db
    .updateTable('announcement')
    .set({ state: 'Withdrawn', withdrawn_reason: reason, version: sql`version + 1` })
    .where('id', 'in', ids)
    .execute();
  await endNotices(
    ctx,
    ids.map((id) => `announcement ${id}`),
  );
  for (const id of ids)
    await audit(ctx, {
      ...(ctx.user ? {} : { actor: 'Shala' }),
      action: 'announcement.withdrawn',
      entity: 'announcement',
      entityId: id,
      details: { Reason: reason },
    });
}

/** A new draft with the text, the people and the choices of another one, without its times and files. */
export const copy: Handler<typeof announcementApi.copy> = async (ctx, { id }) => {
  const { db, user, now } = ctx;
  await lockOwn(ctx, id);
  const { rows } = await sql<{ id: number; title: string }>`
    with made as (
      insert into announcement (category_id, priority, branch_id, author_id, is_pinned, asks, options, acknowledge_by, sends_email, sends_sms, is_page_only)
      select category_id, case when priority = 'Emergency' and ${!isKeeper(ctx)} then 'Important' else priority end, branch_id,
        ${user.staffId}::integer, is_pinned, asks, options, case when asks in ('Consent', 'Choice') then acknowledge_by end, sends_email, sends_sms, is_page_only
      from announcement where id = ${id} returning id)
    insert into announcement_version (announcement_id, number, title, body, search_text, staff_id, written_at)
    select made.id, 1, own.title, own.body, own.search_text, ${user.staffId}::integer, ${now()}
    from made, announcement notice join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    where notice.id = ${id} returning announcement_id as id, title`.execute(db);
  const made = rows[0] ?? { id: 0, title: '' };
  const audience = ((await readAudiences(ctx, [id])).get(id) ?? []).map(({ name: _, ...row }) => row);
  await saveAudience(ctx, made.id, audience);
  const details = { Title: made.title, 'Copy of': id };
  await audit(ctx, { action: 'announcement.added', entity: 'announcement', entityId: made.id, version: 1, details });
  return { id: made.id, version: 1 };
};
