import { checkApi } from '#features/homework/contract/check.ts';
import { homeworkApi } from '#features/homework/contract/homework.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from './browser.ts';
import { openFamilyPage } from './family.ts';
import { setDay } from './registers.ts';
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
  sections: readonly Pick<TaughtSection, 'id'>[],
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

/** A guardian’s digest of today with one item; returns its id. */
export async function plantDigest(school: School): Promise<number> {
  const today = toLocalDate(new Date());
  const { child, guardianId } = await openFamilyPage(school);
  await setDay(school, today, 'Working day');
  const [place] = await school.sql(`select section_id as id from student_section where student_id = ${child}`);
  const id = Number(place?.id);
  const teacher = await school.person();
  const subject = await teachSubject(school, teacher, [{ id }]);
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId};
    with content as (insert into homework (academic_year_id, subject_id, owner_id, title, kind, minutes)
      select academic_year_id, ${subject}, ${teacher.staffId}, '4.2', 'Written', 20 from academic_section where id = ${id}
      returning id)
    insert into homework_section (homework_id, academic_year_id, branch_id, program_id, grade_id, section_id, subject_id,
      assigned_on, due_on, state, publish_at, given_by, news, digest_on)
    select content.id, academic_year_id, branch_id, program_id, grade_id, section.id, ${subject}, '${today}', '${today}',
      'Published', now(), ${teacher.staffId}, 'New', '${today}'
    from academic_section section, content where section.id = ${id}`);
  const [digest] = await school.sql(
    `insert into homework_digest (day, guardian_id) values ('${today}', ${guardianId}) returning id`,
  );
  return Number(digest?.id);
}

/** A teacher of one subject in two sections, the first with these children. */
export async function openTaught(school: School, names: readonly string[] = ['Aarav', 'Bina', 'Charu']) {
  const teacher = await school.person();
  const sections = [await openStage(school, { names }), await openStage(school, { names: ['Dev'] })];
  const subjectId = await teachSubject(school, teacher, sections);
  return { teacher, sections, subjectId, first: sections[0] as TaughtSection };
}

type Given = InputOf<typeof homeworkApi.create>;

/** Gives homework of half an hour to sections, due on a Friday; returns the ids of its deliveries. */
export async function giveHomework(
  person: Person,
  sections: readonly Pick<TaughtSection, 'id'>[],
  { subjectId, ...asked }: Partial<Given> & { subjectId: number },
): Promise<number[]> {
  const { ids } = await person.call(homeworkApi.create, {
    title: 'Exercise 4.2',
    minutes: 30,
    kind: 'Written',
    instructions: '',
    links: '',
    maxMarks: null,
    dueOn: dayOfJuly(10),
    lateUntil: '',
    publish: 'Now',
    publishOn: '',
    publishHour: '',
    overReason: '',
    showsFeedback: true,
    pairs: sections.map(({ id }) => ({ sectionId: id, subjectId })),
    ...asked,
  });
  return ids;
}

export const readHomework = (person: Person, id = 0) => person.call(homeworkApi.read, { id });

export const checkHomework = (person: Person, id: number, rows: object[]) =>
  person.call(checkApi.save, {
    id,
    rows: rows.map((row) => ({ version: 0, handedInOn: '', marks: null, feedback: '', ...row })) as never,
  });

/** The field or code of a refusal and its words; ['', ''] without one. */
export const refusalOf = async (work: Promise<unknown>): Promise<[string, string]> => {
  try {
    await work;
    return ['', ''];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [field] = Object.entries(error.fields);
    return field ? [field[0], english(field[1])] : [error.code, english(error.text)];
  }
};

/** A student who has not done homework that is due today. */
export async function plantMissing(school: School) {
  await plantDigest(school);
  await school.sql(`
    insert into homework_result (homework_section_id, student_id, academic_year_id, result, checked_by, checked_at)
    select given.id, place.student_id, given.academic_year_id, 'Not done', given.given_by, now()
    from homework_section given join student_section place on place.section_id = given.section_id
    on conflict do nothing`);
}
