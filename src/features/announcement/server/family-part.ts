import { sql } from 'kysely';
import { familyPart } from '#features/family/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readReferredFile } from '#kit/server/files/files.ts';
import { routes } from '#kit/server/http/routes.ts';
import { type FamilyNotice, familyNoticeApi, familyNotices } from '../contract/family.ts';
import { note, type Reader } from './receipt.ts';
import { isLive } from './scope.ts';

const mostNotices = 30;

/** The children of a guardian that `notice` concerns on a day. */
const concerns = (guardianId: number, day: string) => sql`
  select pair.student_id from announcement_pairs(notice.id, ${day}::date) as pair where pair.guardian_id = ${guardianId}`;

const hasReceipt = (guardianId: number, kind: 'Seen' | 'Acknowledged') => sql<boolean>`exists (
  select from announcement_receipt receipt where receipt.announcement_id = notice.id and receipt.kind = ${kind}
    and receipt.version >= notice.counts_from and receipt.guardian_id = ${guardianId})`;

/** What is published for a guardian now. */
export const noticePart = familyPart({
  key: 'announcement',
  output: familyNotices,
  read: async (ctx, { guardianId, day }) => {
    const { rows } = await sql<FamilyNotice>`
      with own as materialized (
        select announcement_id as id, array_agg(student_id order by student_id) as children
        from announcement_children(array(select notice.id from announcement notice where ${isLive(ctx.now())}), ${guardianId},
          ${day}::date)
        group by announcement_id)
      select notice.id, notice.current_version as number, words.title, words.body, category.name as category, notice.priority,
        (notice.publish_at at time zone 'Asia/Kolkata')::date::text as "publishedOn", notice.current_version > 1 as "isEdited",
        ${hasReceipt(guardianId, 'Seen')} as "isRead", notice.needs_acknowledgement as "needsAcknowledgement",
        coalesce(notice.acknowledge_by::text, '') as "acknowledgeBy", ${hasReceipt(guardianId, 'Acknowledged')} as "isAcknowledged",
        notice.needs_acknowledgement and coalesce(notice.acknowledge_by + 14,
          (notice.publish_at at time zone 'Asia/Kolkata')::date + 30) >= ${day}::date as "isWaiting",
        own.children,
        coalesce((select json_agg(json_build_object('id', file.id, 'name', file.name) order by file.name, file.id)
          from announcement_file held join file on file.id = held.file_id
          where held.announcement_id = notice.id and held.to_version is null), '[]') as files
      from own
      join announcement notice on notice.id = own.id
      join announcement_version words on words.announcement_id = notice.id and words.number = notice.current_version
      join academic_lookup category on category.id = notice.category_id
      order by notice.is_pinned desc, notice.publish_at desc, notice.id desc limit ${mostNotices}`.execute(ctx.db);
    return rows;
  },
});

/** The guardian of the link, as someone who reads announcements today. */
const readerOf = (ctx: Context & { holder: { id: number } }): Reader => ({
  column: 'guardian_id',
  id: ctx.holder.id,
  via: 'Family page',
  isFor: sql<boolean>`exists (${concerns(ctx.holder.id, toLocalDate(ctx.now()))})`,
});

export const familyNoticeRoutes = routes(familyNoticeApi, {
  seen: (ctx, asked) => note(ctx, readerOf(ctx), asked, 'Seen'),
  acknowledge: (ctx, asked) => note(ctx, readerOf(ctx), asked, 'Acknowledged'),
  file: async (ctx, { id, file }) => {
    const { rows } =
      await sql`select from announcement_file own join announcement notice on notice.id = own.announcement_id
      where own.announcement_id = ${id} and own.file_id = ${file}::uuid and own.to_version is null
        and ${isLive(ctx.now())} and ${readerOf(ctx).isFor}`.execute(ctx.db);
    if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
    return readReferredFile(ctx, file);
  },
});
