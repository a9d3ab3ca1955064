import { beforeEach, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openPlacing, type PlacingStage } from '#testing/placing.ts';
import type { School } from '#testing/school.ts';
import { sectionStudentApi } from '../../contract/section-student.ts';

const { current, child, children, day, move, studentsIn, namesIn, overview } = openPlacing();
let school: School;
let admin: Person;
let here: PlacingStage;
beforeEach(() => {
  ({ school, admin, here } = current());
});

test('a student’s name has all three parts, and sorts first without a middle one', async () => {
  const [first, second, third] = await children('Asha', 'asha', 'Asha');
  const middle = (enrollment: number | undefined, name: string) =>
    school.sql(`update student set middle_name = '${name}'
      where id = (select student_id from student_enrollment where id = ${enrollment})`);
  await middle(first, 'Mira');
  await middle(second, 'Devi');
  const rows = await studentsIn(null);
  expect(rows.map(({ id, name }) => [id, name])).toEqual([
    [third, 'Asha Shah'],
    [second, 'asha Devi Shah'],
    [first, 'Asha Mira Shah'],
  ]);
});

test('K1.4 a section’s capacity cannot be less than its strength', async () => {
  await move(here.a, await children('A', 'B', 'C'));
  await expect(school.sql(`update academic_section set capacity = 2 where id = ${here.a}`)).rejects.toThrow(
    'the section is full',
  );
  const list = await admin.call(sectionMaster.api.list, { search: '', gradeId: String(here.gradeId) } as never);
  const row = list.rows.find(({ id }) => id === here.a) as Record<string, unknown>;
  const values = {
    roomId: null,
    ...Object.fromEntries(Object.keys(sectionMaster.fields).map((name) => [name, row[name]])),
  };
  const body = { ...values, version: row.version, capacity: 2, isActive: true };
  const { status, json } = await admin.send({ method: 'PUT', url: `/api/academic/section/${here.a}`, body });
  expect([status, json.error.fields]).toEqual([
    422,
    { capacity: 'This section already has more students. Enter a higher number.' },
  ]);
  const other = await plant(school, gradeMaster);
  const moved = await admin.send({
    method: 'PUT',
    url: `/api/academic/section/${here.a}`,
    body: { ...body, capacity: 3, gradeId: other.id },
  });
  expect(Object.keys(moved.json.error.fields)).toEqual(['gradeId']);
});

test('K1.6 a grade with students cannot be deleted', async () => {
  await children('Asha');
  const { rows } = await admin.call(gradeMaster.api.list, { search: '' });
  const grade = rows.find(({ id }) => id === here.gradeId) as { version: number; usedBy: number } | undefined;
  const { status } = await admin.send({
    method: 'DELETE',
    url: `/api/academic/grade/${here.gradeId}`,
    body: { version: grade?.version ?? 1 },
  });
  expect(status).toBe(409);
  await expect(school.sql(`delete from academic_grade where id = ${here.gradeId}`)).rejects.toThrow('foreign key');
});

test('girls, boys and unassigned students are counted and listed', async () => {
  const ids = [await child('Asha'), await child('Ravi', { gender: 'M' }), await child('Noor', { gender: 'T' })];
  await move(here.a, ids);
  await child('Zara');
  const { sections, unplaced } = await overview();
  expect([sections.find(({ id }) => id === here.a), unplaced]).toMatchObject([
    { strength: 3, girls: 1, boys: 1, capacity: 3 },
    1,
  ]);
  expect(await namesIn(null)).toEqual(['Zara']);
  // Removed from the section they have none.
  await move(null, ids.slice(0, 1), day(5));
  expect([await namesIn(here.a, day(4)), await namesIn(here.a, day(5))].map((names) => names.length)).toEqual([3, 2]);
  expect((await overview()).unplaced).toBe(2);
});

test('the database keeps a student’s sections within their enrolment, its days and its year', async () => {
  const [asha = 0, bela = 0] = await children('Asha', 'Bela');
  await move(here.a, [asha], day(10));
  const enrollment = (change: string) => school.sql(`update student_enrollment set ${change} where id = ${asha}`);
  const year = (change: string) => school.sql(`update academic_year set ${change} where id = ${here.academicYearId}`);
  await expect(enrollment(`joined_on = '${day(11)}'`)).rejects.toThrow('a section is held only while enrolled');
  await expect(enrollment(`status = 'Left', left_on = '${day(20)}'`)).rejects.toThrow('only while enrolled');
  await expect(enrollment(`status = 'Left'`)).rejects.toThrow('violates check constraint');
  await expect(enrollment(`left_on = '${here.until}'`)).rejects.toThrow('violates check constraint');
  await expect(year(`starts_on = '${day(11)}'`)).rejects.toThrow('somebody would be outside the year');
  await expect(year(`ends_on = '${day(9)}'`)).rejects.toThrow('somebody would be outside the year');
  await expect(
    school.sql(`update student_section set enrollment_id = ${bela} where enrollment_id = ${asha}`),
  ).rejects.toThrow('student_section_of_enrollment');
});

test('a GR number is unique in a branch, and the last day of a student follows from the leaving', async () => {
  const asha = await child('Asha', { grNo: 'gr 1' });
  await expect(child('Bela', { grNo: 'GR 1' })).rejects.toThrow('student_gr_no_unique');
  const student = (change: string) =>
    school.sql(
      `update student set ${change} where id = (select student_id from student_enrollment where id = ${asha})`,
    );
  await expect(student(`left_on = '${here.until}'`)).rejects.toThrow('the last day follows from the leaving');
});

test('students are found by name and GR number and sorted by roll number; the day stays within the year', async () => {
  const ids = [await child('Bela'), await child('Asha', { grNo: 'X-77' })];
  for (const id of ids) await move(here.a, [id]);
  expect(await namesIn(here.a)).toEqual(['Bela', 'Asha']);
  const found = async (search: string) => {
    const filter = { academicYearId: here.academicYearId, gradeId: here.gradeId, sectionId: here.a, on: '', search };
    const { students, total } = await admin.call(sectionStudentApi.students, filter);
    return [students.map(({ name }) => name), total];
  };
  expect([await found('bela sh'), await found('x-7'), await found('X\u2011૭'), await found('%')]).toEqual([
    [['Bela Shah'], 1],
    [['Asha Shah'], 1],
    [['Asha Shah'], 1],
    [[], 0],
  ]);
  expect([(await overview(day(-9))).on, (await overview(day(400))).on]).toEqual([here.from, here.until]);
});

test('exports of a class list and of section strength are audited', async () => {
  await move(here.a, await children('Asha', 'Bela'));
  const url = (what: string) =>
    `/api/academic/section-student/export?academicYearId=${here.academicYearId}&gradeId=${here.gradeId}&sectionId=${here.a}&on=${here.from}&what=${what}&as=csv`;
  const lines = async (what: string) =>
    (await admin.send({ url: url(what) })).text.replace('\uFEFF', '').replaceAll('"', '').trim().split('\r\n');
  expect(await lines('list')).toEqual([
    'Section,Roll number,GR number,Name,Gender,Birth date',
    expect.stringMatching(/,1,G\d+,Asha Shah,Girl,2019-01-01$/),
    expect.stringMatching(/,2,G\d+,Bela Shah,Girl,2019-01-01$/),
  ]);
  expect(await lines('strength')).toEqual([
    'Grade,Section,Program,Branch,Girls,Boys,Total,Capacity,Free seats',
    expect.stringMatching(/,2,0,2,3,1$/),
    expect.stringMatching(/,0,0,0,3,3$/),
  ]);
  const noted = `select 1 from audit where action = 'section-student.exported' and entity_id = ${here.academicYearId}`;
  expect(await school.sql(noted)).toHaveLength(2);
});

test('the grades that have active sections in a year are listed', async () => {
  const { academicYearId, gradeId, a, b } = here;
  const grades = () => admin.call(sectionStudentApi.grades, { academicYearId });
  expect(await grades()).toEqual([gradeId]);
  await school.sql(`update academic_section set is_active = false where id in (${a}, ${b})`);
  expect(await grades()).toEqual([]);
});
