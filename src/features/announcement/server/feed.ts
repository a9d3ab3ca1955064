import { sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { type Block, plainParagraphs } from '#kit/contract/rich-text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type announcementApi, type FeedCard, announcementMessages as messages } from '../contract/announcement.ts';
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

/** Notes a receipt of the user for a text that counts. Throws `not_found`, `conflict`, `stale`. */
async function note(ctx: UserContext, { id, number }: { id: number; number: number }, kind: 'Seen' | 'Acknowledged') {
  const { db, user, now } = ctx;
  const { rows } = await sql<{ isLive: boolean; from: number; last: number; asks: boolean }>`
    select ${isLive(now())} as "isLive", notice.counts_from as from, notice.current_version as last,
      notice.needs_acknowledgement as asks
    from announcement notice
    where notice.id = ${id} and notice.released_at is not null and ${isForUser(ctx)} for share of notice`.execute(db);
  const [notice] = rows;
  if (!notice) throw new AppError('not_found', notFoundMessage);
  if (!notice.isLive) throw new AppError('conflict', messages.hasEnded);
  if (number < notice.from || number > notice.last) throw new AppError('stale', messages.newText);
  if (kind === 'Acknowledged' && !notice.asks) throw new AppError('conflict', messages.hasEnded);
  const kinds = kind === 'Acknowledged' ? ['Seen', 'Acknowledged'] : ['Seen'];
  await sql`insert into announcement_receipt (announcement_id, version, kind, staff_id, at, via)
    select ${id}::integer, ${number}::smallint, kind, ${user.staffId}::integer, ${now()}, 'Feed'
    from unnest(${kinds}::text[]) as kind on conflict do nothing`.execute(db);
  // A reader who came after it was published is a recipient from now on.
  await sql`insert into announcement_recipient (announcement_id, staff_id, joined_later)
    values (${id}, ${user.staffId}, true) on conflict do nothing`.execute(db);
  if (kind === 'Seen')
    await sql`update notice set read_at = ${now()} where account_id = ${user.id} and read_at is null
    and dedupe_key = ${`announcement ${id}`}`.execute(db);
  return {};
}

export const seen: Handler<typeof announcementApi.seen> = (ctx, asked) => note(ctx, asked, 'Seen');
export const acknowledge: Handler<typeof announcementApi.acknowledge> = (ctx, asked) =>
  note(ctx, asked, 'Acknowledged');
