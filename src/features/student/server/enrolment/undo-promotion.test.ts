import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { english, type Text, verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { type EnrolmentChange, enrolmentHook } from '../../contract/hooks.ts';
import { sectionStudentApi } from '../../contract/section-student.ts';

let school: School;
let admin: Person;
let here: EnrolmentPlace & { toYearId: number; nextGrade: number; section: number; nextSection: number };
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());
/** A section with two seats in the next year for the children of one section. */
beforeEach(async () => {
  const section = await plant(school, sectionMaster);
  const { academicYearId, branchId, programId, gradeId } = section as unknown as EnrolmentPlace;
  const [year, grade] = [await plant(school, yearMaster), await plant(school, gradeMaster)];
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${gradeId}`);
  const [next] = await school.sql(`insert into academic_section
      (academic_year_id, branch_id, program_id, grade_id, name, capacity, medium)
    select ${year.id}, branch_id, program_id, ${grade.id}, name, 2, medium from academic_section
    where id = ${section.id} returning id`);
  here = {
    ...{ academicYearId, branchId, programId, gradeId },
    ...{ toYearId: year.id, nextGrade: grade.id, section: section.id, nextSection: Number(next?.id) },
  };
});

/** Enrols children in the section; returns their enrolments. */
async function seated(...names: string[]) {
  const ids: number[] = [];
  for (const name of names) ids.push(await enroll(school, here, name));
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, effective_from)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${here.section}, joined_on
    from student_enrollment where id in (${ids})`);
  return ids;
}
async function promote(ids: number[], decisions: string[]) {
  const { academicYearId, gradeId, toYearId } = here;
  const students = ids.map((enrollmentId, index) => ({
    enrollmentId,
    decision: (decisions[index] ?? 'Promote') as 'Promote',
  }));
  const body = { academicYearId, gradeId, toYearId, keepsSection: true, students };
  const { confirmToken } = await admin.call(sectionStudentApi.promote, body);
  await admin.call(sectionStudentApi.promote, { ...body, confirmToken: confirmToken ?? '' });
  const [promotion] = await admin.call(sectionStudentApi.promotions, { academicYearId, gradeId });
  return promotion?.id ?? 0;
}
const preview = (id: number) => admin.call(sectionStudentApi.undoPromotion, { id });
const undo = async (id: number) => {
  const { confirmToken } = await preview(id);
  return admin.call(sectionStudentApi.undoPromotion, { id, confirmToken: confirmToken ?? '' });
};
const states = () =>
  school.sql(`select student.first_name as name, own.status, own.left_on::text as left, own.promotion_id is null as free,
      student.left_on::text as gone, later.status as later,
      (select count(*)::integer from student_section where enrollment_id = later.id) as seats
    from student_enrollment own join student on student.id = own.student_id
    left join student_enrollment later on later.student_id = own.student_id and later.academic_year_id = ${here.toYearId}
    where own.academic_year_id = ${here.academicYearId} order by 1`);
const studentOf = (enrollmentId: number) => `(select student_id from student_enrollment where id = ${enrollmentId})`;

test('X42 undoing a promotion returns every student of it to undecided, and the grade can be promoted again', async () => {
  const ids = await seated('Asha', 'Bela', 'Chand', 'Dev');
  const id = await promote(ids, ['Promote', 'Promote', 'Detain', 'Leave']);
  const shown = await preview(id);
  expect(shown.returns.map(({ result, names }) => [english(result), names])).toEqual([
    ['Promoted', ['Asha Shah', 'Bela Shah']],
    ['Detained', ['Chand Shah']],
    ['Leaving', ['Dev Shah']],
  ]);
  expect(shown).toMatchObject({ unassigned: 2, blocks: [], isApplied: false });
  expect(await undo(id)).toMatchObject({ isApplied: true });
  const back = { status: 'Active', left: null, gone: null, free: true };
  expect(await states()).toEqual([
    { name: 'Asha', ...back, later: 'Cancelled', seats: 0 },
    { name: 'Bela', ...back, later: 'Cancelled', seats: 0 },
    { name: 'Chand', ...back, later: 'Cancelled', seats: 0 },
    { name: 'Dev', ...back, later: null, seats: 0 },
  ]);
  const [undone] = await admin.call(sectionStudentApi.promotions, here);
  expect(undone).toMatchObject({ id, undoneBy: 'Kiran', hasList: false, promoted: 0 });
  expect((await admin.send({ url: `/api/academic/section-student/promoted/${id}` })).status).toBe(404);
  await expect(preview(id)).rejects.toMatchObject({ code: 'conflict' });
  await promote(ids, ['Promote', 'Promote', 'Promote', 'Promote']);
  expect((await states()).filter(({ later }) => later === 'Active')).toHaveLength(4);
  const acts = await school.sql(`select details from audit where action = 'section-student.promotion-undone'
    and entity_id = ${studentOf(ids[3] ?? 0)}`);
  expect(acts).toMatchObject([{ details: { Student: 'Dev Shah', Result: 'Left' } }]);
});

test('X42 a promotion of which one student has changed since is not undone, and the students are named', async () => {
  const ids = await seated('Asha', 'Bela', 'Chand', 'Dev');
  const id = await promote(ids, ['Promote', 'Promote', 'Promote', 'Leave']);
  await school.sql(
    `update student_leaving set readmitted_on = last_day + 1 where student_id = ${studentOf(ids[3] ?? 0)}`,
  );
  await school.sql(`update student_enrollment set status = 'Promoted' where academic_year_id = ${here.toYearId}
    and student_id = ${studentOf(ids[0] ?? 0)}`);
  await school.sql(`update student_enrollment set status = 'Cancelled' where academic_year_id = ${here.toYearId}
    and student_id = ${studentOf(ids[2] ?? 0)}`);
  const before = await states();
  const { blocks, confirmToken } = await preview(id);
  expect([blocks.map(english), confirmToken]).toEqual([
    [
      'Left or came back since: Dev Shah',
      'No longer in the new year: Chand Shah',
      'Changed in the new year since: Asha Shah',
    ],
    null,
  ]);
  await expect(undo(id)).rejects.toMatchObject({ code: 'stale' });
  expect(await states()).toEqual(before);
});

test('X42 undoing a promotion tells the other features, gives back what they kept, and stops where one of them blocks it', async () => {
  const ids = await seated('Asha', 'Bela');
  const asked: EnrolmentChange[] = [];
  let blocks: Text[] = [];
  const bus = answer(enrolmentHook, { by: 'ticket', step: 12 }, async (_, changes) => {
    asked.push(...changes);
    const kept = Object.fromEntries(changes.map(({ enrollmentId }) => [enrollmentId, 'stop 7']));
    return { texts: [verbatim('A seat in bus 2')], blocks, basis: null, kept };
  });
  const answers = school.services.answers as HookAnswer[];
  answers.push(bus);
  const id = await promote(ids, ['Promote', 'Leave']);
  const [later] = await school.sql(`select id from student_enrollment where academic_year_id = ${here.toYearId}`);
  blocks = [verbatim('2 marks')];
  const blocked = await preview(id);
  blocks = [];
  asked.length = 0;
  await undo(id);
  answers.splice(answers.indexOf(bus), 1);
  expect([blocked.blocks.map(english), blocked.also.map(english), blocked.confirmToken]).toEqual([
    ['2 marks'],
    ['A seat in bus 2'],
    null,
  ]);
  expect(asked.slice(2)).toEqual([
    expect.objectContaining({ enrollmentId: later?.id, kind: 'cancelled', yearId: here.toYearId }),
    expect.objectContaining({ enrollmentId: ids[1], kind: 'back', kept: { ticket: 'stop 7' } }),
  ]);
});
