import { beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { plant } from '#testing/masters.ts';
import { openPlacing, type PlacingStage } from '#testing/placing.ts';
import type { School } from '#testing/school.ts';
import { sectionStudentApi } from '../../contract/section-student.ts';

const { current, child, children, day, move, namesIn, overview, next, promote } = openPlacing();
let school: School;
let admin: Person;
let here: PlacingStage;
beforeEach(() => {
  ({ school, admin, here } = current());
});

const reasonsOf = (skipped: { name: string; why: Text }[]) =>
  Object.fromEntries(skipped.map(({ name, why }) => [name, english(why)]));

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
  expect(json.error.message).toEqual(reopenWords);
});

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
