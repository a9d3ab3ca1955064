import type { Person } from './browser.ts';
import type { School } from './school.ts';
import { seat } from './seated.ts';
import { openSection } from './teachers.ts';

/** A Monday of the school year 2026-27, at ten in the morning. */
export const monday = new Date('2026-07-06T04:30:00Z');
export const dayOfJuly = (day: number) => `2026-07-${String(day).padStart(2, '0')}`;

export interface TaughtSection {
  id: number;
  name: string;
  gradeId: number;
  children: number[];
}

/** A section of a stage in the year of July 2026, with these children. */
export async function openStage(
  school: School,
  { stage = 'Middle', names = [] }: { stage?: string; names?: readonly string[] } = {},
): Promise<TaughtSection> {
  const id = await openSection(school, { day: `'${dayOfJuly(6)}'` });
  const [row] = await school.sql(`update academic_section set grade_id = (select min(id) from academic_grade
      where stage = '${stage}') where id = ${id}
    returning grade_id, academic_section_name((select name from academic_grade where id = grade_id), name) as name`);
  const children: number[] = [];
  for (const name of names) children.push(await seat(school, id, name));
  return { id, name: String(row?.name), gradeId: Number(row?.grade_id), children };
}

let subjects = 0;

/** A subject of all these sections' grades, taught by this person in each section. */
export async function teachSubject(
  { sql }: School,
  { staffId }: Pick<Person, 'staffId'>,
  sections: readonly TaughtSection[],
  { name = `Subject ${++subjects}`, isCompulsory = true, from = 'year.starts_on', until = 'null' } = {},
): Promise<number> {
  const [subject] = await sql(`insert into configuration_subject (name, code, short_name, kind)
    values ('${name}', 'S${subjects}', '${name.slice(0, 12)}', 'Scholastic')
    on conflict (lower(name)) do update set name = excluded.name returning id`);
  const ids = sections.map(({ id }) => id).join(', ');
  await sql(`insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory)
    select distinct academic_year_id, program_id, grade_id, ${subject?.id}::integer, ${isCompulsory} from academic_section where id in (${ids})
    on conflict do nothing`);
  await sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role,
      subject_id, effective_from, effective_to)
    select year.id, branch_id, program_id, grade_id, section.id, ${staffId}, 'Subject teacher', ${subject?.id}, ${from}, ${until}
    from academic_section section join academic_year year on year.id = section.academic_year_id where section.id in (${ids})`);
  return Number(subject?.id);
}
