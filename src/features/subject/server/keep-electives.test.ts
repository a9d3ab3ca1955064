import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionStudentApi } from '#features/student/contract/section-student.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { openTurning, type Turning } from '#testing/turning.ts';
import { electiveGroupMaster, subjectMaster } from '../contract/masters.ts';
import { changeElectives } from './enrolment-change.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin' });
});
afterAll(() => school.close());

interface Offered {
  group: number | null;
  isCompulsory?: boolean;
}

/** Two grades, and a new group of at most two. */
async function open(children: number) {
  const here = await openTurning(school, [
    { name: 'Five', children, next: 'Six', sections: { A: 60 } },
    { name: 'Six', children: 0, sections: { A: 60 } },
  ]);
  const group = (await plant(school, electiveGroupMaster)).id;
  await school.sql(`update configuration_elective_group set min_choices = 0, max_choices = 2 where id = ${group}`);
  const subject = async (name: string) => {
    const { id } = await plant(school, subjectMaster);
    await school.sql(`update configuration_subject set name = '${name} ${id}' where id = ${id}`);
    return id;
  };
  return { ...here, group, subject };
}
const offer = (
  { programId, idOf }: Turning,
  year: number,
  grade: string,
  subject: number,
  { group, isCompulsory = false }: Offered,
) =>
  school.sql(`insert into configuration_grade_subject (academic_year_id, program_id, grade_id, subject_id, is_compulsory,
    elective_group_id) values (${year}, ${programId}, ${idOf(grade)}, ${subject}, ${isCompulsory}, ${group})`);
const choose = (enrolment: number, ...subjects: number[]) =>
  school.sql(`insert into student_subject (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, subject
    from student_enrollment, unnest(array[${subjects.join(', ')}]) as subject where id = ${enrolment}`);
/** What the children of old enrolments have chosen in the new year. */
const chosenIn = async ({ toYearId }: Turning, enrolment: number) =>
  (
    await school.sql(`select subject_id as id from student_subject where academic_year_id = ${toYearId}
      and student_id = (select student_id from student_enrollment where id = ${enrolment}) order by 1`)
  ).map(({ id }) => id);
async function promote({ fromYearId, toYearId, idOf }: Turning, ids: readonly number[], decision = 'Promote') {
  const input = {
    ...{ academicYearId: fromYearId, gradeId: idOf('Five'), toYearId, keepsSection: true },
    students: ids.map((enrollmentId) => ({ enrollmentId, decision: decision as 'Promote' })),
  };
  const { confirmToken, ...shown } = await admin.call(sectionStudentApi.promote, input);
  const { texts } = await recordStatements(school, () =>
    admin.call(sectionStudentApi.promote, { ...input, confirmToken: confirmToken ?? '' }),
  );
  return { also: (shown.also as Text[]).map(english), statements: texts.length };
}

test('N1.5 a promoted child keeps the electives that the next grade offers in the same group, and chooses the rest', async () => {
  const here = await open(3);
  const [art, band, chess, drama] = [
    await here.subject('Art'),
    await here.subject('Band'),
    await here.subject('Chess'),
    await here.subject('Drama'),
  ];
  const other = (await plant(school, electiveGroupMaster)).id;
  for (const subject of [art, band, chess, drama])
    await offer(here, here.fromYearId, 'Five', subject, { group: here.group });
  await offer(here, here.toYearId, 'Six', art, { group: here.group });
  await offer(here, here.toYearId, 'Six', band, { group: other });
  await offer(here, here.toYearId, 'Six', chess, { group: null, isCompulsory: true });
  await offer(here, here.toYearId, 'Six', drama, { group: here.group });
  const [asha = 0, bela = 0, chitra = 0] = await here.enrolmentsOf('Five');
  await choose(asha, art, drama);
  await choose(bela, band, chess);
  const { also } = await promote(here, [asha, bela, chitra]);
  expect(also).toEqual(
    expect.arrayContaining([
      '1 student keeps electives of the same group.',
      '1 student has electives to choose again.',
    ]),
  );
  expect([await chosenIn(here, asha), await chosenIn(here, bela), await chosenIn(here, chitra)]).toEqual([
    [art, drama],
    [],
    [],
  ]);
});

test('N1.5 of a group whose next grade allows fewer nothing is copied, and a detained child keeps all', async () => {
  const here = await open(2);
  const [art, band] = [await here.subject('Art'), await here.subject('Band')];
  for (const [year, grade] of [
    [here.fromYearId, 'Five'],
    [here.toYearId, 'Five'],
    [here.toYearId, 'Six'],
  ] as const)
    for (const subject of [art, band]) await offer(here, year, grade, subject, { group: here.group });
  const [asha = 0, bela = 0] = await here.enrolmentsOf('Five');
  await choose(asha, art, band);
  await choose(bela, art, band);
  await promote(here, [asha], 'Detain');
  expect(await chosenIn(here, asha)).toEqual([art, band]);
  await school.sql(`delete from student_subject where enrollment_id = ${asha} or academic_year_id = ${here.toYearId}`);
  await school.sql(`delete from student_subject where enrollment_id = ${bela} and subject_id = ${band};
    update configuration_elective_group set max_choices = 1 where id = ${here.group}`);
  const { also } = await promote(here, [bela]);
  expect([await chosenIn(here, bela), also.find((words) => words.startsWith('Electives'))]).toEqual([
    [art],
    `Electives kept: Art ${art}`,
  ]);
});

test('the electives of twenty children are copied with as many statements as those of two', async () => {
  const count = async (children: number) => {
    const here = await open(children);
    const art = await here.subject('Art');
    await offer(here, here.fromYearId, 'Five', art, { group: here.group });
    await offer(here, here.toYearId, 'Six', art, { group: here.group });
    const ids = await here.enrolmentsOf('Five');
    for (const id of ids) await choose(id, art);
    const { statements } = await promote(here, ids);
    expect(await chosenIn(here, ids.at(-1) ?? 0)).toEqual([art]);
    return statements;
  };
  expect(await count(20)).toBe(await count(2));
});

test('a move to another section brings back no elective that the office removed', async () => {
  const here = await open(1);
  const { fromYearId, toYearId, group } = here;
  const [old = 0] = await here.enrolmentsOf('Five');
  const art = await here.subject('Art');
  for (const [year, grade] of [
    [fromYearId, 'Five'],
    [toYearId, 'Six'],
  ] as const)
    await offer(here, year, grade, art, { group });
  await choose(old, art);
  await promote(here, [old]);
  expect(await chosenIn(here, old)).toEqual([art]);
  const [own] = await school.sql(`select id, student_id as student, joined_on as joined from student_enrollment
    where academic_year_id = ${toYearId} and student_id = (select student_id from student_enrollment where id = ${old})`);
  // The child came from another enrolment of the year, in which it had chosen the subject.
  await school.sql(`update student_section set effective_from = effective_from + 10 where enrollment_id = ${own?.id};
    update student_enrollment set joined_on = joined_on + 10 where id = ${own?.id}`);
  const [earlier] =
    await school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id,
      grade_id, admission_type, joined_on, status, left_on)
    select student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on - 10, 'Transferred',
      joined_on - 1 from student_enrollment where id = ${own?.id} returning id`);
  await choose(Number(earlier?.id), art);
  await school.sql(`delete from student_subject where enrollment_id = ${own?.id}`);
  const change = {
    studentId: Number(own?.student),
    enrollmentId: Number(own?.id),
    yearId: toYearId,
    kind: 'moved' as const,
  };
  const ctx = school.context();
  const at = (day: string) =>
    ctx.db.transaction().execute((db) => changeElectives.act({ ...ctx, db }, [{ ...change, day }] as never));
  await at(addDays(String(own?.joined), 40));
  expect(await school.sql(`select id from student_subject where enrollment_id = ${own?.id}`)).toEqual([]);
  await at(addDays(String(own?.joined), 10));
  expect(await school.sql(`select subject_id as id from student_subject where enrollment_id = ${own?.id}`)).toEqual([
    { id: art },
  ]);
});
