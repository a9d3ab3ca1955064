import { afterAll, beforeAll, expect, test } from 'vitest';
import type { grantedSets } from '#access/contract/grants.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { studentList } from '#features/student/contract/list.ts';
import { resultList } from '#features/student/contract/result.ts';
import { turnApi } from '#features/student/contract/turn.ts';
import { student } from '#features/student/server/feature.ts';
import { english } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openTurning, type Turning } from '#testing/turning.ts';
import { answerList } from '../contract/question.ts';
import { yearEndApi } from '../contract/year-end.ts';

let school: School;
let here: Turning;
let admin: Person;
beforeAll(async () => {
  // Years of other tests would have ended too.
  school = await openOwnSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  here = await openTurning(school, [
    { name: 'Five', children: 6, next: 'Six', sections: { A: 20 } },
    { name: 'Six', children: 4, next: 'Seven', sections: { A: 20 } },
    { name: 'Seven', children: 3, sections: { A: 20 } },
  ]);
});
afterAll(() => school.close());

/** A run works by the machine's clock. */
const on = (day: string) => {
  school.clock.now = new Date(`${day}T06:00:00Z`);
};
/** What a new member of staff, or an Admin, reads of the turn on the dashboard; undefined without the card. */
async function cardOf(...sets: (typeof grantedSets)[number][]) {
  const person = await school.person(sets.length > 0 ? { sets } : { role: 'Admin' });
  const { cards } = await person.call(dashboardApi.read, {});
  const figures = cards.find(({ title }) => english(title) === 'The turn of the year')?.figures;
  return figures?.map(({ label, value, to }) => [english(label), value, to]);
}
const results = () => `academic/year-end?tab=results&year=${here.fromYearId}&state=No%20decision%20yet`;
const promotion = () => `academic/year-end?tab=turn&year=${here.fromYearId}`;
const noAnswer = () => `academic/year-end?tab=families&year=${here.fromYearId}&answer=No%20answer`;
const unplaced = () => `student/student-list?tab=unplaced&yearId=${here.toYearId}`;

test('the turn of the year is on the dashboards of Admin, principal and office from 60 days before its end', async () => {
  on(addDays(here.end, -61));
  expect(await cardOf('principal')).toBeUndefined();
  on(addDays(here.end, -60));
  const before = [['Students without a result', 13, results()]];
  for (const sets of [[], ['principal'], ['office']] as const) expect(await cardOf(...sets)).toEqual(before);
  for (const set of ['accountant', 'nurse'] as const) expect(await cardOf(set)).toBeUndefined();
  await school.sql(`insert into year_question (to_year_id, from_year_id, words, grade_ids, opens_on, closes_on)
    values (${here.toYearId}, ${here.fromYearId}, 'Staying?', array[${here.idOf('Five')}], '${addDays(here.end, -60)}', '${addDays(here.end, -31)}')`);
  expect(await cardOf('office')).toEqual([['Families without an answer', 6, noAnswer()], ...before]);
  const { total } = await admin.call(answerList.api.list, { answer: 'No answer' } as never);
  expect(total).toBe(6);
});

test('a student with a result is counted apart until the promotion writes it, and the figure equals its list', async () => {
  const [enrolment] = await here.enrolmentsOf('Five');
  await school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, source, decided_by)
    values (${enrolment}, ${here.fromYearId}, 'Promote', 'Hand', 'Asha')`);
  expect((await cardOf('principal'))?.slice(1)).toEqual([
    ['Students without a result', 12, results()],
    ['Students with a result, not promoted yet', 1, promotion()],
  ]);
  const { total } = await admin.call(resultList.api.list, {
    yearId: String(here.fromYearId),
    state: 'No decision yet',
  } as never);
  expect(total).toBe(12);
  const { lines } = await admin.call(yearEndApi.read, { yearId: here.fromYearId });
  expect(
    lines.flatMap(({ key, at, open, of }) => (key.startsWith('student.') && open ? [[key, at, open, of]] : [])),
  ).toEqual([
    ['student.undecided', 'blocks', 12, 13],
    ['student.not-promoted', 'blocks', 1, undefined],
  ]);
});

test('grades that are left for later keep their children undecided until a second turn takes them', async () => {
  const id = here.fromYearId;
  const start = async (gradeIds: number[]) => {
    school.clock.now = undefined;
    const asked = { id, keeps: 'None' as const, gradeIds };
    const shown = await admin.call(turnApi.start, asked);
    const { runId } = await admin.call(turnApi.start, { ...asked, confirmToken: shown.confirmToken ?? '' });
    await finishRun(school.services, student.runs, Number(runId));
    on(addDays(here.end, -11));
    return shown;
  };
  expect(await start([here.idOf('Five')])).toMatchObject({ grades: 1, roll: 6, promoted: 6, leaving: 0 });
  expect(await cardOf('principal')).toEqual([
    ['Families without an answer', 6, noAnswer()],
    ['Students without a result', 7, results()],
    ['Students of the next year without a section', 6, unplaced()],
  ]);
  const { total } = await admin.call(studentList.api.list, {
    tab: 'unplaced',
    yearId: String(here.toYearId),
  } as never);
  expect(total).toBe(6);
  const { grades, turns } = await admin.call(turnApi.read, { id, keeps: 'Same letter' });
  expect(grades.map(({ decided, promoted, leaving }) => [decided, promoted, leaving])).toEqual([
    [6, 0, 0],
    [0, 4, 0],
    [0, 0, 3],
  ]);
  expect(turns).toHaveLength(1);
  // The rest, with all grades asked for: those of the first turn are not written twice.
  expect(await start([])).toMatchObject({ grades: 2, roll: 7, promoted: 4, leaving: 3 });
  const [row] = await school.sql(`select count(*)::integer as there, count(distinct student_id)::integer as children
    from student_enrollment where academic_year_id = ${here.toYearId} and is_standing`);
  expect(row).toEqual({ there: 10, children: 10 });
});

test('the card is gone once the year is closed', async () => {
  on(addDays(here.end, 20));
  expect((await cardOf('office'))?.map(([title, value]) => [title, value])).toEqual([
    ['Families without an answer', 6],
    ['Students without a result', 0],
    ['Students of the next year without a section', 10],
  ]);
  await school.sql(`update academic_year set status = 'Closed', closed_at = now() where id = ${here.fromYearId}`);
  expect(await cardOf('office')).toBeUndefined();
});
