import { beforeEach, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { plant } from '#testing/masters.ts';
import { openPlacing, type PlacingStage } from '#testing/placing.ts';
import type { School } from '#testing/school.ts';
import { type EnrolmentChange, enrolmentHook } from '../../contract/hooks.ts';

const { current, place, use, child, children, day, ask, move, studentsIn, namesIn, overview } = openPlacing();
let school: School;
let admin: Person;
let here: PlacingStage;
beforeEach(() => {
  ({ school, admin, here } = current());
});

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
  const fees = answer(enrolmentHook, { by: 'fee', step: 12 }, async (_, changes) => {
    asked.push(...changes);
    return { texts: [verbatim('Fees: ₹900 more')], blocks, basis: blocks };
  });
  const answers = school.services.answers as HookAnswer[];
  answers.push(fees);
  const { academicYearId, branchId, programId } = here;
  const grade = await plant(school, gradeMaster);
  const other = await plant(school, sectionMaster, {
    academicYearId,
    branchId,
    programId,
    gradeId: grade.id,
    capacity: 3,
  });
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
  here = use({ ...here, gradeId: grade.id });
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
  here = use({ ...here, gradeId });
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
  here = use((await place()) as PlacingStage);
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

test('students of a closed year can be read but not moved', async () => {
  const [asha = 0] = await children('Asha');
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  expect((await move(here.a, [asha])).json.error.fields).toEqual({
    from: reopenWords,
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
