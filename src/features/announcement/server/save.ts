import { sql } from 'kysely';
import { otherBranch, reachesBranch } from '#access/server/scope.ts';
import { setTags } from '#features/tag/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { plainText } from '#kit/contract/rich-text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays } from '#kit/server/day.ts';
import { removeFile as deleteFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type announcementApi, type Draft, announcementMessages as messages } from '../contract/announcement.ts';
import { optionsIn } from '../contract/answer.ts';
import { isAnswered } from '../contract/asks.ts';
import { readAudiences, requireAudience, saveAudience } from './audience.ts';
import { reachOf } from './reach.ts';
import { isKeeper, isWritten } from './scope.ts';
import { teacherApproval } from './settings.ts';

/** The moment of a time of the school's day; null without a day. */
const momentOf = (day: string, time: string): Date | null => (day === '' ? null : new Date(`${day}T${time}:00+05:30`));

/** An announcement that the user may change, locked. Throws `not_found`, `stale`. */
export async function lockOwn(ctx: UserContext, id: number, version?: number) {
  const found = await ctx.db
    .selectFrom('announcement as notice')
    .where('notice.id', '=', id)
    .where(isWritten(ctx))
    .selectAll('notice')
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(found, version);
  return found;
}
export type Locked = Awaited<ReturnType<typeof lockOwn>>;

/** The columns of a draft, checked against what its author may do. */
async function columnsOf(ctx: UserContext, draft: Draft, current?: Locked) {
  const { priority, branchId, publishOn, expiresOn } = draft;
  if (!isKeeper(ctx) && priority === 'Emergency') throw fieldRefusal('priority', messages.onlyKeepers);
  // A class teacher's rows lie in one branch anyway.
  if (isKeeper(ctx) && !reachesBranch(ctx.user, branchId)) throw fieldRefusal('branchId', otherBranch);
  await requireAudience(ctx, draft.audience);
  const isReleased = current?.released_at != null;
  const publishAt = isReleased ? current.publish_at : momentOf(publishOn, draft.publishTime || '08:00');
  const expiresAt = draft.expiresTime
    ? momentOf(expiresOn, draft.expiresTime)
    : momentOf(expiresOn && addDays(expiresOn, 1), '00:00');
  if (!isReleased && publishAt && publishAt <= ctx.now() && current?.publish_at?.getTime() !== publishAt.getTime())
    throw fieldRefusal('publishOn', messages.past);
  if (expiresAt && expiresAt <= (publishAt ?? ctx.now())) throw fieldRefusal('expiresOn', messages.expiryBeforeStart);
  return {
    category_id: draft.categoryId ?? 0,
    priority: String(priority),
    branch_id: branchId,
    publish_at: publishAt,
    expires_at: expiresAt,
    is_pinned: draft.isPinned && isKeeper(ctx),
    asks: String(draft.asks),
    options: draft.asks === 'Choice' ? optionsIn(draft.options) : [],
    acknowledge_by: draft.acknowledgeBy || null,
    sends_email: draft.sendsEmail && !draft.isPageOnly,
    sends_sms: draft.sendsSms && !draft.isPageOnly,
    is_page_only: draft.isPageOnly,
  };
}

const textOf = (ctx: UserContext, { title, body }: Draft) => ({
  title,
  body: JSON.stringify(body),
  search_text: `${title}\n${plainText(body)}`,
  staff_id: ctx.user.staffId,
  written_at: ctx.now(),
});

export const create: Handler<typeof announcementApi.create> = async (ctx, draft) => {
  const columns = await columnsOf(ctx, draft);
  const { id } = await ctx.db
    .insertInto('announcement')
    .values({ ...columns, author_id: ctx.user.staffId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('announcement_version')
    .values({ announcement_id: id, number: 1, ...textOf(ctx, draft) })
    .execute();
  await saveAudience(ctx, id, draft.audience);
  await setTags(ctx, 'Announcement', id, draft.tags);
  const details = { Title: draft.title };
  await audit(ctx, { action: 'announcement.added', entity: 'announcement', entityId: id, version: 1, details });
  return { id, version: 1 };
};

/** Whether the user may change this announcement now: a draft, or what is published. */
export async function mayEdit(ctx: UserContext, { state, expires_at, released_at }: Locked): Promise<boolean> {
  if (state === 'Draft') return true;
  if (state !== 'Ready' || released_at === null || (expires_at && expires_at <= ctx.now())) return false;
  return isKeeper(ctx) || !(await readSetting(ctx, teacherApproval));
}

/** Saves a draft, or a correction of what is published: nobody gets a message, and what was read counts. */
export const update: Handler<typeof announcementApi.update> = async (ctx, { id, version, ...draft }) => {
  const current = await lockOwn(ctx, id, version);
  if (!(await mayEdit(ctx, current))) throw new AppError('conflict', messages.noChange);
  const number = await saveText(ctx, current, draft, false);
  await audit(ctx, {
    action: 'announcement.changed',
    entity: 'announcement',
    entityId: id,
    version: version + 1,
    details: { Title: draft.title, ...(number !== current.current_version && { Text: number }) },
  });
  return { id, version: version + 1 };
};

/**
 * Saves a locked draft, or a further version of the text of what is published, whose people and start remain. Returns the
 * number of the text.
 */
export async function saveText(ctx: UserContext, current: Locked, draft: Draft, isReadingReset: boolean) {
  const { db } = ctx;
  const { id } = current;
  const isDraft = current.state === 'Draft';
  const stored = (await readAudiences(ctx, [id])).get(id) ?? [];
  const audience = isDraft ? draft.audience : stored.map(({ name: _, ...row }) => row);
  const columns = await columnsOf(ctx, { ...draft, audience }, current);
  // Without a way its guardians would get no message of a new text, and no page would say so.
  const hasWay = columns.sends_email || columns.sends_sms || columns.is_page_only;
  if (!isDraft && !hasWay && (await reachOf(ctx, id)).guardians > 0) throw fieldRefusal('isPageOnly', messages.noWay);
  // An answer is to what was asked.
  const asks = ({ asks: word, options }: Pick<Locked, 'asks' | 'options'>) => [word, ...options].join('\n');
  const isAsked = isAnswered(current.asks) || isAnswered(columns.asks);
  if (!isDraft && !isReadingReset && isAsked && asks(current) !== asks(columns))
    throw fieldRefusal('asks', messages.askAgain);
  const text = textOf(ctx, draft);
  const own = { announcement_id: id, number: current.current_version };
  const last = await db
    .selectFrom('announcement_version')
    .where('announcement_id', '=', id)
    .where('number', '=', own.number)
    .select(['title', sql<boolean>`body = ${text.body}::jsonb`.as('isSame')])
    .executeTakeFirstOrThrow();
  const isNew = !isDraft && (isReadingReset || !last.isSame || last.title !== text.title);
  if (isDraft) {
    await db
      .updateTable('announcement_version')
      .set(text)
      .where('announcement_id', '=', id)
      .where('number', '=', own.number)
      .execute();
    await saveAudience(ctx, id, draft.audience);
  } else if (isNew) {
    own.number += 1;
    await db
      .insertInto('announcement_version')
      .values({ ...own, is_reading_reset: isReadingReset, ...text })
      .execute();
  }
  await setTags(ctx, 'Announcement', id, draft.tags);
  await db
    .updateTable('announcement')
    .set({
      ...columns,
      current_version: own.number,
      ...(isNew && isReadingReset && { counts_from: own.number }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
  return own.number;
}

export const remove: Handler<typeof announcementApi.remove> = async (ctx, { id, version }) => {
  const current = await lockOwn(ctx, id, version);
  const { rows } = await sql<{ title: string; isKept: boolean; files: string[] }>`
    select own.title,
      exists (select from announcement_round where announcement_id = ${id})
        or exists (select from approval where announcement_id = ${id}) as "isKept",
      array(select file_id::text from announcement_file where announcement_id = ${id}) as files
    from announcement_version own where own.announcement_id = ${id} and own.number = ${current.current_version}`.execute(
    ctx.db,
  );
  const [found] = rows;
  if (current.state !== 'Draft' || found?.isKept) throw new AppError('conflict', messages.kept);
  await ctx.db.deleteFrom('announcement').where('id', '=', id).execute();
  for (const file of found?.files ?? []) await deleteFile(ctx, file);
  await audit(ctx, {
    action: 'announcement.deleted',
    entity: 'announcement',
    entityId: id,
    details: { Name: found?.title ?? '' },
  });
  return {};
};
