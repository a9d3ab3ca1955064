import { sql } from 'kysely';
import { text, verbatim } from '#kit/contract/text.ts';
import type { DayCell } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { timeOfDay } from './read.ts';

/** The teacher’s meetings with parents today. */
export const meetingCell: DayCell = {
  title: text`Meeting with parents today`,
  roles: ['Staff'],
  sets: ['classTeacher', 'subjectTeacher'],
  read: async ({ db, now, user }) => {
    const { rows } = await sql<{ id: number; name: string; from: string; booked: number }>`
      select meeting.id, meeting.name, ${timeOfDay(sql`host.starts_at`)} as "from",
        (select count(*)::integer from meeting_slot slot where slot.host_id = host.id and slot.student_id is not null) as booked
      from meeting join meeting_host host on host.meeting_id = meeting.id and not host.is_closed
      where meeting.day = ${toLocalDate(now())}::date and meeting.state = 'Open' and host.staff_id = ${user.staffId}
      order by host.starts_at, meeting.id limit 3`.execute(db);
    return rows.map(({ id, name, from, booked }) => ({
      words: verbatim(`${from} ${name}`),
      aside: text({ message: '{n, plural, one {# family} other {# families}}' }, { n: booked }),
      to: `meeting/meeting-list/${id}`,
    }));
  },
};
