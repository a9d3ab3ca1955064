import { sql } from 'kysely';
import { calendarHook } from '#features/calendar/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';

/** Homework that is due on days whose work changes stays due then; its list says that there is no school. */
export const answerCalendar = answer(calendarHook, { by: 'homework', step: 7 }, async ({ db }, { yearId, days }) => {
  const { rows } = await sql<{ id: number; version: number }>`
    select given.id, given.version from homework_section given
    join jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as changed (day date, "gradeId" integer)
      on changed.day = given.due_on and changed."gradeId" = given.grade_id
    where given.academic_year_id = ${yearId} and given.state = 'Published' order by given.id`.execute(db);
  return {
    texts:
      rows.length === 0
        ? []
        : [
            text(
              { message: '{n, plural, one {# homework is} other {# pieces of homework are}} due on these days.' },
              { n: rows.length },
            ),
          ],
    basis: rows.map(({ id, version }) => [id, version]),
  };
});
