import type { Person, School } from './school.ts';

/** A section of the current year with girls called Child 1, Child 2, …, its class teacher, and school today. Returns its id. */
export async function openClass(school: School, { teacher, students }: { teacher: Person; students: number }) {
  const mark = Math.floor(Math.random() * 1e6);
  const today = `(now() at time zone 'Asia/Kolkata')::date`;
  const [made] = await school.sql(`
    with year as (select id, starts_on from academic_year where ${today} between starts_on and ends_on),
    grade as (insert into academic_grade (name, code, stage, position)
      select 'Class ${mark}', 'C' || right('${mark}', 5), 'Middle', 10000 + ${mark} % 10000 returning id),
    working as (insert into academic_calendar_day (academic_year_id, day, kind, name, grade_id)
      select year.id, ${today}, 'Working day', 'School', grade.id from year, grade),
    section as (insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
      select year.id, 1, grade.id, 1, 'A', ${students}, 'English' from year, grade returning *),
    leader as (insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id,
        role, effective_from)
      select section.academic_year_id, branch_id, program_id, grade_id, section.id, ${teacher.staffId}, 'Class teacher',
        year.starts_on from section, year),
    children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select 1, '${mark}-' || n, 'Child ' || n, 'Shah', 'F', '2017-01-01' from generate_series(1, ${students}) n
      returning id, split_part(gr_no, '-', 2)::smallint as n),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type,
        joined_on)
      select children.id, section.academic_year_id, section.branch_id, section.program_id, section.grade_id, 'New',
        year.starts_on from children, section, year returning *)
    insert into student_section (academic_year_id, branch_id, program_id, enrollment_id, student_id, grade_id, section_id,
      roll_no, effective_from, reason)
    select enrolled.academic_year_id, enrolled.branch_id, enrolled.program_id, enrolled.id, enrolled.student_id,
      enrolled.grade_id, section.id, children.n, enrolled.joined_on, ''
    from enrolled join children on children.id = enrolled.student_id cross join section
    returning section_id`);
  return Number(made?.section_id);
}
