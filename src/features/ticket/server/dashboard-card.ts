import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, DayChange } from '#kit/server/dashboard.ts';
import { localTimeZone, toLocalDate } from '#kit/server/day.ts';
import { isForMe, isInQueue } from './list.ts';
import { chipsAt } from './row.ts';
import { isVisible } from './visible.ts';

/** The tickets of the user and of the user’s department. */
export const ticketCard: DashboardCard = {
  title: text`Tickets`,
  roles: ['Staff'],
  count: async (ctx) => {
    const { db, user, now } = ctx;
    const chips = chipsAt(ctx);
    const isMine = sql`ticket.assignee_id = ${user.staffId}`;
    const { rows } = await sql<{ mine: number; queue: number; today: number; overdue: number; confirm: number }>`
      select count(*) filter (where ${isMine} and ticket.status in ('Open', 'In progress', 'On hold'))::integer as mine,
        count(*) filter (where ${isInQueue(ctx)})::integer as queue,
        count(*) filter (where ${isForMe(ctx)} and ${chips['Due today']})::integer as today,
        count(*) filter (where ${isForMe(ctx)} and ${chips.Overdue})::integer as overdue,
        count(*) filter (where ticket.raised_by = ${user.staffId} and ticket.status = 'Resolved')::integer as confirm
      from ticket where ticket.status not in ('Closed', 'Cancelled') and ${isVisible(user, toLocalDate(now()))}`.execute(
      db,
    );
    const [counts] = rows;
    if (!counts || Object.values(counts).every((count) => count === 0)) return [];
    const toMe = 'ticket/ticket-entry-assign-to-me';
    return [
      { label: text`Mine`, value: counts.mine, to: toMe },
      { label: text`In the queue`, value: counts.queue, to: `${toMe}?tab=queue` },
      { label: text`Due today`, value: counts.today, to: `${toMe}?tab=today` },
      { label: text`Overdue`, value: counts.overdue, isLate: true, to: `${toMe}?tab=overdue` },
      { label: text`To confirm`, value: counts.confirm, to: 'ticket/ticket-entry-assign-by-me?tab=resolved' },
    ];
  },
};

/** Open tickets that the principal sees and that became overdue since. */
export const overdueChange: DayChange = {
  title: text`Tickets overdue since`,
  place: 50,
  roles: ['Staff'],
  sets: ['principal'],
  read: async (ctx, since) => {
    const { db, user, now } = ctx;
    const { rows } = await sql<{ count: number; names: string[] }>`
      select count(*)::integer as count, coalesce((array_agg(ticket_no || ' ' || subject order by resolution_due_at, id))[1:2], '{}') as names
      from ticket where ${isVisible(user, toLocalDate(now()))} and ${chipsAt(ctx).Overdue}
        and resolution_due_at >= ${since}::date::timestamp at time zone ${localTimeZone}`.execute(db);
    const { count, names } = rows[0] ?? { count: 0, names: [] };
    if (count === 0) return undefined;
    return {
      words: text(
        { message: '{n, plural, one {# ticket became overdue} other {# tickets became overdue}}' },
        { n: count },
      ),
      names,
      more: count - names.length,
      to: 'ticket/ticket-entry-assign-to-me?tab=all&time=Overdue',
    };
  },
};
