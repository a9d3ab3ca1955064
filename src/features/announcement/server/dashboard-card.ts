import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { hasReceipt } from './feed.ts';
import { isForUser, isLive } from './scope.ts';

const page = 'announcement/announcement-list';

/** What waits to be acknowledged and to be read. */
export const announcementCard: DashboardCard = {
  title: text`Announcements`,
  count: async (ctx) => {
    const { rows } = await sql<{ toAcknowledge: number; unread: number }>`
      select (count(*) filter (where notice.needs_acknowledgement and not ${hasReceipt(ctx, 'Acknowledged')}))::integer as "toAcknowledge",
        (count(*) filter (where not ${hasReceipt(ctx, 'Seen')}))::integer as unread
      from announcement notice where ${isLive(ctx.now())} and ${isForUser(ctx)}`.execute(ctx.db);
    const { toAcknowledge = 0, unread = 0 } = rows[0] ?? {};
    if (toAcknowledge + unread === 0) return [];
    return [
      {
        label: text`To acknowledge`,
        value: toAcknowledge,
        to: `${page}?show=to-acknowledge`,
      },
      { label: text`New announcements`, value: unread, to: page },
    ];
  },
};

interface Asked {
  id: number;
  title: string;
  author: string;
  by: string | null;
  total: number;
}

/** Announcements that wait for the user's acknowledgement, the earliest day first. */
export const acknowledgeTodo: TodoSource = {
  kind: 'announcement',
  title: text`Announcements to acknowledge`,
  icon: 'message',
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const { rows } = await sql<Asked>`
      select notice.id, own.title, author.name as author, notice.acknowledge_by::text as by, (count(*) over ())::integer as total
      from announcement notice
      join announcement_version own on own.announcement_id = notice.id and own.number = notice.current_version
      join staff author on author.id = notice.author_id
      where notice.needs_acknowledgement and ${isLive(ctx.now())} and not ${hasReceipt(ctx, 'Acknowledged')} and ${isForUser(ctx)}
      order by notice.acknowledge_by nulls last, notice.publish_at, notice.id limit ${most}`.execute(ctx.db);
    return {
      total: rows[0]?.total ?? 0,
      to: `${page}?show=to-acknowledge`,
      rows: rows.map(({ id, title, author, by }) => ({
        id,
        when: by !== null && by < today ? 'late' : by === today ? 'today' : 'soon',
        title,
        about: author,
        detail: by === null ? text`Acknowledge it` : text`Acknowledge it by ${{ day: showDate(by, today) }}`,
        to: `${page}/${id}`,
        act: text`Read`,
      })),
    };
  },
};
