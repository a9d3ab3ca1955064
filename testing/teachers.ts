import { randomUUID } from 'node:crypto';
import { grantedSets } from '#access/contract/grants.ts';
import type { School } from './school.ts';

/** A short name that no other row has, also in browser tests, which share a school. */
const ownName = () => randomUUID().slice(0, 8);

interface Mapping {
  role?: 'Class teacher' | 'Co-class teacher' | 'Subject teacher';
  sectionId?: number;
  /** The first day in SQL, such as `current_date`; by default the year's. */
  from?: string;
  /** The last day in SQL; by default none. */
  until?: string;
}

/** A new section, by default in the first branch and in the year of today; a day is written in SQL. */
export async function openSection({ sql }: Pick<School, 'sql'>, { branchId = 1, day = 'current_date' } = {}) {
  // A school that was set up long before has no year of today yet.
  await sql(`
    insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status)
    select to_char(starts_on, 'YYYY-') || to_char(starts_on + interval '1 year', 'YY'), starts_on,
      (starts_on + interval '1 year - 1 day')::date, starts_on, 'Open'
    from (select (date_trunc('year', ${day}::date - interval '5 months') + interval '5 months')::date as starts_on) as new
    where not exists (select from academic_year where ${day}::date between starts_on and ends_on)`);
  const [row] = await sql(`
    insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select id, ${branchId}, (select min(id) from academic_grade), (select min(id) from academic_program),
      '${ownName()}', 40, 'English'
    from academic_year where ${day}::date between starts_on and ends_on returning id`);
  return Number(row?.id);
}

/** Maps a person to a section, by default as the class teacher of a new one for this year; returns the section. */
export async function teach(
  school: Pick<School, 'sql'>,
  { staffId }: { staffId: number },
  { role = 'Class teacher', sectionId, from = 'year.starts_on', until = 'null' }: Mapping = {},
): Promise<number> {
  const id = sectionId ?? (await openSection(school));
  const subject = role === 'Subject teacher' ? await openSubject(school, id) : 'null';
  await school.sql(`
    insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
      subject_id, effective_from, effective_to)
    select year.id, branch_id, program_id, grade_id, section.id, ${staffId}, '${role}', ${subject}, ${from}, ${until}
    from academic_section section join academic_year year on year.id = section.academic_year_id
    where section.id = ${id}`);
  return id;
}

/** A new subject of the section's grade. */
async function openSubject({ sql }: Pick<School, 'sql'>, sectionId: number): Promise<number> {
  const name = ownName();
  const [row] = await sql(`
    with subject as (insert into configuration_subject (name, code, short_name, kind)
      values ('${name}', '${name}', '${name}', 'Scholastic') returning id)
    insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
    select academic_year_id, program_id, grade_id, subject.id, true from academic_section section, subject
    where section.id = ${sectionId} returning subject_id`);
  return Number(row?.subject_id);
}

/** A person with all sets that are granted, who also teaches as class and subject teacher today. */
export async function openAllOfStaff(school: School) {
  const person = await school.person({ sets: [...grantedSets] });
  await teach(school, person);
  await teach(school, person, { role: 'Subject teacher' });
  return person;
}
