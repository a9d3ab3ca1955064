import { sql } from 'kysely';
import { ofGrades, schoolDaysChanged } from '#features/calendar/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { localTimeZone } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';

/** Planned visits to lessons of grades that have no school any more on their day are named; they do not move. */
export const answerCalendar = answer(schoolDaysChanged, { by: 'observation', step: 11 }, async ({ db }, { days }) => {
  const closed = JSON.stringify(ofGrades(days.filter(({ work }) => work === 0)));
  const { rows } = await sql<{ day: string; visits: number }>`
    select changed.day::text as day, count(*)::integer as visits
    from jsonb_to_recordset(${closed}::jsonb) as changed (day date, "gradeId" integer)
    join observation_visit visit on visit.state = 'Scheduled'
      and visit.scheduled_at >= changed.day::timestamp at time zone ${localTimeZone}
      and visit.scheduled_at < (changed.day + 1)::timestamp at time zone ${localTimeZone}
    join academic_section section on section.id = visit.section_id and section.grade_id = changed."gradeId"
    group by changed.day order by changed.day`.execute(db);
  return {
    warns: rows.map(({ day, visits }) =>
      text(
        {
          message:
            '{n, plural, one {# visit to a lesson is} other {# visits to lessons are}} planned on {day}. The observer moves it.',
        },
        { n: visits, day: showDate(day) },
      ),
    ),
    moves: [],
    basis: rows,
  };
});
