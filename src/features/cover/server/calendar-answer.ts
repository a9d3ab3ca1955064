import { sql } from 'kysely';
import { ofGrades, schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';
import { endCovers } from './give.ts';

/** Covers of sections that have no school any more end; a day that is opened again leaves them to be given. */
export const answerCalendar = answer(schoolDaysChanged, { by: 'cover', step: 7 }, async (ctx, { yearId, days }) => {
  const closed = JSON.stringify(ofGrades(days.filter(({ work }) => work === 0)));
  const { rows } = await sql<{ id: number }>`
    select cover.id from cover join academic_section section on section.id = cover.section_id
    join jsonb_to_recordset(${closed}::jsonb) as changed (day date, "gradeId" integer)
      on changed.day = cover.day and changed."gradeId" = section.grade_id
    where cover.academic_year_id = ${yearId} and cover.state = 'Given' order by cover.id for update of cover`.execute(
    ctx.db,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await endCovers(ctx, ids);
  return {
    warns: [],
    moves:
      ids.length === 0
        ? []
        : [
            text(
              { message: '{n, plural, one {# substitute is} other {# substitutes are}} cancelled, with a message.' },
              { n: ids.length },
            ),
          ],
    basis: ids,
  };
});
