import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

const subjects = [
  'English',
  'Gujarati',
  'Hindi',
  'Mathematics',
  'Science',
  'History',
  'Geography',
  'Music',
  'Art',
  'Sports',
];

/**
 * Gives each section of the current year a class teacher and a teacher of each subject, like a real school of its size.
 * One section in fifty has no class teacher, and one class in ninety no teacher.
 */
export async function addTeachers(db: Database) {
  await sql`insert into configuration_subject (name, code, short_name, kind)
    select name, 'B' || place, left(name, 12), 'Scholastic'
    from unnest(${subjects}::text[]) with ordinality as own (name, place)`.execute(db);
  await sql`insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
    select taken.academic_year_id, taken.program_id, taken.grade_id, subject.id, true
    from (select distinct academic_year_id, program_id, grade_id from academic_section) taken, configuration_subject subject
    where subject.code like 'B%'`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from configuration_subject where code like 'B%'`.execute(db);
  await sql`select take_statistics('academic_section'), take_statistics('staff'), take_statistics('staff_employment')`.execute(
    db,
  );
  // One subject at a time: the rules of all places take longer than a statement may.
  for (const id of [null, ...rows.map(({ id }) => id)])
    await sql`
      with teacher as (
        select staff.id, row_number() over (order by staff.id) - 1 as place
        from staff where employee_number like 'B%'
          and not exists (select from staff_inactive where staff_id = staff.id)
          and not exists (select from staff_employment where staff_id = staff.id and joined_on > current_date))
      insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
        subject_id, periods_per_week, effective_from)
      select section.academic_year_id, section.branch_id, section.program_id, section.grade_id, section.id, teacher.id,
        ${id === null ? 'Class teacher' : 'Subject teacher'}, ${id}::integer, ${id === null ? null : 5}::smallint, year.starts_on
      from academic_section section
      join academic_year year on year.id = section.academic_year_id and year.id = academic_year_on(school_now()::date)
      join teacher on teacher.place = (section.id * 7 + ${id ?? 0}::integer) % (select count(*) from teacher)
      where (section.id + ${id ?? 0}::integer) % ${id === null ? 50 : 90} > 0`.execute(db);
}
