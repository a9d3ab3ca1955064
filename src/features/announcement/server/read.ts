import { sql } from 'kysely';
import { readTags } from '#features/tag/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Block } from '#kit/contract/rich-text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { readReferredFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Announcement, announcement, type announcementApi } from '../contract/announcement.ts';
import type { AnnouncementState } from '../contract/words.ts';
import { readAudiences } from './audience.ts';
import { hasReceipt } from './feed.ts';
import { readFigures } from './figures.ts';
import { asksFor, lastRound, mayUndo, mayUndoText } from './publish.ts';
import { remindable } from './remind.ts';
import { type Locked, mayEdit } from './save.ts';
import { isForUser, isLive, isWritten, stateAt } from './scope.ts';

/** Whether the user may read `notice`: its author and keepers always, everybody else while it is published for them. */
export const isReadable = (ctx: UserContext) =>
  sql<boolean>`(${isWritten(ctx)} or (${isLive(ctx.now())} and ${isForUser(ctx)}))`;

/** Whether `receipt` is of the text `own` itself, by a recipient of now. */
const isOfVersion = sql`receipt.announcement_id = own.announcement_id and receipt.version = own.number
  and exists (select from announcement_recipient recipient where recipient.announcement_id = own.announcement_id
    and recipient.removed_at is null
    and (recipient.guardian_id = receipt.guardian_id or recipient.staff_id = receipt.staff_id))`;

export const read: Handler<typeof announcementApi.read> = async (ctx, { id }) => {
  const { db, now } = ctx;
  const { rows } = await sql<
    Locked & {
      title: string;
      body: Block[];
      category: string;
      branch: string;
      author: string;
      shown: AnnouncementState;
      isWritten: boolean;
      isForUser: boolean;
      isRead: boolean;
      isAcknowledged: boolean;
      editedAt: Date | null;
    }
  >`
    select notice.*, own.title, own.body, category.name as category, coalesce(branch.name, '') as branch, author.name as author,
      ${stateAt(now())} as shown, ${isWritten(ctx)} as "isWritten", ${isForUser(ctx)} as "isForUser",
      ${hasReceipt(ctx, 'Seen')} as "isRead", ${hasReceipt(ctx, 'Acknowledged')} as "isAcknowledged",
      case when notice.current_version > 1 then own.written_at end as "editedAt"
    from announcement notice
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    join academic_lookup category on category.id = notice.category_id
    join staff author on author.id = notice.author_id
    left join academic_branch branch on branch.id = notice.branch_id
    where notice.id = ${id} and ${isReadable(ctx)}`.execute(db);
  const [notice] = rows;
  if (!notice) throw new AppError('not_found', notFoundMessage);
  const { rows: files } = await sql<Announcement['files'][number]>`
    select file.id::text, file.name, file.bytes as size from announcement_file own join file on file.id = own.file_id
    where own.announcement_id = ${id} and own.to_version is null order by file.name, file.id`.execute(db);
  const isKnown = notice.isWritten;
  const { rows: versions } = isKnown
    ? await sql<Omit<Announcement['versions'][number], 'writtenAt'> & { writtenAt: Date }>`
        select own.number, own.title, staff.name as by, own.written_at as "writtenAt", own.is_reading_reset as "isReadingReset",
          (select count(*) from announcement_receipt receipt where ${isOfVersion} and receipt.kind = 'Seen')::integer as read,
          (select count(*) from announcement_receipt receipt where ${isOfVersion} and receipt.kind = 'Acknowledged')::integer as acknowledged
        from announcement_version own join staff on staff.id = own.staff_id
        where own.announcement_id = ${id} order by own.number desc`.execute(db)
    : { rows: [] };
  const round = isKnown ? await lastRound(ctx, id) : undefined;
  const audience = isKnown ? ((await readAudiences(ctx, [id])).get(id) ?? []) : [];
  const tags = isKnown ? ((await readTags(ctx, 'Announcement', [id])).get(id) ?? []) : [];
  const isDraft = notice.state === 'Draft';
  return toOutput(announcement, notice, {
    state: notice.shown,
    number: notice.current_version,
    audience,
    tags: tags.map(({ id: tagId, name, group }) => ({ id: tagId, name, group })),
    files,
    versions: versions.map(({ writtenAt, ...version }) => ({ ...version, writtenAt: writtenAt.toISOString() })),
    own:
      notice.isForUser && notice.shown === 'Published'
        ? { isRead: notice.isRead, isAcknowledged: notice.isAcknowledged }
        : null,
    figures: isKnown && notice.released_at ? ((await readFigures(ctx, [id])).get(id) ?? null) : null,
    runId: round?.run_id ?? null,
    may: {
      edit: isKnown && (await mayEdit(ctx, notice)),
      publish: isKnown && isDraft,
      asks: isKnown && isDraft && (await asksFor(ctx)),
      undo: isKnown && mayUndo(ctx, notice, round),
      undoText: isKnown && mayUndoText(ctx, notice, round),
      withdraw: isKnown && (notice.shown === 'Published' || notice.shown === 'Scheduled'),
      remove: isKnown && isDraft,
      copy: isKnown,
      changePeople:
        isKnown && notice.shown === 'Published' && notice.released_at !== null && (await mayEdit(ctx, notice)),
      remind: isKnown && notice.shown === 'Published' && (await remindable(ctx, id)) === undefined,
    },
  });
};

export const file: Handler<typeof announcementApi.file> = async (ctx, { id, file: fileId }) => {
  const { rows } =
    await sql`select from announcement_file own join announcement notice on notice.id = own.announcement_id
    where own.announcement_id = ${id} and own.file_id = ${fileId}::uuid and ${isReadable(ctx)}
      and (own.to_version is null or ${isWritten(ctx)})`.execute(ctx.db);
  if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
  return readReferredFile(ctx, fileId);
};
