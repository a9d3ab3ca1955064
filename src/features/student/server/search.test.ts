// Smoke: runs on the oldest PostgreSQL too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { searchApi } from '#features/search/contract.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Zubin Wadia', role: 'Admin' });
});
afterAll(() => school.close());

async function studentsOf(search: string, person = admin) {
  const groups = await person.call(searchApi.find, { search });
  const hits = groups.find(({ kind }) => kind === 'student')?.hits ?? [];
  return hits.map(({ closeness: _, ...hit }) => hit);
}
const titles = async (search: string) => (await studentsOf(search)).map(({ title }) => title);

async function place() {
  const section = await plant(school, sectionMaster);
  const [names] =
    await school.sql(`select academic_section_name(grade.name, section.name) as section, grade.name as grade
    from academic_section section join academic_grade grade on grade.id = section.grade_id where section.id = ${section.id}`);
  const { academicYearId, branchId, programId, gradeId } = section as unknown as Record<string, number>;
  return {
    sectionId: section.id,
    section: String(names?.section),
    grade: String(names?.grade),
    ...({ academicYearId, branchId, programId, gradeId } as Parameters<typeof enroll>[1]),
  };
}

test('an Admin finds a student by name in any script, by a misspelt name, and by the beginning of the GR number', async () => {
  await enroll(school, await place(), 'Krisha', { grNo: 'KR/0815' });
  for (const typed of [
    'krisha shah',
    'ક્રિશા શાહ',
    'क्रिशा शाह',
    'krsha shah',
    'KR/0815',
    'kr/08',
    '0815',
    'kr0815',
    '٠٨١٥',
    '௦௮௧௫',
  ])
    expect([typed, await titles(typed)]).toEqual([typed, ['Krisha Shah']]);
  expect(await titles('krisha shah 0816')).toEqual([]);
});

test('a hit tells the GR number and the section of today, and opens the record', async () => {
  const here = await place();
  const enrollment = await enroll(school, here, 'Sitting', { grNo: 'ST 4711' });
  const [child] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollment}`);
  const to = `student/student-list/${child?.id}`;
  const unplaced = { id: child?.id, title: 'Sitting Shah', detail: `ST 4711 · ${here.grade}`, to };
  expect(await studentsOf('sitting')).toEqual([unplaced]);
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${here.sectionId}, joined_on
    from student_enrollment where id = ${enrollment}`);
  const [year] = await school.sql(`select starts_on::text from academic_year where id = ${here.academicYearId}`);
  school.clock.now = new Date(`${year?.starts_on}T06:00:00Z`);
  expect(await studentsOf('sitting')).toEqual([{ ...unplaced, detail: `ST 4711 · ${here.section}` }]);
  school.clock.now = undefined;
});

test('a student who has left is found last, with the day', async () => {
  const here = await place();
  await enroll(school, here, 'Departeda', { grNo: 'DP1' });
  await enroll(school, here, 'Departedb', { grNo: 'DP2' });
  await school.sql(`with enrolled as (
      update student_enrollment set status = 'Left', left_on = '2025-12-31', joined_on = '2025-06-01'
      where student_id = (select id from student where gr_no = 'DP1') returning id, student_id)
    insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select student_id, id, '2025-12-31', (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
    from enrolled`);
  const found = await studentsOf('departed');
  expect(found.map(({ title, note }) => [title, note && english(note)])).toEqual([
    ['Departedb Shah', undefined],
    ['Departeda Shah', 'Left on 31 Dec 2025'],
  ]);
});

test('Staff without a set that reads students find none', async () => {
  await enroll(school, await place(), 'Hidden', { grNo: 'HD 1' });
  expect(await titles('hidden')).toEqual(['Hidden Shah']);
  const staff = await school.person({ sets: ['hr', 'ticketAgent', 'financeApprover', 'admissionHead'] });
  for (const typed of ['hidden', 'HD 1', 'hiden']) expect(await studentsOf(typed, staff)).toEqual([]);
});

test('the kind of the best hit comes first, and students where staff match no better', async () => {
  const here = await place();
  const named = async (first: string, middle: string, last: string) => {
    await enroll(school, here, first, { grNo: `${first} ${middle}` });
    await school.sql(`update student set middle_name = '${middle}', last_name = '${last}'
      where gr_no = '${first} ${middle}'`);
  };
  await named('Bhavin', 'Paresh', 'Bhatt');
  await named('Urvi', 'Bharat', 'Bhattani');
  await named('Kalgi', 'Nimesh', 'Buch');
  for (const name of ['Bhavin Parekh', 'Urvi Bhatt', 'Kalgi Buch']) await school.person({ name });
  for (const [typed, best] of [
    ['Bavin Parek', 'Bhavin Parekh'],
    ['Bhavin Parekh', 'Bhavin Parekh'],
    ['ભાવિન પારેખ', 'Bhavin Parekh'],
    ['ઉર્વી ભટ્ટ', 'Urvi Bhatt'],
    ['Bhavin Paresh', 'Bhavin Paresh Bhatt'],
    ['kalgi buch', 'Kalgi Nimesh Buch'],
  ] as const) {
    const [first] = await admin.call(searchApi.find, { search: typed });
    expect([typed, first?.hits[0]?.title]).toEqual([typed, best]);
  }
});

test('many students leave room for staff, and all hits together are few', async () => {
  const here = await place();
  for (let number = 0; number < 11; number++) {
    await enroll(school, here, `Crowd${String.fromCharCode(97 + number)}`);
    await school.person({ name: `Crowd Person ${number}` });
  }
  const groups = await admin.call(searchApi.find, { search: 'crowd' });
  expect(groups.map(({ kind, hits }) => [kind, hits.length]).sort()).toEqual([
    ['staff', 10],
    ['student', 10],
  ]);
});
