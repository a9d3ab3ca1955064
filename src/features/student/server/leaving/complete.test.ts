import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { english, verbatim } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import type { RunBatch } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { certificateApi } from '../../contract/certificate.ts';
import { leavingCheck } from '../../contract/hooks.ts';
import { leaverApi, leaverList } from '../../contract/leaver.ts';
import { leaverRuns } from './complete.ts';

let school: School;
let office: Person;
let yearId: number;
let [first, second] = [0, 0];
beforeAll(async () => {
  school = await openOwnSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  first = await openSection(school, { day: `date '2019-07-01'` });
  second = await openSection(school, { day: `date '2019-07-01'` });
  await school.sql(`update academic_section set capacity = 80, name = 'A' where id = ${first};
    update academic_section set capacity = 80, name = 'B' where id = ${second};
    update academic_grade set next_grade_id = null, position = 1000 where id = (select min(id) from academic_grade)`);
  yearId = Number((await school.sql(`select academic_year_id as id from academic_section where id = ${first}`))[0]?.id);
  school.clock.now = new Date('2020-06-08T06:00:00Z');
});
afterAll(() => school.close());

/** Enrolls children in a section, numbered in their order, by one statement. */
async function seatMany(section: number, count: number, word: string) {
  const one = await seat(school, section, `${word}-00`);
  await school.sql(`
    with children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select branch_id, '${word}' || number, '${word}-' || lpad(number::text, 2, '0'), 'Shah', 'F', '2006-01-01'
      from academic_section, generate_series(1, ${count - 1}) as number where id = ${section} returning id),
    enrolled as (insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type,
        joined_on)
      select children.id, section.academic_year_id, section.branch_id, section.program_id, section.grade_id, 'New',
        year.starts_on
      from children, academic_section section join academic_year year on year.id = section.academic_year_id
      where section.id = ${section} returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        effective_from)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${section}, joined_on from enrolled`);
  await school.sql(`update student_section own set roll_no = numbered.roll from (select own.id,
      row_number() over (order by student.sort_name) as roll from student_section own
      join student on student.id = own.student_id where own.section_id = ${section}) numbered where numbered.id = own.id`);
  return one;
}

const all = (query: Record<string, string> = {}) => ({
  isAll: true,
  ids: [],
  query: { yearId: String(yearId), ...query },
});
const complete = (more: { confirmToken?: string } = {}) =>
  office.call(leaverApi.complete, { selection: all(), conduct: 'Good', progress: 'Passed', ...more });
const owing = (ids: readonly number[]) =>
  answer(
    leavingCheck,
    { by: 'fee', step: 9 },
    async (_, { studentIds }) =>
      new Map(studentIds.flatMap((id) => (ids.includes(id) ? [[id, [verbatim('Fees: ₹9,500')]] as const] : []))),
  );

test('U1.16 75 leavers get 73 certificates without a gap in order of section and roll, two wait for their dues by name, also when the run is killed', async () => {
  const owes = [await seatMany(second, 35, 'Second'), await seatMany(first, 40, 'First')];
  const gone = await seat(school, first, 'Gone');
  await school.sql(`update student_section set effective_to = '2019-12-01' where student_id = ${gone};
    update student_enrollment set status = 'Left', left_on = '2019-12-01' where student_id = ${gone}`);
  const count = async (paper: 'With a certificate' | 'Without a certificate') =>
    (await office.call(leaverList.api.counts, { yearId: String(yearId), paper })).all?.total;
  expect(await count('Without a certificate')).toBe(75);
  const described = { selection: all({ search: 'First-07' }), conduct: 'Very good', progress: '' };
  const { confirmToken: own } = await office.call(leaverApi.describe, described);
  expect(await office.call(leaverApi.describe, { ...described, confirmToken: own ?? '' })).toMatchObject({
    changed: 1,
  });

  const answers = school.services.answers as HookAnswer[];
  const owed = owing(owes);
  answers.push(owed);
  const preview = await complete();
  expect([preview.changed, preview.skipped.map(({ name }) => name)]).toEqual([73, ['First-00 Shah', 'Second-00 Shah']]);
  expect(await school.sql('select from student_leaving')).toEqual([]);
  const { runId } = await complete({ confirmToken: preview.confirmToken ?? '' });
  await expect(complete({ confirmToken: preview.confirmToken ?? '' })).rejects.toMatchObject({ code: 'stale' });
  const run = Number(runId);
  // The connection is lost at the end of the first and of the third batch: what was done in them is gone.
  const { act } = leaverRuns['student.complete'];
  let batches = 0;
  const killed: RunBatch = {
    most: 20,
    act: async (ctx, places, input) => {
      const done = await act(ctx, places, input);
      batches += 1;
      if (batches === 1 || batches === 3) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(ctx.db);
      return done;
    },
  };
  for (let turn = 0; turn < 3; turn += 1)
    await finishRun(school.services, { 'student.complete': killed }, run).catch(() => undefined);
  expect(batches).toBeGreaterThanOrEqual(3);
  await finishRun(school.services, leaverRuns, run);
  const made =
    await school.sql(`select number, student.name, facts ->> 'conduct' as conduct, facts ->> 'progress' as progress
    from student_certificate own join student on student.id = own.student_id order by own.id`);
  expect(made.map(({ number }) => Number(String(number).slice(-4)))).toEqual(
    Array.from({ length: 73 }, (_, index) => index + 1),
  );
  const names = made.map(({ name }) => String(name));
  expect(names).toEqual([...names].sort());
  expect(made.find(({ name }) => name === 'First-07 Shah')).toMatchObject({ conduct: 'Very good', progress: 'Passed' });
  expect(made[0]).toMatchObject({ conduct: 'Good', progress: 'Passed' });
  const waiting = await school.sql(`select name, status, reason ->> 'id' as reason from run_row
    where run_id = ${run} and status <> 'Done' order by name`);
  expect(waiting).toEqual([
    { name: 'First-00 Shah', status: 'Skipped', reason: expect.stringMatching(/^Still owed/) },
    { name: 'Second-00 Shah', status: 'Skipped', reason: expect.stringMatching(/^Still owed/) },
  ]);
  expect(await school.sql(`select count(*)::integer as n from student_leaving where last_day = '2020-05-31'`)).toEqual([
    { n: 73 },
  ]);

  // Started again, nobody gets another one; once the dues are paid the two follow.
  expect(await complete()).toMatchObject({ changed: 0, skippedCount: 75 });
  answers.splice(answers.indexOf(owed), 1);
  const rest = await complete();
  expect([rest.changed, rest.skippedCount]).toEqual([2, 73]);
  const again = await complete({ confirmToken: rest.confirmToken ?? '' });
  await finishRun(school.services, leaverRuns, Number(again.runId));
  expect(await school.sql('select count(*)::integer as n from student_certificate')).toEqual([{ n: 75 }]);
  expect([await count('With a certificate'), await count('Without a certificate')]).toEqual([75, 0]);
});

test('a child who is to leave from another class needs a last day first, and one who is detained in the last class is no leaver', async () => {
  const [grade] = await school.sql('select id from academic_grade where next_grade_id is not null order by id limit 1');
  await school.sql(`update academic_section set grade_id = ${grade?.id}, name = 'C'
    where id = ${await openSection(school, { day: `date '2019-07-01'` })}`);
  const [section] = await school.sql(`select id from academic_section where grade_id = ${grade?.id}`);
  const leaves = await seat(school, Number(section?.id), 'Leaves');
  const remains = await seat(school, Number(section?.id), 'Remains');
  const detained = await seat(school, first, 'Detained');
  await school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
    select id, academic_year_id, case when student_id = ${leaves} then 'Leave' else 'Detain' end, 'Asked', 'Hand', 'Meena'
    from student_enrollment where student_id in (${leaves}, ${detained})`);
  const { rows } = await office.call(leaverList.api.list, { yearId: String(yearId), paper: 'Without a certificate' });
  expect(rows.map(({ studentId }) => studentId)).toEqual([leaves]);
  expect([remains, detained].every((id) => rows.every(({ studentId }) => studentId !== id))).toBe(true);
  const preview = await office.call(leaverApi.complete, {
    selection: { ids: rows.map(({ id }) => id) },
    conduct: 'Good',
    progress: 'Passed',
  });
  expect(preview).toMatchObject({ changed: 0, confirmToken: null });
  expect(preview.skipped.map(({ reason }) => reason.id)).toEqual(['Record the student’s last day first.']);
  const elsewhere = await school.person({
    sets: ['office'],
    branchIds: [
      Number((await school.sql(`insert into academic_branch (name, code) values ('Far', 'FAR') returning id`))[0]?.id),
    ],
  });
  expect((await elsewhere.call(leaverList.api.list, { yearId: String(yearId) })).rows).toEqual([]);
});

test('a class without a next one is no last class while a higher one stands, results are entered near the end, and who failed the last class has not completed it', async () => {
  const failed = await seat(school, first, 'Failed');
  const passed = await seat(school, first, 'Passed');
  await school.sql(`insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by)
    select id, academic_year_id, 'Leave', 'Failed, private candidate', 'Hand', 'Meena' from student_enrollment
    where student_id = ${failed}`);
  const asked = async () => {
    const { rows } = await office.call(leaverList.api.list, { yearId: String(yearId), paper: 'Without a certificate' });
    const ids = rows.filter(({ studentId }) => [failed, passed].includes(studentId)).map(({ id }) => id);
    const preview = await office.call(leaverApi.complete, { selection: { ids }, conduct: 'Good', progress: 'Passed' });
    return [ids.length, preview.changed, preview.skipped.map(({ reason }) => english(reason))];
  };
  expect(await asked()).toEqual([2, 1, ['Record the student’s last day first.']]);
  const today = school.clock.now;
  school.clock.now = new Date('2019-12-02T06:00:00Z');
  const early = 'Results of 2019-20 are entered from 1 Apr 2020.';
  expect(await asked()).toEqual([2, 0, [early, early]]);
  school.clock.now = today;
  const [grade] = await school.sql('update academic_grade set position = 0 where position = 1000 returning id');
  expect(await asked()).toEqual([1, 0, ['Record the student’s last day first.']]);
  await school.sql(`update academic_grade set position = 1000 where id = ${grade?.id}`);
});

test('leavers are completed in the language that is chosen; the question counts other mediums and names in English letters', async () => {
  const mine = await seat(school, second, 'Gita');
  await school.sql(`update academic_section set medium = 'Gujarati' where id = ${second}`);
  const { rows } = await office.call(leaverList.api.list, { yearId: String(yearId), paper: 'Without a certificate' });
  const ids = rows.filter(({ studentId }) => studentId === mine).map(({ id }) => id);
  const body = { selection: { ids }, conduct: 'Good', progress: 'Passed' };
  expect(await office.call(leaverApi.language, { selection: { ids } })).toEqual({ language: 'Gujarati' });
  expect(await office.call(leaverApi.complete, body)).toMatchObject({
    ...{ changed: 1, inEnglishLetters: 0, otherMedium: 1 },
  });
  const gujarati = { ...body, language: 'Gujarati' as const };
  const preview = await office.call(leaverApi.complete, gujarati);
  expect(preview).toMatchObject({ changed: 1, inEnglishLetters: 1, otherMedium: 0 });
  const { runId } = await office.call(leaverApi.complete, {
    ...gujarati,
    confirmToken: preview.confirmToken ?? undefined,
  });
  await finishRun(school.services, leaverRuns, Number(runId));
  expect(await school.sql(`select details from student_certificate where student_id = ${mine}`)).toEqual([
    { details: { language: 'Gujarati' } },
  ]);
  // A year after the last day, the last section still counts.
  school.clock.now = new Date('2021-06-08T06:00:00Z');
  const { language } = await office.call(certificateApi.certificates, { id: mine });
  expect(language).toBe('Gujarati');
});
