import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openTurning, type Turning } from '#testing/turning.ts';
import { resultImportApi } from '../../contract/result.ts';
import { turnApi, turnList } from '../../contract/turn.ts';
import { turnRuns } from './turn.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());

/** Promotes the grades of two years; returns the turn. */
async function turned(here: Turning) {
  const body = { id: here.fromYearId, keeps: 'Same letter' as const };
  const { confirmToken } = await admin.call(turnApi.start, body);
  const { runId } = await admin.call(turnApi.start, { ...body, confirmToken: confirmToken ?? '' });
  await finishRun(school.services, turnRuns, Number(runId));
  const { turns } = await admin.call(turnApi.read, body);
  return turns[0]?.id ?? 0;
}
const open = () =>
  openTurning(school, [
    { name: 'Four', children: 6, next: 'Five', sections: { A: 10 } },
    { name: 'Five', children: 3, next: 'Six', sections: { A: 10 } },
    { name: 'Six', children: 2, sections: { A: 10 } },
  ]);
const stands = ({ fromYearId, idOf }: Turning, grade: string) =>
  school
    .sql(`select status, count(*)::integer as count from student_enrollment where academic_year_id = ${fromYearId}
      and grade_id = ${idOf(grade)} group by 1 order by 1`)
    .then((rows) => Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)])));

test('U1.7 one grade of a turn is undone, and a child with a mark is named and may remain', async () => {
  const here = await open();
  const id = await turned(here);
  const [first = 0] = await here.enrolmentsOf('Four');
  // A mark in the new year.
  const [child] = await school.sql(`with place as (select own.* from student_section own
      join student_enrollment former on former.student_id = own.student_id and former.id = ${first}
      where own.academic_year_id = ${here.toYearId}),
    register as (insert into attendance_register (section_id, academic_year_id, branch_id, program_id, grade_id, day, taken_at,
        locks_at)
      select section_id, academic_year_id, branch_id, program_id, grade_id, '${here.nextStart}'::date, now(), now()
      from place returning *)
    insert into attendance_mark (register_id, academic_year_id, day, half, student_id, code_id)
    select register.id, place.academic_year_id, register.day, register.half, place.student_id,
      (select id from attendance_code where value > 0 order by id limit 1)
    from place, register returning student_id as id`);
  const undo = (more = {}) => admin.call(turnApi.undo, { id, gradeId: here.idOf('Four'), ...more });
  const blocked = await undo();
  expect(blocked.confirmToken).toBeNull();
  expect(blocked.children.flatMap(({ id: own, blocks }) => (blocks.length > 0 ? [own] : []))).toEqual([child?.id]);
  expect(blocked.blocks.map(english)).toEqual([expect.stringMatching(/^N001 Four: 1 mark in a register$/)]);
  const leaves = [Number(child?.id)];
  const shown = await undo({ leaves });
  expect([shown.children.length, shown.left]).toEqual([5, ['N001 Four']]);
  await undo({ leaves, confirmToken: shown.confirmToken });
  expect(await stands(here, 'Four')).toEqual({ Active: 5, Promoted: 1 });
  // The other grades stand.
  expect(await stands(here, 'Five')).toEqual({ Promoted: 3 });
  const { turns } = await admin.call(turnApi.read, { id: here.fromYearId, keeps: 'None' });
  expect(turns[0]?.grades.map(({ promoted, isUndone }) => [promoted, isUndone])).toEqual([
    [1, false],
    [3, false],
    [0, false],
  ]);
});

test('U1.7 one child of a turn is undone, and promoted again by the next turn', async () => {
  const here = await open();
  const id = await turned(here);
  const rows = async () =>
    (await admin.call(turnList.api.list, { yearId: String(here.fromYearId), size: 50 } as never)).rows;
  const [child] = await rows();
  expect(child?.turnId).toBe(id);
  const one = { id, gradeId: null, studentId: child?.studentId ?? 0 };
  const shown = await admin.call(turnApi.undo, one);
  expect([shown.children.map(({ name }) => name), shown.left]).toEqual([[child?.name], []]);
  await admin.call(turnApi.undo, { ...one, confirmToken: shown.confirmToken ?? '' });
  expect(await stands(here, 'Four')).toEqual({ Active: 1, Promoted: 5 });
  expect(await stands(here, 'Five')).toEqual({ Promoted: 3 });
  // The second press finds nothing to undo; the grade's others can still be undone.
  await expect(admin.call(turnApi.undo, one)).rejects.toThrow('This promotion was undone.');
  expect((await rows()).find(({ studentId }) => studentId === child?.studentId)?.turnId).toBeNull();
  await turned(here);
  expect(await stands(here, 'Four')).toEqual({ Promoted: 6 });
});

test('nothing of a turn is undone in a closed year, and the reason names the year', async () => {
  const here = await open();
  const id = await turned(here);
  const [child] = (await admin.call(turnList.api.list, { yearId: String(here.fromYearId), size: 50 } as never)).rows;
  await school.sql(`update academic_year set status = 'Closed', closed_at = now() where id = ${here.fromYearId}`);
  for (const input of [
    { gradeId: null },
    { gradeId: here.idOf('Four') },
    { gradeId: null, studentId: child?.studentId ?? 0 },
  ])
    await expect(admin.call(turnApi.undo, { id, ...input })).rejects.toThrow(
      /^\d{4}-\d{4} was closed on .*An Admin can reopen it/,
    );
  expect((await admin.call(turnApi.read, { id: here.fromYearId, keeps: 'None' })).isClosed).toBe(true);
  expect(await stands(here, 'Four')).toEqual({ Promoted: 6 });
});

test('U1.7 a whole turn is undone with its leavers, and can be made again', async () => {
  const here = await open();
  const id = await turned(here);
  expect(await stands(here, 'Six')).toEqual({ Left: 2 });
  const shown = await admin.call(turnApi.undo, { id, gradeId: null });
  expect(shown.children.map(({ result }) => result)).toEqual([...Array(9).fill('Promoted'), 'Left', 'Left']);
  await admin.call(turnApi.undo, { id, gradeId: null, confirmToken: shown.confirmToken ?? '' });
  for (const [grade, count] of [
    ['Four', 6],
    ['Five', 3],
    ['Six', 2],
  ] as const)
    expect(await stands(here, grade)).toEqual({ Active: count });
  const [turn] = (await admin.call(turnApi.read, { id: here.fromYearId, keeps: 'None' })).turns;
  expect(turn).toMatchObject({ undoneBy: 'Kiran' });
  const again = await admin.send({ method: 'POST', url: `/api/year-end/turn/${id}/undo`, body: {} });
  expect(again.json.error.message).toBe('This promotion was undone. Reload the page.');
  expect(await turned(here)).not.toBe(id);
});

test('a file of results is undone after the turn that followed it was', async () => {
  const here = await open();
  const [first = 0] = await here.enrolmentsOf('Four');
  const [{ gr } = {}] = await school.sql(`select gr_no as gr from student
    where id = (select student_id from student_enrollment where id = ${first})`);
  // Thirty days before the last day.
  school.clock.now = new Date(Date.parse(`${here.end}T06:00:00Z`) - 30 * 86_400_000);
  const file = `GR number,Decision,Reason,Conduct,Progress\n${gr},Detain,Attendance,Good,Failed\n`;
  const input = { yearId: here.fromYearId, file };
  const shown = await admin.call(resultImportApi.import, input as never);
  const { importId } = await admin.call(resultImportApi.import, {
    ...input,
    confirmToken: shown.confirmToken,
  } as never);
  school.clock.now = undefined;
  const id = await turned(here);
  expect(await stands(here, 'Four')).toEqual({ Detained: 1, Promoted: 5 });
  const turn = await admin.call(turnApi.undo, { id, gradeId: null });
  await admin.call(turnApi.undo, { id, gradeId: null, confirmToken: turn.confirmToken ?? '' });
  const undo = { yearId: here.fromYearId, importId: Number(importId) };
  const back = await admin.call(resultImportApi.importUndo, undo);
  await admin.call(resultImportApi.importUndo, { ...undo, confirmToken: back.confirmToken ?? '' });
  expect(await school.sql(`select from student_result where enrollment_id = ${first}`)).toEqual([]);
  await turned(here);
  expect(await stands(here, 'Four')).toEqual({ Promoted: 6 });
});
