import { sql } from 'kysely';
import { text, verbatim } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';
import type { Slot } from '../contract/register.ts';
import { attendanceCard } from './student-card.ts';

/** Days on which a student was not there from the beginning to the end; the id is the half of the day. */
export const attendanceEvents: EventSource = {
  record: 'student',
  kind: 'attendance',
  title: text`Attendance`,
  access: attendanceCard.card.access,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{ day: string; id: number; slot: Slot; name: string; arrived: string }>`
      select mark.day::text as day, mark.half::integer as id, register.slot, code.name, coalesce(mark.arrived_at::text, '') as arrived
      from academic_year year
      join attendance_mark mark on mark.academic_year_id = year.id and mark.student_id = ${id}
        and mark.day between ${from}::date and ${to}::date
      join attendance_code code on code.id = mark.code_id and code.kind not in ('Present', 'On duty')
      join attendance_register register on register.id = mark.register_id
      where year.starts_on <= ${to}::date and year.ends_on >= ${from}::date
        and ${isAfter(sql`mark.day`, sql`mark.half::integer`)}
      order by mark.day desc, mark.half desc limit ${most}`.execute(db);
    return rows.map(({ slot, name, arrived, ...row }) => ({
      ...row,
      what: slot === 'Full day' ? verbatim(name) : text`${{ mark: name }}, ${{ slot: { id: slot } }}`,
      detail: arrived.slice(0, 5),
    }));
  },
};
