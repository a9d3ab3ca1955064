import { type RawBuilder, sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { minuteOf, type OpenOn, worked } from '../contract/clock.ts';
import { byMeList, toMeList } from '../contract/list.ts';
import type { Priority } from '../contract/masters.ts';
import type { TicketState } from '../contract/state.ts';
import { categoryName, chipOf, chipsAt, minutesLeft, momentWords, placeName, sectionOf, shortMoment } from './row.ts';
import { readOpenHours, readTimed, spansOf } from './times.ts';
import { isAgent, isVisible, ofMyDepartment } from './visible.ts';

/** The tickets that exist for the user, with what a row of a list shows. */
function ticketsOf({ db, user, now }: UserContext) {
  const day = toLocalDate(now());
  return db
    .selectFrom('ticket')
    .where(isVisible(user, day))
    .select(['ticket.id', 'ticket_no', 'subject', 'is_confidential', 'rating', 'raised_at', 'changed_at', 'clock_from'])
    .select(['response_due_at', 'responded_at', 'resolution_due_at', 'resolved_at'])
    .select([
      sql<TicketState>`ticket.status`.as('status'),
      sql<Priority>`ticket.priority`.as('priority'),
      categoryName.as('category'),
      placeName.as('place'),
      sql<string>`(select name from academic_department where id = ticket.department_id)`.as('department'),
      sql<string | null>`(select name from staff where staff.id = ticket.assignee_id)`.as('assignee'),
      sql<string>`(select name from staff where staff.id = ticket.raised_by)`.as('raised_by_name'),
      sql<string>`coalesce((select concat_ws(', ', student.name, nullif(${sectionOf(day)}, '')) from student
        where student.id = ticket.about_student_id),
        (select name from staff where staff.id = ticket.about_staff_id), '')`.as('about'),
    ]);
}
type Row = Awaited<ReturnType<ReturnType<typeof ticketsOf>['executeTakeFirstOrThrow']>>;

const met = (at: Date | null, due: Date | null) => {
  if (due === null || at === null) return '';
  return minuteOf(at) <= minuteOf(due) ? 'Met' : 'Not met';
};

const daysSince = (from: Date, now: Date) => Math.floor((now.getTime() - from.getTime()) / 86_400_000);

/** The rows with their times; the hours and pauses are read for all at once. */
async function toRows(ctx: UserContext, rows: Row[]) {
  const now = ctx.now();
  const first = new Date(Math.min(now.getTime(), ...rows.map(({ raised_at }) => raised_at.getTime())));
  const open: OpenOn = rows.length === 0 ? () => [] : await readOpenHours(ctx, first, now);
  const ids = rows.map(({ id }) => id);
  const timed = new Map(
    (ids.length === 0 ? [] : await readTimed(ctx, sql<boolean>`ticket.id = any(${ids}::integer[])`)).map((one) => [
      one.id,
      one,
    ]),
  );
  return rows.map((row) => {
    const own = timed.get(row.id);
    const pauses = own ? spansOf(own) : [];
    const from = minuteOf(row.clock_from);
    const until = minuteOf(row.resolved_at ?? now);
    const standing = { status: row.status, resolutionDueAt: row.resolution_due_at, resolvedAt: row.resolved_at };
    const chip = chipOf(standing, now);
    const used = worked(open, from, until, pauses);
    const total = own?.resolutionMinutes ?? null;
    const isTimed = total !== null && chip !== 'Done';
    return toOutput(toMeList.row, row, {
      about: row.about || row.place,
      assignee: row.assignee ?? row.department,
      chip,
      due: shortMoment(row.resolution_due_at, now),
      raisedBy: row.raised_by_name,
      age: String(daysSince(row.raised_at, now)),
      responseDue: row.responded_at === null ? shortMoment(row.response_due_at, now) : '',
      raisedAt: momentWords(row.raised_at),
      changedAt: momentWords(row.changed_at),
      responseMinutes: row.responded_at ? worked(open, minuteOf(row.raised_at), minuteOf(row.responded_at)) : null,
      response: met(row.responded_at, row.response_due_at),
      resolutionMinutes: row.resolved_at ? used : null,
      resolution: met(row.resolved_at, row.resolution_due_at),
      pausedMinutes: worked(open, from, until) - used,
      minutesLeft: isTimed ? (minutesLeft(open, row.resolution_due_at, now) ?? total - used) : null,
    });
  });
}

/** What both lists share: search, filters and orders. */
function commonOf(ctx: UserContext) {
  const chips = chipsAt(ctx);
  return {
    id: 'ticket.id',
    matches: (word: string) =>
      sql<boolean>`(ticket.ticket_no ilike ${contains(word)} or ticket.subject ilike ${contains(word)} or ${containsName('ticket', word)})`,
    filters: {
      status: (word: string) => sql<boolean>`ticket.status = ${word}`,
      priority: (word: string) => sql<boolean>`ticket.priority = ${word}`,
      time: (word: string) => chips[word as keyof typeof chips],
      categoryId: (id: string) => sql<boolean>`(ticket.category_id = ${Number(id)} or ticket.category_id in
        (select part.id from ticket_category part where part.parent_id = ${Number(id)}))`,
      assigneeId: (id: string) => sql<boolean>`ticket.assignee_id = ${Number(id)}`,
    },
    sorts: {
      ticketNo: { by: sql`ticket.ticket_no`, as: 'text' as const },
      // Overdue tickets have the earliest times; paused tickets have none and come last.
      due: { by: sql`coalesce(ticket.resolution_due_at, 'infinity')`, as: 'moment' as const },
      raisedAt: { by: sql`ticket.raised_at`, as: 'moment' as const },
      changedAt: { by: sql`ticket.changed_at`, as: 'moment' as const },
    },
    isPeople: true,
    toRows: (rows: Row[]) => toRows(ctx, rows),
  };
}

const isUnsolved = sql<boolean>`ticket.status in ('Open', 'In progress', 'On hold')`;

export const {
  routes: byMeRoutes,
  selected: byMeSelected,
  first: firstByMe,
} = serveList(byMeList, (ctx) => {
  const me = ctx.user.staffId;
  const isMine = sql<boolean>`(ticket.raised_by = ${me} or exists (select from ticket_assignment moved
    where moved.ticket_id = ticket.id and moved.by_staff_id = ${me} and moved.to_staff_id is distinct from ${me}))`;
  return {
    ...commonOf(ctx),
    query: ticketsOf(ctx).where(isMine),
    tabs: {
      open: sql<boolean>`ticket.status in ('Open', 'In progress')`,
      held: sql<boolean>`ticket.status = 'On hold'`,
      resolved: sql<boolean>`ticket.status = 'Resolved'`,
      closed: sql<boolean>`ticket.status in ('Closed', 'Cancelled')`,
    },
  };
});

/** The open tickets of the user and, as agent or head, those of the department. */
export const isForMe = ({ user, now }: UserContext): RawBuilder<boolean> =>
  sql<boolean>`(ticket.assignee_id = ${user.staffId} or ${isInQueue({ user, now })}
    or ${isAgent(user, toLocalDate(now()))})`;

export const isInQueue = ({ user, now }: Pick<UserContext, 'user' | 'now'>): RawBuilder<boolean> =>
  sql<boolean>`(ticket.assignee_id is null and ticket.status = 'Open' and ${ofMyDepartment(user, toLocalDate(now()))})`;

export const {
  routes: toMeRoutes,
  selected: toMeSelected,
  first: firstToMe,
} = serveList(toMeList, (ctx) => {
  const isMine = sql<boolean>`(ticket.assignee_id = ${ctx.user.staffId})`;
  const chips = chipsAt(ctx);
  return {
    ...commonOf(ctx),
    query: ticketsOf(ctx),
    tabs: {
      mine: sql<boolean>`(${isMine} and ${isUnsolved})`,
      queue: isInQueue(ctx),
      today: sql<boolean>`(${isForMe(ctx)} and ${chips['Due today']})`,
      overdue: sql<boolean>`(${isForMe(ctx)} and ${chips.Overdue})`,
      waiting: sql<boolean>`(${isForMe(ctx)} and ticket.status = 'On hold')`,
      done: sql<boolean>`(${isMine} and ticket.status in ('Resolved', 'Closed'))`,
      all: undefined,
    },
  };
});

/** How many tickets wait for the user: those to work on, and those in the queue. */
export async function countWaiting({ db, user, now }: UserContext): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ticket
    where ${isVisible(user, toLocalDate(now()))} and (${isInQueue({ user, now })}
      or (ticket.assignee_id = ${user.staffId} and ticket.status in ('Open', 'In progress')))`.execute(db);
  return rows[0]?.count ?? 0;
}
