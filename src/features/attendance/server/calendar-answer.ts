import { sql } from 'kysely';
import { ofGrades, schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** Registers of days whose work changes: their marks stay, and their share of percentages follows the calendar, as leave does. */
export const answerCalendar = answer(
  schoolDaysChanged,
  {
    by: 'attendance',
    step: 7,
    lock: ({ db }, { yearId, from, to }) =>
      sql`select from attendance_leave where academic_year_id = ${yearId} and state in ('Asked', 'Granted')
        and from_day <= ${to}::date and to_day >= ${from}::date order by id for no key update`.execute(db),
  },
  async ({ db }, { yearId, from, to, days }) => {
    const { rows: registers } = await sql<{ id: number; version: number; day: string; section_id: number }>`
      select register.id, register.version, register.day::text, register.section_id
      from attendance_register register
      join jsonb_to_recordset(${JSON.stringify(ofGrades(days))}::jsonb) as changed (day date, "gradeId" integer)
        on changed.day = register.day and changed."gradeId" = register.grade_id
      where register.academic_year_id = ${yearId} order by register.id`.execute(db);
    const { rows: leaves } = await sql<{ id: number; was: number; now: number }>`
      select leave_id as id, was, now from attendance_leave_weigh(${yearId}, ${from}, ${to}) order by 1`.execute(db);
    const counts = {
      registers: registers.length,
      days: new Set(registers.map(({ day }) => day)).size,
      sections: new Set(registers.map(({ section_id: id }) => id)).size,
    };
    return {
      warns:
        registers.length === 0
          ? []
          : [
              text(
                {
                  message:
                    'Attendance was taken on {days, plural, one {# of these days} other {# of these days}}, in {sections, plural, one {# section} other {# sections}}. The marks are kept; percentages follow the calendar.',
                },
                counts,
              ),
            ],
      moves:
        leaves.length === 0
          ? []
          : [
              text(
                {
                  message:
                    '{n, plural, one {The school days counted for the leave of # student change.} other {The school days counted for the leave of # students change.}}',
                },
                { n: leaves.length },
              ),
            ],
      basis: [registers.map(({ id, version }) => [id, version]), leaves],
    };
  },
);
