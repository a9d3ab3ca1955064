import { sql } from 'kysely';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { visitApi } from '../contract/visit.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit', minute: '2-digit' });

export const offerVisit: Handler<typeof visitApi.offer> = async ({ db, now }) => {
  const { rows: types } = await sql<{ id: number; name: string }>`
    select type.id, type.name from observation_type type
    join observation_rubric_version version on version.rubric_id = type.rubric_id and version.state = 'Published'
    where type.for_whom = 'Staff' and type.is_active order by lower(type.name)`.execute(db);
  const { rows: sections } = await sql<{ id: number; name: string }>`
    select section.id, academic_section_name(grade.name, section.name) as name from academic_section section
    join academic_year year on year.id = section.academic_year_id and year.id = academic_year_on(${toLocalDate(now())}::date)
    join academic_grade grade on grade.id = section.grade_id
    where section.is_active order by grade.position, lower(section.name), section.id`.execute(db);
  return { types, sections, day: toLocalDate(now()), time: clock.format(now()) };
};
