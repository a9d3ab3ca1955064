import { sql } from 'kysely';
import { calendarHook } from '#features/calendar/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** Registers of days whose work changes: their marks stay, and their share of percentages follows the calendar. */
export const answerCalendar = answer(calendarHook, { by: 'attendance', step: 7 }, async ({ db }, { yearId, days }) => {
  const { rows: registers } = await sql<{ id: number; version: number; day: string; section_id: number }>`
    select register.id, register.version, register.day::text, register.section_id
    from attendance_register register
    join jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as changed (day date, "gradeId" integer)
      on changed.day = register.day and changed."gradeId" = register.grade_id
    where register.academic_year_id = ${yearId} order by register.id`.execute(db);
  const counts = {
    registers: registers.length,
    days: new Set(registers.map(({ day }) => day)).size,
    sections: new Set(registers.map(({ section_id: id }) => id)).size,
  };
  return {
    texts:
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
    basis: registers.map(({ id, version }) => [id, version]),
  };
});
