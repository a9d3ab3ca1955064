import { sql } from 'kysely';
import { familyPart } from '#features/family/api.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readReferredFile } from '#kit/server/files/files.ts';
import { routes } from '#kit/server/http/routes.ts';
import { countHit } from '#kit/server/security/limits.ts';
import { type FamilyNotice, familyNoticeApi, familyNotices } from '../contract/family.ts';
import { answersOf, askMessages, familyAskApi } from '../contract/family-ask.ts';
import { answerAs } from './answer.ts';
import { note, type Reader } from './receipt.ts';
import { isLive } from './scope.ts';

const mostNotices = 30;

/** Answers of one link within an hour: far more than a family needs. */
const tries = { kind: 'family-notice-answer', most: 60, windowSeconds: 3600 };

/** The children of a guardian that `notice` concerns on a day. */
const concerns = (guardianId: number, day: string) => sql`
  select pair.student_id from announcement_pairs(notice.id, ${day}::date) as pair where pair.guardian_id = ${guardianId}`;

const hasReceipt = (guardianId: number, kind: 'Seen' | 'Acknowledged') => sql<boolean>`exists (
  select from announcement_receipt receipt where receipt.announcement_id = notice.id and receipt.kind = ${kind}
    and receipt.version >= notice.counts_from and receipt.guardian_id = ${guardianId})`;

/**
 * What a guardian answered last for each of the own `children`, or the school entered from paper after it, to the text of
 * `notice` that asks.
 */
const ownAnswers = (guardianId: number) => sql`
  select distinct on (given.student_id) given.student_id, given.answer from announcement_counting_answer given
  where given.announcement_id = notice.id and given.student_id = any(own.children)
    and (given.guardian_id = ${guardianId} or given.staff_id is not null) order by given.student_id, given.id desc`;

/** So many days it waits above the children: after its last day, or where it has none after publishing. */
const daysAfter = { lastDay: 14, publishing: 30 };

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
        ${hasReceipt(guardianId, 'Seen')} as "isRead", notice.asks,
        case notice.asks when 'Consent' then ${[...answersOf('Consent', [])]}::text[] else notice.options end as options,
        coalesce(notice.acknowledge_by::text, '') as "acknowledgeBy", done.is_done as "isAcknowledged",
        notice.asks <> 'Nothing' and not done.is_done and ${day}::date <=
          coalesce(notice.acknowledge_by + case notice.asks when 'Acknowledgement' then ${daysAfter.lastDay}::integer else 0 end,
            (notice.publish_at at time zone 'Asia/Kolkata')::date + ${daysAfter.publishing}::integer) as "isAsked",
        coalesce(notice.acknowledge_by >= ${day}::date, true) as "isOpen",
        coalesce(said.answers, '[]') as answers, own.children,
        case when notice.asks in ('Consent', 'Choice') then (select json_agg(json_build_object('id', child.id, 'name', child.first_name)
          order by child.birth_date, child.id) from student child where child.id = any(own.children)) else '[]' end as "toAnswer",
        coalesce((select json_agg(json_build_object('id', file.id, 'name', file.name) order by file.name, file.id)
          from announcement_file held join file on file.id = held.file_id
          where held.announcement_id = notice.id and held.to_version is null), '[]') as files
      from own
      join announcement notice on notice.id = own.id
      join announcement_version words on words.announcement_id = notice.id and words.number = notice.current_version
      join academic_lookup category on category.id = notice.category_id
      cross join lateral (
        select json_agg(json_build_object('studentId', own.student_id, 'answer', own.answer) order by own.student_id) as answers,
          array_agg(own.student_id) as children
        from (${ownAnswers(guardianId)}) as own) as said
      cross join lateral (select case when notice.asks in ('Consent', 'Choice')
        then coalesce(own.children <@ said.children, false)
        else ${hasReceipt(guardianId, 'Acknowledged')} end as is_done) as done
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

export const familyNoticeRoutes = routes(
  { ...familyNoticeApi, ...familyAskApi },
  {
    seen: (ctx, asked) => note(ctx, readerOf(ctx), asked, 'Seen'),
    acknowledge: (ctx, asked) => note(ctx, readerOf(ctx), asked, 'Acknowledged'),
    answer: async (ctx, asked) => {
      const wait = await countHit(ctx.db, tries, String(ctx.holder.id));
      if (wait > 0) throw new AppError('too_many_tries', askMessages.tooMany, { retryAfter: wait });
      return answerAs(ctx, asked);
    },
    file: async (ctx, { id, file }) => {
      const { rows } =
        await sql`select from announcement_file own join announcement notice on notice.id = own.announcement_id
      where own.announcement_id = ${id} and own.file_id = ${file}::uuid and own.to_version is null
        and ${isLive(ctx.now())} and ${readerOf(ctx).isFor}`.execute(ctx.db);
      if (rows.length === 0) throw new AppError('not_found', notFoundMessage);
      return readReferredFile(ctx, file);
    },
  },
);
