import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { isReached } from './guardians.ts';

const list = 'family/link-list?tab=unreached';

/** Guardians to whom messages do not arrive, the latest first: the office corrects the number or address. */
export const unreachedTodo: TodoSource = {
  kind: 'family-unreached',
  title: text`Guardians that messages do not reach`,
  icon: 'message',
  sets: ['office'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const { rows } = await sql<{
      id: number;
      name: string;
      channel: string;
      since: string;
      studentId: number | null;
      child: string | null;
      total: number;
    }>`
      select guardian.id, guardian.name, trouble.channel, (trouble.since at time zone 'Asia/Kolkata')::date::text as since,
        child.id as "studentId", child.name as child, (count(*) over ())::integer as total
      from message_trouble trouble
      join guardian on guardian.id = trouble.guardian_id
      left join lateral (select student.id, student.name from family_children(guardian.id, ${today}::date) own
        join student on student.id = own.student_id order by student.birth_date, student.id limit 1) as child on true
      where trouble.since is not null and ${isReached(ctx.user, today)}
      order by trouble.since desc, guardian.id, trouble.channel limit ${most}`.execute(ctx.db);
    return {
      total: rows[0]?.total ?? 0,
      to: list,
      rows: rows.map(({ id, name, channel, since, studentId, child }) => ({
        id,
        when: 'soon',
        title: name,
        about: child ?? '',
        detail:
          channel === 'sms'
            ? text`Text messages have not arrived since ${{ day: showDate(since, today) }}. Correct the mobile number.`
            : text`Emails have not arrived since ${{ day: showDate(since, today) }}. Correct the address.`,
        to: studentId ? `student/student-list/${studentId}` : list,
        act: text`Open`,
      })),
    };
  },
};
