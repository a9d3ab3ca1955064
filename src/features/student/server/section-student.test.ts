import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import { english, type Text, verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { plant } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { type EnrolmentChange, enrolmentHook } from '../contract/hooks.ts';
import { sectionStudentApi } from '../contract/section-student.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());

/** Two sections of one grade, of three seats each, in a year from June to May. */
async function place() {
  const a = await plant(school, sectionMaster);
  const { academicYearId, branchId, programId, gradeId } = a as unknown as Record<string, number>;
  const place = { academicYearId, branchId, programId, gradeId };
  const b = await plant(school, sectionMaster, place);
  await school.sql(`update academic_section set capacity = 3 where id in (${a.id}, ${b.id})`);
  const [year] = await school.sql(
    `select starts_on::text as from, ends_on::text as until from academic_year where id = ${academicYearId}`,
  );
  return {
    ...(place as Record<string, number>),
    a: a.id,
    b: b.id,
    from: String(year?.from),
    until: String(year?.until),
  };
}
type Place = Record<'academicYearId' | 'branchId' | 'programId' | 'gradeId' | 'a' | 'b', number> & {
  from: string;
  until: string;
};

let here: Place;
beforeEach(async () => {
  here = (await place()) as Place;
});

/** Enrols a child in the grade; returns the enrollment. */
const child = (name: string, overrides?: Parameters<typeof enroll>[3]) => enroll(school, here, name, overrides);
const children = (...names: string[]) =>
  names.reduce<Promise<number[]>>(async (all, name) => [...(await all), await child(name)], Promise.resolve([]));
const day = (n: number) => new Date(Date.parse(here.from) + n * 86_400_000).toISOString().slice(0, 10);
const ask = (sectionId: number | null, enrollmentIds: number[], from = here.from, reason = '', confirmToken?: string) =>
  admin.send({
    method: 'POST',
    url: '/api/academic/section-student',
    body: { academicYearId: here.academicYearId, sectionId, enrollmentIds, from, reason, confirmToken },
  });
/** Previews a move and applies it. */
const move = async (...values: [sectionId: number | null, enrollmentIds: number[], from?: string, reason?: string]) => {
  const answer = await ask(...values);
  const [sectionId, enrollmentIds, from, reason] = values;
  return answer.json.confirmToken ? ask(sectionId, enrollmentIds, from, reason, answer.json.confirmToken) : answer;
};
const studentsIn = async (sectionId: number | null, on = here.until) => {
  const filter = { academicYearId: here.academicYearId, gradeId: here.gradeId, search: '' };
  return (await admin.call(sectionStudentApi.students, { ...filter, sectionId: sectionId ?? '', on })).students;
};
const namesIn = async (sectionId: number | null, on?: string) =>
  (await studentsIn(sectionId, on)).map(({ name }) => name.split(' ')[0]);
const rollsIn = async (sectionId: number) =>
  (await studentsIn(sectionId)).map(({ name, rollNo }) => `${rollNo} ${name.split(' ')[0]}`);
const overview = (on = here.until) =>
  admin.call(sectionStudentApi.overview, { academicYearId: here.academicYearId, gradeId: here.gradeId, on });

test('K4.1 a student who moves on day 12 is in the old section’s list until day 11, and the reason is audited', async () => {
  const [asha] = await children('Asha');
  if (!asha) return;
  await move(here.a, [asha]);
  expect((await move(here.b, [asha], day(12), 'Nearer to the lift')).json).toMatchObject({ moved: 1, isApplied: true });
  expect([await namesIn(here.a, day(11)), await namesIn(here.a, day(12)), await namesIn(here.b, day(12))]).toEqual([
    ['Asha'],
    [],
    ['Asha'],
  ]);
  // A second time changes nothing.
  expect((await move(here.b, [asha], day(12))).json).toMatchObject({ moved: 0, isApplied: true });
  const rows = await school.sql(`select details from audit where action = 'section-student.moved'
    and entity_id = (select student_id from student_enrollment where id = ${asha}) order by id`);
  expect(rows.map(({ details }) => details)).toEqual([
    expect.objectContaining({ Student: 'Asha Shah', From: here.from }),
    expect.objectContaining({ From: day(12), Reason: 'Nearer to the lift', Section: expect.stringContaining('→') }),
  ]);
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

test('K4.2 a full section takes no more students, also for ten simultaneous moves or by SQL', async () => {
  const all = await children(...'ABCDEFGHIJKL'.split(''));
  await move(here.a, all.slice(0, 2));
  const answers = await Promise.all(all.slice(2).map((id) => move(here.a, [id])));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.json.error.fields.sectionId).toMatch(/ has no free seats for 1 student\.$/);
  expect(await namesIn(here.a)).toHaveLength(3);
  const [outside] = (await studentsIn(null)).map(({ id }) => id);
  await expect(
    school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        section_id, effective_from)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${here.a}, joined_on
      from student_enrollment where id = ${outside}`),
  ).rejects.toThrow('the section is full');
});

test('a student who leaves later keeps the seat until then', async () => {
  const all = await children('A', 'B', 'C', 'D');
  await move(here.a, all.slice(0, 3));
  await move(here.b, all.slice(0, 1), day(100));
  expect((await move(here.a, all.slice(3), day(99))).status).toBe(422);
  expect((await move(here.a, all.slice(3), day(100))).status).toBe(200);
  // One moves back earlier, which would make four.
  expect((await move(here.a, all.slice(0, 1), day(150))).status).toBe(422);
});

test('a student who leaves later keeps the roll number until then', async () => {
  const [a = 0, b = 0, c = 0] = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, [a, b]);
  await move(here.b, [b], day(50));
  await move(here.a, [c], day(10));
  const rolls = (await studentsIn(here.a, day(20))).map(({ rollNo }) => rollNo);
  expect(rolls).toEqual([1, 2, 3]);
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

test('K4.3 roll numbers of a section are unique, also for simultaneous changes, and new students get the next one', async () => {
  const [a = 0, b = 0, c = 0] = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, [b, a]);
  await move(here.a, [c]);
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Bela', '3 Chhaya']);
  const set = (enrollmentId: number, rollNo: number) =>
    admin.send({
      method: 'PUT',
      url: `/api/academic/section-student/${here.a}/roll-number`,
      body: { enrollmentId, rollNo },
    });
  expect((await set(a, 2)).json.error.fields).toEqual({
    rollNo: 'Bela Shah has roll number 2. Enter a different one.',
  });
  const both = await Promise.all([set(a, 9), set(b, 9)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect((await set(999_999, 7)).status).toBe(409);
  // After 999 a new student gets no number.
  expect((await set(a, 999)).status).toBe(200);
  await school.sql(`update academic_section set capacity = 4 where id = ${here.a}`);
  expect((await move(here.a, await children('Dina'))).status).toBe(200);
  expect(await rollsIn(here.a)).toContain('null Dina');
  await expect(school.sql(`update student_section set roll_no = 3 where section_id = ${here.a}`)).rejects.toThrow(
    'student_section_roll',
  );
});

test('a section is renumbered by each rule after a preview, and locked numbers stay', async () => {
  const students: [string, string, string][] = [
    ['Tara', 'F', '10'],
    ['Dev', 'M', '9'],
    ['Ajay', 'M', '100'],
  ];
  const ids = await Promise.all(students.map(([name, gender, grNo]) => child(name, { gender, grNo })));
  for (const id of ids) await move(here.a, [id]);
  const preview = (rule: string, confirmToken?: string) =>
    admin.send({
      method: 'POST',
      url: `/api/academic/section-student/${here.a}/roll-number`,
      body: { rule, confirmToken },
    });
  const number = async (rule: string) => preview(rule, (await preview(rule)).json.confirmToken ?? '');
  const trial = await preview('Name');
  expect(trial.json.rolls.map(({ name, before, after }: Record<string, unknown>) => [name, before, after])).toEqual([
    ['Ajay Shah', 3, 1],
    ['Dev Shah', 2, 2],
    ['Tara Shah', 1, 3],
  ]);
  expect(await rollsIn(here.a)).toEqual(['1 Tara', '2 Dev', '3 Ajay']);
  const orders: [string, string[]][] = [
    ['Name', ['1 Ajay', '2 Dev', '3 Tara']],
    ['Girls first', ['1 Tara', '2 Ajay', '3 Dev']],
    ['Boys first', ['1 Ajay', '2 Dev', '3 Tara']],
    ['GR number', ['1 Dev', '2 Tara', '3 Ajay']],
  ];
  for (const [rule, expected] of orders) {
    await number(rule);
    expect([rule, await rollsIn(here.a)]).toEqual([rule, expected]);
  }
  await move(here.a, [await child('Uma', { grNo: '11' })]);
  expect((await preview('GR number', trial.json.confirmToken)).json.error.code).toBe('stale');
  expect((await preview('Name', trial.json.confirmToken)).json.error.code).toBe('stale');
  await admin.call(sectionStudentApi.lock, { id: here.a, isLocked: true });
  expect((await number('Name')).json.error.message).toBe(
    'The roll numbers of this section are locked. Unlock them first.',
  );
  expect((await overview()).sections.find(({ id }) => id === here.a)?.isRollLocked).toBe(true);
  const answer = await admin.send({
    method: 'PUT',
    url: `/api/academic/section-student/${here.a}/roll-number`,
    body: { enrollmentId: ids[0], rollNo: 9 },
  });
  expect(answer.json.error.message).toBe('The roll numbers of this section are locked. Unlock them first.');
  await admin.call(sectionStudentApi.lock, { id: here.a, isLocked: false });
  expect((await number('Name')).status).toBe(200);
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

test('a move to another grade during the year ends one enrolment and starts one other', async () => {
  const asha = await child('Asha');
  await move(here.a, [asha]);
  const grade = await plant(school, gradeMaster);
  const { academicYearId, branchId, programId } = here;
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  expect((await move(other.id, [asha], day(30))).json).toMatchObject({ moved: 1, isApplied: true });
  const rows = await school.sql(`select grade_id, status, joined_on::text, left_on::text from student_enrollment
    where student_id = (select student_id from student_enrollment where id = ${asha}) order by id`);
  expect(rows).toEqual([
    { grade_id: here.gradeId, status: 'Transferred', joined_on: here.from, left_on: day(29) },
    { grade_id: grade.id, status: 'Active', joined_on: day(30), left_on: null },
  ]);
  expect([await namesIn(here.a, day(29)), await namesIn(here.a, day(30)), await namesIn(null, day(30))]).toEqual([
    ['Asha'],
    [],
    [],
  ]);
  await expect(
    school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
        admission_type, joined_on)
      select student_id, academic_year_id, branch_id, program_id, grade_id, 'New', joined_on
      from student_enrollment where id = ${asha}`),
  ).rejects.toThrow('student_enrollment_once');
});

test('a move asks the other features by kind, shows what follows, and is not done where one of them blocks it', async () => {
  const [asha = 0, bela = 0] = await children('Asha', 'Bela');
  await move(here.a, [asha]);
  const asked: EnrolmentChange[] = [];
  let blocks: Text[] = [];
  const fees = answer(enrolmentHook, 'fee', async (_, changes) => {
    asked.push(...changes);
    return { texts: [verbatim('Fees: ₹900 more')], blocks, basis: blocks };
  });
  const answers = school.services.answers as HookAnswer[];
  answers.push(fees);
  const { academicYearId, branchId, programId } = here;
  const grade = await plant(school, gradeMaster);
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  const preview = (await ask(here.b, [asha], day(12))).json;
  await move(null, [asha], day(12));
  await move(other.id, [asha], day(30));
  await move(other.id, [bela]);
  blocks = [verbatim('The year is billed')];
  const refused = (await ask(here.a, [bela], day(5))).json;
  const forced = await ask(here.a, [bela], day(5), '', preview.confirmToken);
  answers.splice(answers.indexOf(fees), 1);
  expect(preview).toMatchObject({
    moved: 1,
    isApplied: false,
    also: [verbatim('Fees: ₹900 more')],
  });
  expect([refused.confirmToken, refused.blocks.length, forced.status]).toEqual([null, 1, 409]);
  const [begun] = await school.sql(`select id from student_enrollment where joined_on = '${day(30)}'
    and student_id = (select student_id from student_enrollment where id = ${asha})`);
  const told = asked.map(({ enrollmentId, kind, day: on }) => [enrollmentId, kind, on]);
  expect(told.slice(0, 3)).toEqual(Array(3).fill([asha, 'moved', day(12)]));
  // A preview is rolled back, so the number of its new enrolment is not the one that is kept.
  expect(told[4]).toEqual([begun?.id, 'regraded', day(30)]);
  expect(told.slice(5, 7)).toEqual(Array(2).fill([bela, 'regraded', here.from]));
});

test('a student who joins a grade later is neither unassigned there before nor in an earlier class list', async () => {
  const asha = await child('Asha');
  await move(here.a, [asha]);
  const { a, gradeId, academicYearId, branchId, programId } = here;
  const grade = await plant(school, gradeMaster);
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  await move(other.id, [asha], day(30));
  here = { ...here, gradeId: grade.id };
  const listOf = async (on: string) => {
    const url = `/api/academic/section-student/export?academicYearId=${academicYearId}&gradeId=${grade.id}&sectionId=&on=${on}&what=list&as=csv`;
    return (await admin.send({ url })).text.trim().split('\r\n').length - 1;
  };
  expect([(await overview(day(10))).unplaced, await namesIn(null, day(10)), await listOf(day(10))]).toEqual([0, [], 0]);
  expect([(await overview(day(30))).unplaced, await namesIn(other.id, day(30)), await listOf(day(30))]).toEqual([
    0,
    ['Asha'],
    1,
  ]);
  here = { ...here, gradeId };
  expect(await namesIn(a, day(10))).toEqual(['Asha']);
});

test('a move to another grade on the first day replaces the enrolment', async () => {
  const asha = await child('Asha');
  await move(here.a, [asha]);
  const { academicYearId, branchId, programId } = here;
  const grade = await plant(school, gradeMaster);
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  expect((await move(other.id, [asha])).json).toMatchObject({ moved: 1, isApplied: true });
  const rows = await school.sql(`select enrollment.id, enrollment.grade_id, enrollment.status, section_id
    from student_enrollment enrollment join student_section own on own.enrollment_id = enrollment.id
    where enrollment.student_id = (select student_id from student_enrollment where id = ${asha})`);
  expect(rows).toEqual([{ id: asha, grade_id: grade.id, status: 'Active', section_id: other.id }]);
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

test('K4.6 students who left, join later or are in another year cannot be assigned', async () => {
  const gone = await child('Gopi');
  await school.sql(`update student_enrollment set status = 'Left', left_on = '${day(3)}' where id = ${gone}`);
  expect((await move(here.a, [gone], day(4))).json.error.message).toBe(
    `Not in this grade on ${showDate(day(4))}: Gopi Shah. Choose ${showDate(day(3))} or earlier.`,
  );
  await expect(
    school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        section_id, effective_from)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${here.a}, '${day(1)}'
      from student_enrollment where id = ${gone}`),
  ).rejects.toThrow('a section is held only while enrolled');
  const later = await child('Lata', { joinedOn: day(50) });
  expect((await move(here.a, [later])).json.error.fields).toEqual({
    from: `Not yet enrolled on ${showDate(here.from)}: Lata Shah. Choose ${showDate(day(50))} or later.`,
  });
  expect((await move(here.a, [later], day(50))).status).toBe(200);
  await school.sql(`update academic_section set is_active = false where id = ${here.b}`);
  expect((await move(here.b, [await child('Mira')])).json.error.message).toBe(
    'This entry is inactive. Choose another one.',
  );
  const late = day(400);
  expect((await move(here.a, [await child('Nila')], late)).json.error.fields).toEqual({
    from: 'Choose a day when the students are enrolled.',
  });
  here = (await place()) as Place;
  expect((await move(here.a, [later])).status).toBe(409);
  expect((await move(here.a, [later])).status).toBe(409);
  expect((await move(999_999, [await child('Nila')])).status).toBe(409);
  const crowd = Array.from({ length: 81 }, (_, n) => n + 1);
  expect((await move(here.a, crowd)).json.error.fields).toEqual({
    enrollmentIds: 'Choose at most 80 students.',
  });
});

test('simultaneous moves never leave a student in two sections on a day', async () => {
  const asha = await child('Asha');
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => move(n % 2 ? here.a : here.b, [asha], day(n))));
  expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true);
  const rows = await school.sql(`select 1 from student_section where enrollment_id = ${asha} and effective_to is null`);
  expect(rows).toHaveLength(1);
  await expect(
    school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        section_id, effective_from)
      select enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id, '${here.until}'
      from student_section where enrollment_id = ${asha} and effective_to is null`),
  ).rejects.toThrow('student_section_overlap');
});

test('unassigned students get the free seats after a preview that expires on any change', async () => {
  const ids = await children('A', 'B', 'C', 'D', 'E', 'F', 'G');
  const body = { academicYearId: here.academicYearId, gradeId: here.gradeId, from: here.from };
  const trial = await admin.call(sectionStudentApi.autoAssign, body);
  expect(trial).toMatchObject({ isApplied: false, unseated: ['G Shah'] });
  expect(await namesIn(null)).toHaveLength(7);
  expect(trial.sections.map(({ girls }) => girls)).toEqual([3, 3]);
  await move(here.a, [ids[6] ?? 0]);
  const old = await admin.send({
    method: 'POST',
    url: '/api/academic/section-student/spread',
    body: { ...body, confirmToken: trial.confirmToken },
  });
  expect(old.json.error.code).toBe('stale');
  const { confirmToken } = await admin.call(sectionStudentApi.autoAssign, body);
  await admin.call(sectionStudentApi.autoAssign, { ...body, confirmToken: confirmToken ?? '' });
  expect([(await namesIn(here.a)).length, (await namesIn(here.b)).length, await namesIn(null)]).toEqual([3, 3, ['F']]);
});

test('students who left or have a later section are not assigned, and reserved seats are not used twice', async () => {
  const spreadFrom = async (from: string) => {
    const body = { academicYearId: here.academicYearId, gradeId: here.gradeId, from };
    const { confirmToken } = await admin.call(sectionStudentApi.autoAssign, body);
    return admin.call(sectionStudentApi.autoAssign, { ...body, confirmToken: confirmToken ?? '' });
  };
  const [gone = 0, ...others] = await children('Gopi', 'A', 'B', 'C', 'D', 'E', 'F', 'G');
  await child('Lata', { joinedOn: day(11) });
  await school.sql(`update student_enrollment set status = 'Left', left_on = '${day(40)}' where id = ${gone}`);
  await move(here.a, others.slice(0, 2), day(50));
  const { sections, unseated } = await spreadFrom(day(10));
  expect(sections.map(({ added }) => added)).toEqual([['D Shah'], ['C Shah', 'E Shah', 'F Shah']]);
  expect(unseated).toEqual(['G Shah']);
  expect([(await namesIn(here.a)).length, (await namesIn(here.b)).length]).toEqual([3, 3]);
});

test('students are distributed within their own program, and not in a closed year', async () => {
  await children('Asha');
  const { academicYearId, branchId, gradeId } = here;
  const other = await plant(school, sectionMaster, { academicYearId, branchId, gradeId });
  await school.sql(`update academic_section set is_active = false where id = ${here.a}`);
  await school.sql(`update academic_section set capacity = 1 where id = ${here.b}`);
  await children('Bela');
  const body = { academicYearId, gradeId, from: here.from };
  const { sections, unseated } = await admin.call(sectionStudentApi.autoAssign, body);
  expect(sections.map(({ added }) => added).sort()).toEqual([[], ['Asha Shah']]);
  expect([(await overview()).sections.some(({ id }) => id === other.id), unseated]).toEqual([true, ['Bela Shah']]);
  await school.sql(`update academic_year set status = 'Closed' where id = ${academicYearId}`);
  const { json } = await admin.send({ method: 'POST', url: '/api/academic/section-student/spread', body });
  expect(json.error.message).toBe('This academic year is closed. It can only be read.');
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

/** The next year, the next grade, and a section there of the same name as the first one, with two seats. */
async function next() {
  const year = await plant(school, yearMaster);
  const grade = await plant(school, gradeMaster);
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${here.gradeId}`);
  const [section] =
    await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name,
      capacity, medium)
    select ${year.id}, branch_id, ${grade.id}, program_id, upper(name), 2, medium from academic_section
    where id = ${here.a} returning id`);
  return { toYearId: year.id, gradeId: grade.id, section: Number(section?.id), startsOn: String(year.startsOn) };
}
type Decisions = { enrollmentId: number; decision: string }[];
const askPromotion = (toYearId: number, students: Decisions, keepsSection = true, confirmToken?: string) =>
  admin.send({
    method: 'POST',
    url: '/api/academic/section-student/promotion',
    body: {
      academicYearId: here.academicYearId,
      gradeId: here.gradeId,
      toYearId,
      keepsSection,
      students,
      confirmToken,
    },
  });
/** Previews a promotion and applies it. */
const promote = async (toYearId: number, students: Decisions, keepsSection = true) => {
  const preview = await askPromotion(toYearId, students, keepsSection);
  const { confirmToken } = preview.json;
  return confirmToken ? askPromotion(toYearId, students, keepsSection, confirmToken) : preview;
};

test('K4.4 K4.5 students are promoted, detained or leave, and a second promotion changes nothing', async () => {
  const ids = await children('A', 'B', 'C', 'D', 'E');
  await move(here.a, ids.slice(0, 3));
  await move(here.b, ids.slice(3, 4));
  const to = await next();
  const filter = { academicYearId: here.academicYearId, gradeId: here.gradeId, toYearId: to.toYearId };
  const preview = await admin.call(sectionStudentApi.promotion, filter);
  expect(preview.students.map(({ name, why }) => [name, why])).toEqual([
    ['A Shah', null],
    ['B Shah', null],
    ['C Shah', null],
    ['D Shah', null],
    ['E Shah', null],
  ]);
  const fates = ['Promote', 'Promote', 'Promote', 'Detain', 'Leave'];
  const wanted = ids.map((enrollmentId, n) => ({ enrollmentId, decision: fates[n] ?? '' }));
  // The new section A has two seats for three students; detained students are assigned by hand.
  const plan = (await askPromotion(to.toYearId, wanted)).json;
  expect(plan).toMatchObject({ done: 5, unplaced: 2, sections: [{ added: 2, strength: 2, capacity: 2 }] });
  expect(plan.unseated.map(({ name, why }: { name: string; why: Text }) => [name, english(why)])).toEqual([
    ['C Shah', expect.stringMatching(/ is full$/)],
  ]);
  const apply = () => askPromotion(to.toYearId, wanted, true, plan.confirmToken);
  const answers = await Promise.all([apply(), apply()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await promote(to.toYearId, wanted)).json).toMatchObject({ done: 0, alreadyThere: 5, confirmToken: null });
  const rows = await school.sql(`select split_part(first_name, ' ', 1) as name, later.grade_id, section.section_id,
      own.status, student.left_on::text as left_on, later.joined_on::text
    from student_enrollment own join student on student.id = own.student_id
    left join student_enrollment later on later.student_id = own.student_id and later.academic_year_id = ${to.toYearId}
    left join student_section section on section.enrollment_id = later.id
    where own.id in (${ids}) order by 1`);
  const row = (name: string, grade_id: number | null, section_id: number | null, status: string) => ({
    name,
    grade_id,
    section_id,
    status,
    left_on: status === 'Left' ? here.until : null,
    joined_on: grade_id === null ? null : to.startsOn,
  });
  expect(rows).toEqual([
    row('A', to.gradeId, to.section, 'Promoted'),
    row('B', to.gradeId, to.section, 'Promoted'),
    row('C', to.gradeId, null, 'Promoted'),
    row('D', here.gradeId, null, 'Detained'),
    row('E', null, null, 'Left'),
  ]);
  const after = await admin.call(sectionStudentApi.promotion, filter);
  expect(after.students.map(({ why }) => why && english(why))).toEqual([
    ...Array(4).fill(expect.stringMatching(/^Already in .+ for the new year$/)),
    `Last day: ${showDate(here.until)}`,
  ]);
  const acts = await school.sql(`select details from audit where action = 'section-student.promoted' order by id`);
  expect(acts.map(({ details }) => (details as Record<string, string>).Result)).toEqual([
    ...Array(3).fill('Promoted'),
    'Detained',
    'Left',
  ]);
  // Promoted students can still change section, but not grade, in the old year.
  const { academicYearId, branchId, programId } = here;
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: to.gradeId });
  expect((await move(other.id, ids.slice(0, 1), day(30))).json.error.message).toBe(
    'Already promoted, detained or leaving: A Shah. Their grade can’t be changed.',
  );
  expect((await move(here.b, ids.slice(0, 1), day(30))).json).toMatchObject({ moved: 1, isApplied: true });
});

test('promoted students stay unassigned if the section is not kept, full or inactive; a closed year takes no students', async () => {
  await school.sql(`update academic_section set capacity = 6 where id = ${here.a}`);
  const ids = await children('A', 'B', 'C', 'D', 'E', 'F');
  await move(here.a, ids);
  const to = await next();
  const promoteChild = (n: number, keepsSection: boolean) =>
    promote(to.toYearId, [{ enrollmentId: ids[n] ?? 0, decision: 'Promote' }], keepsSection);
  // One after the other, so that the third finds the section full.
  const unplaced = [await promoteChild(3, true), await promoteChild(4, true), await promoteChild(5, true)].map(
    ({ json }) => json.unplaced,
  );
  expect(unplaced).toEqual([0, 0, 1]);
  await school.sql(`update academic_section set capacity = 3 where id = ${to.section}`);
  expect((await promoteChild(0, false)).json).toMatchObject({ done: 1, unplaced: 1, unseated: [] });
  await school.sql(`update academic_section set is_active = false where id = ${to.section}`);
  expect((await promoteChild(1, true)).json).toMatchObject({ done: 1, alreadyThere: 0, unplaced: 1 });
  await school.sql(`update academic_year set status = 'Closed' where id = ${to.toYearId}`);
  expect((await promoteChild(2, true)).json.error.message).toBe('This academic year is closed. It can only be read.');
});

test('a grade without a next one promotes no students, nor into an earlier year', async () => {
  const [asha = 0] = await children('Asha');
  const year = await plant(school, yearMaster);
  const wanted = [{ enrollmentId: asha, decision: 'Promote' }];
  const { json } = await promote(year.id, wanted);
  expect(json.error.message).toBe('This grade has no next grade. Set it in the Academic Master.');
  expect((await promote(year.id, [{ enrollmentId: asha, decision: 'Leave' }])).json).toMatchObject({
    done: 1,
    alreadyThere: 0,
    unplaced: 0,
  });
  expect(Object.keys((await promote(here.academicYearId, wanted)).json.error.fields)).toEqual(['toYearId']);
  expect((await promote(year.id, [{ enrollmentId: 999_999, decision: 'Leave' }])).status).toBe(409);
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

test('students of a closed year can be read but not moved', async () => {
  const [asha = 0] = await children('Asha');
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  expect((await move(here.a, [asha])).json.error.fields).toEqual({
    from: 'This academic year is closed. It can only be read.',
  });
  expect(await overview()).toMatchObject({ isClosed: true, unplaced: 1 });
  await expect(school.sql(`delete from student_enrollment where id = ${asha}`)).rejects.toThrow('year is closed');
});

test('H3 a move between grades leaves nothing behind whichever of its statements fails', async () => {
  const asha = await child('Asha');
  await move(here.a, [asha]);
  const grade = await plant(school, gradeMaster);
  const { academicYearId, branchId, programId } = here;
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => move(other.id, [asha], day(30)));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

const setRoll = (enrollmentId: number, rollNo: number, on = '') =>
  admin.send({
    method: 'PUT',
    url: `/api/academic/section-student/${here.a}/roll-number`,
    body: { enrollmentId, rollNo, on },
  });
const rollsOn = async (sectionId: number, on: string) =>
  (await studentsIn(sectionId, on)).map(({ name, rollNo }) => `${rollNo} ${name.split(' ')[0]}`);

test('K4.3 a roll number belongs to one student on every day, also of a student who leaves later', async () => {
  const [asha = 0, bela = 0, chhaya = 0] = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, [asha, bela]);
  await move(here.b, [bela], day(50));
  await move(here.a, [chhaya], day(60));
  expect((await setRoll(asha, 2, day(10))).json.error.fields).toEqual({
    rollNo: `Bela Shah has roll number 2 (– ${showDate(day(49))}). Enter a different one.`,
  });
  await expect(school.sql(`update student_section set roll_no = 2 where enrollment_id = ${asha}`)).rejects.toThrow(
    'student_section_roll',
  );
  // Chhaya comes after Bela has left, so both can have number 2.
  expect((await setRoll(chhaya, 2, day(60))).status).toBe(200);
  expect((await setRoll(bela, 7, day(10))).status).toBe(200);
  expect((await setRoll(asha, 2, day(10))).json.error.fields).toEqual({
    rollNo: `Chhaya Shah has roll number 2 (${showDate(day(60))} –). Enter a different one.`,
  });
  expect([await rollsOn(here.a, day(10)), await rollsOn(here.a, day(60))]).toEqual([
    ['1 Asha', '7 Bela'],
    ['1 Asha', '2 Chhaya'],
  ]);
  expect((await setRoll(bela, 8, day(60))).json.error.message).toBe(
    `This student is not in the section on ${showDate(day(60))}. Check the list and try again.`,
  );
});

test('students who leave before the year’s end are numbered last, each with one number', async () => {
  const ids = await children('Asha', 'Bela', 'Chhaya');
  await move(here.a, ids);
  await move(here.b, ids.slice(0, 2), day(50));
  await move(here.a, ids.slice(1, 2), day(70));
  const url = `/api/academic/section-student/${here.a}/roll-number`;
  const number = (confirmToken?: string) => admin.send({ method: 'POST', url, body: { rule: 'Name', confirmToken } });
  const { rolls, confirmToken } = (await number()).json;
  const told = rolls.map(({ name, before, after, until }: Record<string, unknown>) => {
    return [name, before, after, until];
  });
  expect(told).toEqual([
    ['Bela Shah', 4, 1, ''],
    ['Chhaya Shah', 3, 2, ''],
    ['Asha Shah', 1, 3, day(49)],
    ['Bela Shah', 2, 1, day(49)],
  ]);
  expect((await number(confirmToken)).status).toBe(200);
  expect([await rollsOn(here.a, day(10)), await rollsOn(here.a, day(70))]).toEqual([
    ['1 Bela', '2 Chhaya', '3 Asha'],
    ['1 Bela', '2 Chhaya'],
  ]);
});

test('the preview of a move names the later moves it cancels, and a token applies just what was shown', async () => {
  const [asha = 0] = await children('Asha');
  await move(here.a, [asha]);
  await move(here.b, [asha], day(50));
  await move(null, [asha], day(80));
  const { name } = (await overview()).sections.find(({ id }) => id === here.b) ?? {};
  const asked = (await ask(null, [asha], day(20))).json;
  expect(asked).toMatchObject({
    isApplied: false,
    forgotten: [
      { name: 'Asha Shah', to: name, from: day(50) },
      { name: 'Asha Shah', to: '', from: day(80) },
    ],
  });
  expect([await namesIn(here.a, day(30)), await namesIn(here.b, day(60))]).toEqual([['Asha'], ['Asha']]);
  // The plan changes before the confirmation.
  await move(here.b, [asha], day(40));
  expect((await ask(null, [asha], day(20), '', asked.confirmToken)).json.error.code).toBe('stale');
  const again = (await ask(null, [asha], day(20))).json;
  expect(again).toMatchObject({ isApplied: false, forgotten: [{ to: name, from: day(40) }] });
  expect((await ask(null, [asha], day(20), '', again.confirmToken)).json).toMatchObject({ isApplied: true, moved: 1 });
  expect([await namesIn(here.a, day(30)), await namesIn(here.b, day(60))]).toEqual([[], []]);
  const [row] = await school.sql(
    `select details from audit where action = 'section-student.moved' order by id desc limit 1`,
  );
  expect(row?.details).toMatchObject({ Forgotten: `${name} from ${day(40)}` });
});

test('a change of grade needs a confirmation, also on the first day', async () => {
  const [asha = 0] = await children('Asha');
  await move(here.a, [asha]);
  const bela = await child('Bela', { joinedOn: day(30) });
  const { academicYearId, branchId, programId } = here;
  const grade = await plant(school, gradeMaster);
  const other = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  const before = await school.sql('select * from student_enrollment order by id');
  const [{ name: from } = {}] = await school.sql(`select name from academic_grade where id = ${here.gradeId}`);
  expect((await ask(other.id, [asha, bela], day(30))).json).toMatchObject({
    isApplied: false,
    changed: [{ name: 'Asha Shah', from }],
    corrected: [{ name: 'Bela Shah', from }],
  });
  expect(await school.sql('select * from student_enrollment order by id')).toEqual(before);
});

const reasonsOf = (skipped: { name: string; why: Text }[]) =>
  Object.fromEntries(skipped.map(({ name, why }) => [name, english(why)]));

test('K4.6 a student who leaves during the year can be moved and assigned until the last day', async () => {
  const [asha = 0, bela = 0, chhaya = 0, gopi = 0] = await children('Asha', 'Bela', 'Chhaya', 'Gopi');
  await move(here.a, [asha]);
  const to = await next();
  await promote(to.toYearId, [
    { enrollmentId: asha, decision: 'Leave' },
    { enrollmentId: bela, decision: 'Leave' },
  ]);
  expect((await move(here.b, [asha], day(10))).json).toMatchObject({ moved: 1, isApplied: true });
  // A student who leaves during the year has the seat until then.
  await school.sql(
    `update student_enrollment set status = 'Left', left_on = '${day(40)}' where id in (${chhaya}, ${gopi})`,
  );
  expect((await move(here.b, [chhaya], day(20))).json).toMatchObject({ moved: 1 });
  expect((await move(here.b, [chhaya], day(20))).json).toMatchObject({ moved: 0 });
  expect([await namesIn(here.b, day(40)), await namesIn(here.b, day(41))]).toEqual([['Asha', 'Chhaya'], ['Asha']]);
  const { academicYearId, gradeId } = here;
  const plan = await admin.call(sectionStudentApi.autoAssign, { academicYearId, gradeId, from: day(20) });
  expect(plan.sections.flatMap(({ added }) => added)).toEqual(['Bela Shah']);
  expect(reasonsOf(plan.skipped)).toEqual({ 'Gopi Shah': `Last day: ${showDate(day(40))}` });
});

test('students with a later section or a later first day are listed with the reason and not assigned', async () => {
  const [asha = 0] = await children('Asha');
  await child('Lata', { joinedOn: day(30) });
  await move(here.a, [asha], day(20));
  const { academicYearId, gradeId } = here;
  const { skipped, sections } = await admin.call(sectionStudentApi.autoAssign, {
    academicYearId,
    gradeId,
    from: day(10),
  });
  expect(sections.flatMap(({ added }) => added)).toEqual([]);
  expect(reasonsOf(skipped)).toEqual({
    'Asha Shah': `In ${sections[0]?.name} from ${showDate(day(20))}`,
    'Lata Shah': `Joins on ${showDate(day(30))}`,
  });
});

test('last year’s classmates are separated or kept together', async () => {
  await school.sql(`update academic_section set capacity = 8 where id in (${here.a}, ${here.b})`);
  const [ofA, ofB] = [await children('A', 'B', 'C', 'D'), await children('E', 'F', 'G', 'H')];
  await move(here.a, ofA);
  await move(here.b, ofB);
  const names = new Map((await overview()).sections.map(({ id, name }) => [id, name]));
  const to = await next();
  await promote(
    to.toYearId,
    [...ofA, ...ofB].map((enrollmentId) => ({ enrollmentId, decision: 'Promote' })),
    false,
  );
  await school.sql(`update academic_section set capacity = 4 where id = ${to.section}`);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select academic_year_id, branch_id, grade_id, program_id, 'Second', 4, medium from academic_section where id = ${to.section}`);
  const filter = { academicYearId: to.toYearId, gradeId: to.gradeId, from: to.startsOn };
  const lastSections = async (classmates: 'separate' | 'keep') => {
    const { sections, hasPast } = await admin.call(sectionStudentApi.autoAssign, { ...filter, classmates });
    expect(hasPast).toBe(true);
    return sections.map((section) => section.lastSections.map(({ name, count }) => `${count} of ${name}`).sort());
  };
  const [a, b] = [names.get(here.a), names.get(here.b)];
  const [even, whole] = [await lastSections('separate'), await lastSections('keep')];
  expect(even).toEqual([[`2 of ${a}`, `2 of ${b}`].sort(), [`2 of ${a}`, `2 of ${b}`].sort()]);
  expect(whole.flat().sort()).toEqual([`4 of ${a}`, `4 of ${b}`].sort());
  const { confirmToken } = await admin.call(sectionStudentApi.autoAssign, { ...filter, classmates: 'keep' });
  const body = { ...filter, classmates: 'separate', confirmToken };
  const other = await admin.send({ method: 'POST', url: '/api/academic/section-student/spread', body });
  expect(other.json.error.code).toBe('stale');
});

test('a list of a large grade has undecided students first, and the total', async () => {
  await school.sql(`with children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select ${here.branchId}, 'M' || n, 'N' || lpad(n::text, 4, '0'), 'Shah', 'F', '2019-01-01'
      from generate_series(1, 1001) n returning id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select id, ${here.academicYearId}, ${here.branchId}, ${here.programId}, ${here.gradeId}, 'New', '${here.from}' from children`);
  const to = await next();
  const filter = { academicYearId: here.academicYearId, gradeId: here.gradeId, toYearId: to.toYearId };
  const first = await admin.call(sectionStudentApi.promotion, filter);
  expect([first.students.length, first.total]).toEqual([1000, 1001]);
  const decided = first.students.map(({ id }) => id).join(',');
  await school.sql(`update student_enrollment set status = 'Promoted' where id in (${decided})`);
  const [open] = (await admin.call(sectionStudentApi.promotion, filter)).students;
  expect(open).toMatchObject({ name: 'N1001 Shah', why: null });
});

const importing = (file: string, confirmToken?: string, on = here.from) =>
  admin.send({
    method: 'POST',
    url: `/api/academic/section-student/${here.a}/roll-number/import`,
    body: { file, confirmToken, on },
  });

test('K4.3 an import of roll numbers accepts a class list, explains every refused row, and is applied as previewed or not at all', async () => {
  const ids = [await child('Asha', { grNo: '-71' }), ...(await children('Bela', 'Chhaya'))];
  await move(here.a, ids);
  const grNos = (await studentsIn(here.a, here.from)).map(({ grNo }) => grNo);
  const [asha, bela, chhaya] = grNos;
  const list = (...lines: string[]) => ['Roll number,GR number', ...lines].join('\r\n');

  // The same number twice, an unknown GR number, and an invalid number.
  const bad = list(`3,'${asha}`, `3,${bela}`, '4,nobody', `x,${chhaya}`);
  const wrong = await importing(bad);
  expect(wrong.json.counts).toEqual({ added: 0, changed: 0, same: 0, wrong: 4 });
  expect(
    wrong.json.rows.map(({ displayName, messages }: ImportRow) => [displayName, Object.values(inEnglish(messages))[0]]),
  ).toEqual([
    ['Asha Shah', 'Bela Shah has roll number 3. Enter a different one.'],
    ['Bela Shah', 'Asha Shah has roll number 3. Enter a different one.'],
    ['nobody', expect.stringMatching(/^No student in .+ on .+ has this GR number\.$/)],
    ['Chhaya Shah', 'Enter a whole number from 1 to 999.'],
  ]);
  expect(inEnglish((await importing(list(`9,${bela}`, `3,'${asha}`))).json.rows[0].messages)).toEqual({
    rollNo: 'Chhaya Shah has roll number 3. Enter a different one.',
  });
  expect(wrong.json.confirmToken).toBeNull();
  expect((await importing(bad, 'x')).json.error.code).toBe('stale');
  const elsewhere = await importing(`Section,GR number,Roll number\n"Grade 9, Z",${bela},5`);
  expect(inEnglish(elsewhere.json.rows[0].messages)).toEqual({
    section: 'This row belongs to Grade 9, Z. Import it in that section.',
  });
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Bela', '3 Chhaya']);

  // Two students swap numbers; a change in between makes the preview stale.
  const swap = list(`2,'${asha}`, `1,${bela}`);
  const trial = (await importing(swap)).json;
  expect([trial.counts, trial.isApplied]).toEqual([{ added: 0, changed: 2, same: 0, wrong: 0 }, false]);
  expect(trial.rows.map(({ messages }: ImportRow) => inEnglish(messages))).toEqual([
    { rollNo: '1 → 2' },
    { rollNo: '2 → 1' },
  ]);
  await setRoll(ids[1] ?? 0, 8, here.from);
  expect((await importing(swap, trial.confirmToken)).json.error.code).toBe('stale');
  const { confirmToken } = (await importing(swap)).json;
  expect((await importing(swap, confirmToken)).json.isApplied).toBe(true);
  expect(await rollsIn(here.a)).toEqual(['1 Bela', '2 Asha', '3 Chhaya']);
  const noted = () => school.sql(`select details from audit where action = 'section-student.rolls-imported'`);
  expect((await noted()).map(({ details }) => details)).toMatchObject([
    { Changed: 2, Numbers: 'Asha Shah 1 → 2; Bela Shah 8 → 1' },
  ]);

  // An exported list changes nothing.
  const url = `/api/academic/section-student/export?academicYearId=${here.academicYearId}&gradeId=${here.gradeId}&sectionId=${here.a}&on=${here.from}&what=list&as=csv`;
  const exported = (await admin.send({ url })).text;
  const same = (await importing(exported)).json;
  expect(same.counts).toEqual({ added: 0, changed: 0, same: 3, wrong: 0 });
  expect((await importing(exported, same.confirmToken)).json.isApplied).toBe(true);
  expect(await noted()).toHaveLength(1);

  await admin.call(sectionStudentApi.lock, { id: here.a, isLocked: true });
  expect((await importing(exported)).status).toBe(409);
});

test('K4.3 a row with another student’s name is refused, and the confirmation holds for one file', async () => {
  await move(here.a, await children('Asha', 'Bela'));
  const [asha, bela] = (await studentsIn(here.a, here.from)).map(({ grNo }) => grNo);
  const foreign = await importing(`GR number,Roll number,Name\n${asha},7,Zoya Khan`);
  expect(inEnglish(foreign.json.rows[0].messages)).toEqual({
    grNo: 'This GR number belongs to Asha Shah. Check the name.',
  });
  const { confirmToken } = (await importing(`GR number,Roll number,Name\n${asha},7,asha shah`)).json;
  expect((await importing(`GR number,Roll number\n${bela},7`, confirmToken)).json.error.code).toBe('stale');
  expect(await rollsIn(here.a)).toEqual(['1 Asha', '2 Bela']);
});

test('a student’s history has each move with day and reason, and the promotion, latest first', async () => {
  const [asha] = await children('Asha');
  if (!asha) return;
  await move(here.a, [asha]);
  await move(here.b, [asha], day(12), 'Nearer to the lift');
  const to = await next();
  await promote(to.toYearId, [{ enrollmentId: asha, decision: 'Promote' }]);
  const [student] = await studentsIn(here.b);
  const { rows } = await admin.call(sectionStudentApi.history, { id: student?.studentId ?? 0, before: '' });
  expect(rows.map(({ actor, action, details }) => [actor, action, details])).toEqual([
    ['Kiran', 'promoted', expect.objectContaining({ Result: 'Promoted', 'Into year': expect.any(String) })],
    ['Kiran', 'moved', expect.objectContaining({ From: day(12), Reason: 'Nearer to the lift' })],
    ['Kiran', 'moved', expect.objectContaining({ From: here.from, Section: expect.stringMatching(/^– → /) })],
  ]);
  const url = '/api/academic/section-student/student/999999/history?before=';
  expect((await admin.send({ url })).status).toBe(404);
});

test('the grades that have active sections in a year are listed', async () => {
  const { academicYearId, gradeId, a, b } = here;
  const grades = () => admin.call(sectionStudentApi.grades, { academicYearId });
  expect(await grades()).toEqual([gradeId]);
  await school.sql(`update academic_section set is_active = false where id in (${a}, ${b})`);
  expect(await grades()).toEqual([]);
});
