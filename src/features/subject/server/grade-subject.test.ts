import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { create } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { gradeSubjectApi } from '../contract/grade-subject.ts';
import { electiveGroupMaster, subjectMaster } from '../contract/masters.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

async function place() {
  const [year, program, grade] = await Promise.all(
    [yearMaster, programMaster, gradeMaster].map((master) => create(admin, master)),
  );
  const subjects = [await create(admin, subjectMaster), await create(admin, subjectMaster)];
  const [first, second] = subjects.map(({ id }) => id);
  return {
    academicYearId: year?.id ?? 0,
    programId: program?.id ?? 0,
    gradeId: grade?.id ?? 0,
    first: first ?? 0,
    second: second ?? 0,
  };
}
type GradeOfYear = Awaited<ReturnType<typeof place>>;

const save = ({ academicYearId, programId }: GradeOfYear, changes: object[]) =>
  admin.send({ method: 'PUT', url: '/api/configuration/grade-subject', body: { academicYearId, programId, changes } });
const cellsOf = async ({ academicYearId, programId }: GradeOfYear) =>
  (await admin.call(gradeSubjectApi.read, { academicYearId, programId })).cells;
const copy = (from: GradeOfYear, to: GradeOfYear, confirmToken?: string) =>
  admin.send({
    method: 'POST',
    url: '/api/configuration/grade-subject/copy',
    body: { fromYearId: from.academicYearId, toYearId: to.academicYearId, confirmToken },
  });

test('a subject of a grade is compulsory, elective or not taught, and changes are audited', async () => {
  const here = await place();
  const group = await create(admin, electiveGroupMaster);
  const { gradeId, first, second } = here;
  await save(here, [
    { gradeId, subjectId: first, before: '', after: 'C' },
    { gradeId, subjectId: second, before: '', after: `E${group.id}` },
  ]);
  expect(await cellsOf(here)).toEqual([
    { gradeId, subjectId: first, taken: 'C' },
    { gradeId, subjectId: second, taken: `E${group.id}` },
  ]);
  await save(here, [
    { gradeId, subjectId: first, before: 'C', after: '' },
    { gradeId, subjectId: second, before: `E${group.id}`, after: 'E' },
  ]);
  expect(await cellsOf(here)).toEqual([{ gradeId, subjectId: second, taken: 'E' }]);
  const rows = await school.sql(`select actor, details from audit where action = 'grade-subject.changed' order by id`);
  expect(rows.map(({ actor, details }) => [actor, details])).toEqual([
    ['Asha', expect.objectContaining({ added: 2, removed: 0 })],
    ['Asha', expect.objectContaining({ added: 1, removed: 1 })],
  ]);
  // A taught subject is in use.
  const used = await admin.send({
    method: 'DELETE',
    url: `/api/configuration/subject/${second}`,
    body: { version: 1 },
  });
  expect(used.status).toBe(409);
});

test('of ten simultaneous changes of a cell one is saved and nine are stale', async () => {
  const here = await place();
  const { gradeId, first } = here;
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      save(here, [{ gradeId, subjectId: first, before: '', after: n % 2 ? 'C' : 'E' }]),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await cellsOf(here)).toHaveLength(1);
});

test('an invalid value, a repeated cell and a deleted subject are refused and nothing is saved', async () => {
  const here = await place();
  const { gradeId, first } = here;
  const cell = { gradeId, subjectId: first, before: '', after: 'C' };
  expect((await save(here, [{ ...cell, after: 'X' }])).status).toBe(422);
  expect((await save(here, [])).status).toBe(422);
  expect((await save(here, [cell, { ...cell, after: 'E' }])).json.error.code).toBe('conflict');
  expect((await save(here, [cell, { ...cell, subjectId: 999_999 }])).json.error.code).toBe('conflict');
  expect((await save(here, [{ ...cell, after: 'E999999' }])).json.error.code).toBe('conflict');
  expect((await save({ ...here, academicYearId: 999_999 }, [cell])).status).toBe(404);
  expect(await cellsOf(here)).toEqual([]);
});

test('N1.4 the matrix is copied to another year, and a second time adds nothing', async () => {
  const [from, to] = [await place(), await place()];
  const { gradeId, first, second } = from;
  await save(from, [
    { gradeId, subjectId: first, before: '', after: 'C' },
    { gradeId, subjectId: second, before: '', after: 'E' },
  ]);
  await save({ ...to, programId: from.programId }, [{ gradeId, subjectId: first, before: '', after: 'E' }]);
  const { json } = await copy(from, to);
  expect(json).toMatchObject({ isApplied: false, added: 1, alreadyThere: 1 });
  expect(await cellsOf({ ...to, programId: from.programId })).toHaveLength(1);
  await save(from, [{ gradeId, subjectId: second, before: 'E', after: 'C' }]);
  expect((await copy(from, to, json.confirmToken)).json.error.code).toBe('stale');
  await save(from, [{ gradeId, subjectId: second, before: 'C', after: 'E' }]);
  const twice = await Promise.all([copy(from, to, json.confirmToken), copy(from, to, json.confirmToken)]);
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await copy(from, to)).json).toMatchObject({ added: 0, alreadyThere: 2 });
  // Existing entries of the year stay.
  expect(await cellsOf({ ...to, programId: from.programId })).toEqual([
    { gradeId, subjectId: first, taken: 'E' },
    { gradeId, subjectId: second, taken: 'E' },
  ]);
});

test('the subjects of a closed year can be read but not changed', async () => {
  const here = await place();
  const { gradeId, first, academicYearId } = here;
  const cell = { gradeId, subjectId: first, before: '', after: 'C' };
  await save(here, [cell]);
  await school.sql(`update academic_year set status = 'Closed' where id = ${academicYearId}`);
  const { status, json } = await save(here, [{ ...cell, before: 'C', after: '' }]);
  expect([status, json.error.message]).toEqual([409, reopenWords]);
  expect(await cellsOf(here)).toHaveLength(1);
  await expect(
    school.sql(`delete from configuration_grade_subject where academic_year_id = ${academicYearId}`),
  ).rejects.toThrow('the academic year is closed');
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const here = await place();
  const { gradeId, first } = here;
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => save(here, [{ gradeId, subjectId: first, before: '', after: 'C' }]));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('the programs that have subjects in a year are listed, those with most of them first', async () => {
  const here = await place();
  const other = await create(admin, programMaster);
  const { academicYearId, gradeId, first, second } = here;
  const programs = () => admin.call(gradeSubjectApi.programs, { academicYearId });
  expect(await programs()).toEqual([]);
  await save(here, [{ gradeId, subjectId: first, before: '', after: 'C' }]);
  await save({ ...here, programId: other.id }, [
    { gradeId, subjectId: first, before: '', after: 'C' },
    { gradeId, subjectId: second, before: '', after: 'C' },
  ]);
  expect(await programs()).toEqual([other.id, here.programId]);
});
