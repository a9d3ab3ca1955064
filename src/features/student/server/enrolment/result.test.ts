import { afterAll, beforeAll, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { teach } from '#testing/teachers.ts';
import { openTurning, type Turning } from '#testing/turning.ts';
import { resultApi, resultImportApi, resultList } from '../../contract/result.ts';

let school: School;
let admin: Person;
let here: Turning;
let ids: number[];
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  here = await openTurning(school, [
    { name: 'Five', children: 6, next: 'Six', sections: { A: 10, B: 10 } },
    { name: 'Six', children: 2, sections: { A: 10 } },
  ]);
  ids = await here.enrolmentsOf('Five');
  // Thirty days before the last day.
  school.clock.now = new Date(Date.parse(`${here.end}T06:00:00Z`) - 30 * 86_400_000);
});
afterAll(() => school.close());

const listFor = (person: Person, more = {}) =>
  person.call(resultList.api.list, { yearId: String(here.fromYearId), ...more } as never);
const rowOf = async (id: number) => (await listFor(admin)).rows.find((row) => row.id === id);
const put = (person: Person, id: number, body: object) =>
  person.send({
    method: 'PUT',
    url: `/api/student/result/${id}`,
    body: { version: 0, decision: 'Detain', reason: '', conduct: '', progress: '', ...body },
  });

test('one child is decided on with a reason, and without a decision the list says where the child goes', async () => {
  const [first = 0] = ids;
  const { rows } = await listFor(admin);
  const leads = (ids: readonly number[]) =>
    rows.flatMap(({ id, decision, leadsTo }) => (ids.includes(id) ? [[decision, leadsTo?.split(' ')[0]]] : []));
  expect(leads(ids)).toEqual(Array(6).fill(['', 'Six']));
  expect(leads(await here.enrolmentsOf('Six'))).toEqual(Array(2).fill(['', '']));
  expect((await put(admin, first, {})).json.error.fields).toEqual({ reason: 'Enter the reason.' });
  expect((await put(admin, first, { reason: 'Below 35 %', conduct: 'Good' })).status).toBe(200);
  expect(await rowOf(first)).toMatchObject({ decision: 'Detain', reason: 'Below 35 %', conduct: 'Good', version: 1 });
  expect((await put(admin, first, { reason: 'Other' })).json.error.code).toBe('stale');
  // Who completes the last class needs no reason.
  const [last = 0] = await here.enrolmentsOf('Six');
  expect((await put(admin, last, { decision: 'Leave' })).status).toBe(200);
  expect(await rowOf(last)).toMatchObject({ decision: 'Leave', reason: 'Completed the last class' });
});

test('several children are decided on at once after a preview, and who is decided is skipped', async () => {
  const [, second = 0, third = 0, fourth = 0] = ids;
  await school.sql(`update student_enrollment set status = 'Promoted' where id = ${fourth}`);
  const selection = { ids: [second, third, fourth], isAll: false, query: { yearId: String(here.fromYearId) } };
  const typed = { selection, decision: 'Re-test' as const, reason: 'Failed in Maths', conduct: '', progress: 'Passed' };
  const shown = await admin.call(resultApi.decideMany, typed);
  expect([shown.changed, shown.skipped.map(({ reason }) => english(reason))]).toEqual([
    2,
    ['The decision has been written already.'],
  ]);
  await admin.call(resultApi.decideMany, { ...typed, confirmToken: shown.confirmToken ?? '' });
  expect(await rowOf(second)).toMatchObject({ decision: 'Re-test', reason: 'Failed in Maths', progress: 'Passed' });
  expect((await put(admin, fourth, { reason: 'Late' })).json.error.message).toBe(
    'The decision has been written already.',
  );
});

test('a class teacher decides for the section led on the last day alone, and nobody before results are entered', async () => {
  const [section] = await school.sql(`select id from academic_section where academic_year_id = ${here.fromYearId}
    and grade_id = ${here.idOf('Five')} and name = 'A'`);
  const teacher = await school.person({ name: 'Hema' });
  await teach(school, teacher, { sectionId: Number(section?.id) });
  const own = (await listFor(teacher)).rows;
  expect(own.map(({ id }) => id).toSorted()).toEqual([ids[0], ids[2], ids[4]]);
  expect((await put(teacher, ids[4] ?? 0, { decision: 'Promote' })).status).toBe(200);
  expect((await put(teacher, ids[5] ?? 0, { decision: 'Promote' })).status).toBe(404);
  const now = school.clock.now;
  school.clock.now = new Date(Date.parse(`${here.end}T06:00:00Z`) - 61 * 86_400_000);
  const early = await put(admin, ids[5] ?? 0, { decision: 'Promote' });
  school.clock.now = now;
  expect(early.json.error.message).toMatch(/^Results of .+ are entered from /);
});

test('a file of results is previewed, imported and undone', async () => {
  const [{ gr } = {}] = await school.sql(`select gr_no as gr from student
    where id = (select student_id from student_enrollment where id = ${ids[5]})`);
  const input = {
    yearId: here.fromYearId,
    file: `GR number,Decision,Reason,Conduct,Progress\n${gr},Detain,Attendance,Good,Failed\nNONE,Promote,,,\n`,
  };
  const shown = await admin.call(resultImportApi.import, input as never);
  expect(shown.counts).toEqual({ added: 1, changed: 0, same: 0, wrong: 1 });
  const good = { ...input, file: input.file.replace('NONE,Promote,,,\n', '') };
  const { confirmToken } = await admin.call(resultImportApi.import, good as never);
  const { importId } = await admin.call(resultImportApi.import, { ...good, confirmToken } as never);
  expect(await rowOf(ids[5] ?? 0)).toMatchObject({ decision: 'Detain', reason: 'Attendance', progress: 'Failed' });
  const undo = { yearId: here.fromYearId, importId: Number(importId) };
  const back = await admin.call(resultImportApi.importUndo, undo);
  await admin.call(resultImportApi.importUndo, { ...undo, confirmToken: back.confirmToken ?? '' });
  expect(await rowOf(ids[5] ?? 0)).toMatchObject({ decision: '', version: 0 });
});

test('a closed year refuses a decision with the way to correct a result', async () => {
  const closed = await openTurning(school, [{ name: 'Four', children: 1, sections: { A: 10 } }]);
  const [child = 0] = await closed.enrolmentsOf('Four');
  await school.sql(`update academic_year set status = 'Closed', closed_at = '${closed.end}', closed_by = 'Kiran'
    where id = ${closed.fromYearId}`);
  const words = /was closed on .*\. Correct the result in the student’s record: the principal decides\.$/;
  expect((await put(admin, child, { reason: 'Below 35 %' })).json.error.message).toMatch(words);
});
