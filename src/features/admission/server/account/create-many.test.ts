import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunAct } from '#kit/server/job/runs.ts';
import { confirmSeat } from '#testing/admission.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { accountApi } from '../../contract/account.ts';
import { accountRuns } from './create-many.ts';

let school: School;
let office: Person;
let section: number;
let phones = 7_100_000_000;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  section = await openSection(school);
});
afterAll(() => school.close());

const ready = (child: Record<string, unknown>, parents: Record<string, unknown> = {}) => {
  phones += 2;
  const own = {
    fatherMobileNo: String(phones),
    motherMobileNo: String(phones + 1),
    fatherEmailID: `father${phones}@family.example`,
    motherEmailID: `mother${phones}@family.example`,
  };
  return confirmSeat(school, section, child, { ...own, ...parents });
};
const resultsOf = async (run: number) =>
  (
    await school.sql(`select subject_id as id, status, reason ->> 'id' as reason from run_row where run_id = ${run}
      order by subject_id`)
  ).map(({ id, status, reason }) => [id, status, reason]);

test('accounts that need no choice are created by a run that is killed and goes on, the others are listed with the reason', async () => {
  const plain = [];
  for (const name of ['Ami', 'Bina', 'Chetan', 'Daksha']) plain.push(await ready({ firstName: name }));
  const apart = await ready({ firstName: 'Ela' });
  await school.sql(`update admission_parent_info set is_divorced = true, divorce_document_id = family_photo_id
    where inquiry_id = ${apart.id}`);
  const ids = [...plain, apart].map(({ id }) => id);
  const selection = { ids, isAll: false, query: {} };
  // Without prices nobody gets a plan.
  expect(await office.call(accountApi.createMany, { selection, withoutPlan: false } as never)).toMatchObject({
    changed: 0,
    skippedCount: 5,
  });
  const input = { selection, withoutPlan: true } as never;
  const preview = await office.call(accountApi.createMany, input);
  expect(preview).toMatchObject({
    changed: 4,
    skippedCount: 1,
    skipped: [{ id: apart.id, reason: { id: expect.stringContaining('The parents live apart.') } }],
  });
  const { runId } = await office.call(accountApi.createMany, {
    ...(input as object),
    confirmToken: preview.confirmToken,
  } as never);
  let begun = 0;
  const dying: RunAct = async (...args) => {
    const done = await (accountRuns['admission.create'] as RunAct)(...args);
    begun++;
    // Its rows are written, and its connection is lost before it commits.
    if (begun === 3)
      await school.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user and state = 'idle in transaction'`);
    return done;
  };
  await finishRun(school.services, { 'admission.create': dying }, Number(runId)).catch(() => undefined);
  const between = await resultsOf(Number(runId));
  expect(between.filter(([, status]) => status === 'Done')).toHaveLength(2);
  await finishRun(school.services, accountRuns, Number(runId));
  expect(await resultsOf(Number(runId))).toEqual(plain.map(({ id }) => [id, 'Done', null]));
  const students = await school.sql(`select student.gr_no::integer as gr, inquiry.id from admission_inquiry inquiry
    join student on student.id = inquiry.student_id where inquiry.id = any('{${ids}}') order by student.gr_no::integer`);
  expect(students.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
  const first = Number(students[0]?.gr);
  expect(students.map(({ gr }) => gr)).toEqual([first, first + 1, first + 2, first + 3]);
  expect(await office.call(accountApi.createMany, input)).toMatchObject({
    changed: 0,
    skippedCount: 5,
    confirmToken: null,
  });
});
