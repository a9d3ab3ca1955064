import { sql } from 'kysely';
import { type Block, plainParagraphs } from '#kit/contract/rich-text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { announcementApi, FeedCard } from '../contract/announcement.ts';
import { note, type Reader } from './receipt.ts';
import { isForUser, isLive } from './scope.ts';

const mostCards = 30;

/** Whether the user has seen, or acknowledged, a text of `notice` that counts. */
export const hasReceipt = ({ user }: Pick<UserContext, 'user'>, kind: 'Seen' | 'Acknowledged') => sql<boolean>`exists (
  select from announcement_receipt receipt where receipt.announcement_id = notice.id and receipt.kind = ${kind}
    and receipt.version >= notice.counts_from and receipt.staff_id = ${user.staffId})`;

type Row = Omit<FeedCard, 'firstLine' | 'publishedAt'> & { body: Block[]; publishedAt: Date };

export const feed: Handler<typeof announcementApi.feed> = async (ctx, { show, before }) => {
  const { db, now } = ctx;
  const isWaiting = sql`notice.needs_acknowledgement and not ${hasReceipt(ctx, 'Acknowledged')}`;
  const { rows } = await sql<Row>`
    with live as (
      select notice.*, ${hasReceipt(ctx, 'Seen')} as is_read, ${hasReceipt(ctx, 'Acknowledged')} as is_acknowledged
      from announcement notice
      where ${isLive(now())} and ${show === '' ? sql`true` : isWaiting} and ${isForUser(ctx)})
    select notice.id, own.title, own.body, category.name as category, notice.priority, notice.is_pinned as "isPinned",
      notice.is_read as "isRead", notice.needs_acknowledgement as "needsAcknowledgement",
      notice.is_acknowledged as "isAcknowledged", coalesce(notice.acknowledge_by::text, '') as "acknowledgeBy",
      author.name as author, notice.publish_at as "publishedAt", notice.current_version > 1 as "isEdited",
      exists (select from announcement_file where announcement_id = notice.id and to_version is null) as "hasFiles",
      notice.current_version as number
    from live notice
    join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
    join academic_lookup category on category.id = notice.category_id
    join staff author on author.id = notice.author_id
    order by notice.is_pinned desc, notice.publish_at desc, notice.id desc
    limit ${mostCards + 1} offset ${Number(before || 0)}`.execute(db);
  const shown = rows.slice(0, mostCards);
  return {
    rows: shown.map(({ body, publishedAt, ...row }) => ({
      ...row,
      firstLine: (plainParagraphs(body)[0] ?? '').slice(0, 200),
      publishedAt: publishedAt.toISOString(),
    })),
    next: rows.length > mostCards ? String(Number(before || 0) + mostCards) : '',
  };
};

/** The user, as someone who reads announcements today. */
const readerOf = (ctx: UserContext): Reader => ({
  column: 'staff_id',
  id: ctx.user.staffId,
  via: 'Feed',
  isFor: isForUser(ctx),
});

export const seen: Handler<typeof announcementApi.seen> = async (ctx, asked) => {
  const answer = await note(ctx, readerOf(ctx), asked, 'Seen');
  await ctx.db
    .updateTable('notice')
    .set({ read_at: ctx.now() })
    .where('account_id', '=', ctx.user.id)
    .where('dedupe_key', '=', `announcement ${asked.id}`)
    .where('read_at', 'is', null)
    .execute();
  return answer;
};

export const acknowledge: Handler<typeof announcementApi.acknowledge> = (ctx, asked) =>
  note(ctx, readerOf(ctx), asked, 'Acknowledged');
