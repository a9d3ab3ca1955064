import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
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
        isProblem: true,
        to: `${page}?show=to-acknowledge`,
      },
      { label: text`New announcements`, value: unread, to: page },
    ];
  },
};
