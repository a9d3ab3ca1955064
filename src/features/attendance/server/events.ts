import { sql } from 'kysely';
import { text, verbatim } from '#kit/contract/text.ts';
import type { EventSource } from '#kit/server/context.ts';
import { exitApi } from '../contract/exit.ts';
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

/** The child left before the day was over; a return is named with it. */
export const exitEvents: EventSource = {
  record: 'student',
  kind: 'gate-pass',
  title: text`Gate passes`,
  access: exitApi.leave.access,
  find: async ({ db }, id, { from, to, most, isAfter }) => {
    const { rows } = await sql<{
      day: string;
      id: number;
      leftAt: string;
      returnedAt: string | null;
      person: string;
      detail: string;
    }>`
      select exit.day::text, exit.id, to_char(exit.left_at, 'HH24:MI') as "leftAt",
        to_char(exit.returned_at, 'HH24:MI') as "returnedAt", coalesce(adult.name, exit.person) as person, exit.reason as detail
      from attendance_exit exit
      left join guardian adult on adult.id = guardian_now(exit.guardian_id)
      where exit.student_id = ${id} and exit.day between ${from}::date and ${to}::date
        and ${isAfter(sql`exit.day`, sql`exit.id`)}
      order by exit.day desc, exit.id desc limit ${most}`.execute(db);
    return rows.map(({ leftAt, returnedAt, person, ...row }) => ({
      ...row,
      what: returnedAt
        ? text`Left at ${{ time: leftAt }} with ${{ person }}, back at ${{ back: returnedAt }}`
        : text`Left at ${{ time: leftAt }} with ${{ person }}`,
    }));
  },
};
