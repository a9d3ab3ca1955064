import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import { localTimeZone } from '#kit/server/day.ts';
import { minuteOf, type OpenOn, worked } from '../contract/clock.ts';
import type { TicketChip, TicketState } from '../contract/state.ts';

/** The name of a category with that of the category it is part of, in a query of `ticket`. */
export const categoryName = sql<string>`(select concat_ws(', ', parent.name, category.name) from ticket_category category
  left join ticket_category parent on parent.id = category.parent_id where category.id = ticket.category_id)`;

/** Where the student is shown today, or ''. */
export const sectionOf = (day: string) => sql<string>`coalesce((
  select name from student_place(ticket.about_student_id, ${day}::date)), '')`;

export const placeName = sql<string>`coalesce((select concat_ws(', ', room.name, nullif(room.building, ''))
  from academic_room room where room.id = ticket.room_id), ticket.place)`;

interface Standing {
  status: TicketState;
  resolutionDueAt: Date | null;
  resolvedAt: Date | null;
}

/** How a ticket stands now: overdue from the minute after its due time, and paused while it is on hold and not overdue. */
export function chipOf({ status, resolutionDueAt }: Standing, now: Date): TicketChip {
  if (status === 'Resolved' || status === 'Closed' || status === 'Cancelled') return 'Done';
  if (resolutionDueAt === null) return status === 'On hold' ? 'Paused' : 'Not timed';
  if (minuteOf(now) > minuteOf(resolutionDueAt)) return 'Overdue';
  if (status === 'On hold') return 'Paused';
  return Math.floor(minuteOf(now) / 1440) === Math.floor(minuteOf(resolutionDueAt) / 1440) ? 'Due today' : 'On time';
}

/** The same as conditions in a query of `ticket`. */
export function chipsAt({ now }: Pick<UserContext, 'now'>) {
  const minute = sql`date_trunc('minute', ${now()}::timestamptz)`;
  const isLate = sql`coalesce(ticket.resolution_due_at < ${minute}, false)`;
  const isToday = sql`(ticket.resolution_due_at at time zone ${localTimeZone})::date = (${now()}::timestamptz at time zone ${localTimeZone})::date`;
  const isOpen = sql`ticket.status in ('Open', 'In progress', 'On hold')`;
  const isHeld = sql`ticket.status = 'On hold'`;
  return {
    'On time': sql<boolean>`(${isOpen} and not ${isHeld} and not ${isLate} and not coalesce(${isToday}, true))`,
    'Due today': sql<boolean>`(${isOpen} and not ${isHeld} and not ${isLate} and coalesce(${isToday}, false))`,
    Overdue: sql<boolean>`(${isOpen} and ${isLate})`,
    Paused: sql<boolean>`(${isHeld} and not ${isLate})`,
  };
}

/** Business minutes until the due time, or those since then as a negative number. */
export function minutesLeft(open: OpenOn, due: Date | null, now: Date): number | null {
  if (due === null) return null;
  const [at, today] = [minuteOf(due), minuteOf(now)];
  return today <= at ? worked(open, today, at) : -worked(open, at, today);
}

/** "09:05", of minutes after midnight. */
export const clockWords = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const form = new Intl.DateTimeFormat('en-GB', {
  timeZone: localTimeZone,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Sat 4 Jul 2026, 10:00" at the school; '' for none. */
export function momentWords(moment: Date | null): string {
  if (moment === null) return '';
  const { weekday, day, month, year, hour, minute } = partsOf(moment);
  return `${weekday} ${day} ${month} ${year}, ${hour}:${minute}`;
}

/** "4 Jul, 10:00" of the year that it is now, else as `momentWords`. */
export function shortMoment(moment: Date | null, now: Date): string {
  if (moment === null || partsOf(moment).year !== partsOf(now).year) return momentWords(moment);
  const { day, month, hour, minute } = partsOf(moment);
  return `${day} ${month}, ${hour}:${minute}`;
}

const partsOf = (moment: Date) =>
  Object.fromEntries(form.formatToParts(moment).map(({ type, value }) => [type, value]));
