import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { isKept, isSeen } from './read.ts';

const list = 'meeting/meeting-list';

/** Meetings that families can't book yet, the earliest day first. */
export const openTodo: TodoSource = {
  kind: 'meeting-open',
  title: text`Meetings to open for families`,
  icon: 'day',
  roles: ['Staff'],
  sets: ['office', 'principal'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const { rows } = await sql<{ id: number; name: string; day: string; isLate: boolean; total: number }>`
      select meeting.id, meeting.name, meeting.day::text, meeting.books_until <= ${today}::date as "isLate",
        (count(*) over ())::integer as total
      from meeting where meeting.state = 'Draft' and meeting.day >= ${today}::date and ${isKept(ctx)}
      order by meeting.day, meeting.id limit ${most}`.execute(ctx.db);
    return {
      total: rows[0]?.total ?? 0,
      to: list,
      rows: rows.map(({ id, name, day, isLate }) => ({
        id,
        when: isLate ? ('late' as const) : ('soon' as const),
        title: name,
        about: '',
        detail: text`On ${{ day: showDate(day, today) }}`,
        to: `${list}/${id}`,
        act: text`Open`,
      })),
    };
  },
};

/** For how many days a teacher is asked who came. */
const askedFor = 14;

/** Meetings in which a teacher has not entered of every family whether it came. */
export const cameTodo: TodoSource = {
  kind: 'meeting-came',
  title: text`Who came to the meeting`,
  icon: 'day',
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  find: async (ctx, most) => {
    const { db, now, user } = ctx;
    const today = toLocalDate(now());
    const { rows } = await sql<{ id: number; hostId: number; name: string; day: string; open: number; total: number }>`
      select meeting.id, host.id as "hostId", meeting.name, meeting.day::text, count(*)::integer as open,
        (count(*) over ())::integer as total
      from meeting join meeting_host host on host.meeting_id = meeting.id
      join meeting_slot slot on slot.host_id = host.id
      where host.staff_id = ${user.staffId} and meeting.state = 'Open' and not slot.is_closed
        and slot.student_id is not null and slot.came = '' and slot.ends_at <= ${now()}
        and meeting.day > ${today}::date - ${askedFor}::integer and ${isSeen(ctx)}
      group by meeting.id, host.id order by meeting.day, meeting.id limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: `${list}?tab=past`,
      rows: rows.map(({ id, hostId, name, day, open }) => ({
        id,
        when: day < today ? ('late' as const) : ('today' as const),
        title: name,
        about: '',
        detail: open === 1 ? text`1 family to enter` : text`${{ count: open }} families to enter`,
        to: `${list}/${id}?host=${hostId}`,
        act: text`Enter`,
      })),
    };
  },
};
