import { beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { showDate } from '#kit/contract/day.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { plant } from '#testing/masters.ts';
import { openPlacing, type PlacingStage } from '#testing/placing.ts';
import type { School } from '#testing/school.ts';
import { sectionStudentApi } from '../../contract/section-student.ts';

const { current, children, day, move, studentsIn, next, askPromotion, promote } = openPlacing();
let school: School;
let admin: Person;
let here: PlacingStage;
beforeEach(() => {
  ({ school, admin, here } = current());
});

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
  expect((await promoteChild(2, true)).json.error.message).toEqual(reopenWords);
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
