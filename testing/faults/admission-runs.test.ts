import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountApi } from '#features/admission/contract/account.ts';
import { processApi } from '#features/admission/contract/process.ts';
import { confirmSeat } from '../admission.ts';
import type { Person } from '../browser.ts';
import { openSchool, type School } from '../school.ts';
import { openSeats } from '../seats.ts';
import { isSoak } from '../soak.ts';
import { openSection } from '../teachers.ts';
import { type App, startApp } from './app.ts';

const decisions = isSoak ? 2000 : 40;
const children = isSoak ? 200 : 4;
/** Milliseconds without progress after which a run counts as stuck. */
const patience = 120_000;

let school: School;
let head: Person;
let office: Person;
let app: App;
beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ role: 'Staff', sets: ['admissionHead'] });
  office = await school.person({ role: 'Staff', sets: ['office'] });
  app = await startApp(school);
});
afterAll(async () => {
  await app.kill();
  await school.close();
});

const numberOf = async (statement: string) => Number((await school.sql(`select (${statement}) as number`))[0]?.number);

/** Lets the server work on a run, kills it half-way and starts it again; returns the seconds of it all. */
async function killOnce(run: number, rows: number) {
  const ended = () => numberOf(`select count(*) from run_row where run_id = ${run} and status <> 'Waiting'`);
  const reach = async (most: number) => {
    let [last, since] = [-1, performance.now()];
    for (;;) {
      const now = await ended();
      if (now >= most) return now;
      if (now > last) [last, since] = [now, performance.now()];
      if (performance.now() - since > patience) throw new Error(`The run stands still at ${now} of ${most}.`);
      await pause(5);
    }
  };
  await school.sql(`update run set begins_at = null where id = ${run}`);
  await school.sql(`select queue_run(${run})`);
  const begun = performance.now();
  await reach(1);
  await reach(Math.floor(rows / 2));
  await app.kill();
  expect(await ended()).toBeLessThan(rows);
  // A server takes the work of a lost one over after a minute and a half.
  if (!isSoak)
    await school.sql(`select graphile_worker.force_unlock_workers(array_agg(locked_by))
      from graphile_worker.jobs where locked_by is not null`);
  await app.start();
  await reach(rows);
  return (performance.now() - begun) / 1000;
}

test(`a release of ${decisions} decisions whose server is killed once reaches each family once`, async () => {
  const { planned, decide, chosen } = openSeats(school, head);
  const row = await planned({ total: decisions, reserved: 0 });
  const ids: number[] = [];
  for (let at = 0; at < decisions; at += 1) ids.push(await row.verified());
  await decide('Offer', ids);
  const input = { selection: chosen(ids), day: '', hour: '' };
  const { confirmToken } = await head.call(processApi.release, input as never);
  const { runId } = (await head.call(processApi.release, { ...input, confirmToken } as never)) as { runId: number };
  const seconds = await killOnce(runId, decisions);
  process.stdout.write(`${decisions} decisions released in ${seconds.toFixed(1)} s\n`);
  expect(
    await numberOf(`select count(*) from admission_inquiry where id = any('{${ids}}') and state = 'Offered'`),
  ).toBe(decisions);
  expect(
    await school.sql(`select count(*)::integer as messages, count(distinct subject_id)::integer as families from outbox
      where template like 'admission.%' and subject_id = any('{${ids}}') and channel = 'email'`),
  ).toEqual([{ messages: decisions, families: decisions }]);
  expect(
    await numberOf(
      `select count(*) from admission_decision where inquiry_id = any('{${ids}}') and released_at is not null`,
    ),
  ).toBe(decisions);
});

test(`${children} accounts created by a run whose server is killed once are ${children} students with numbers in a row`, async () => {
  const section = await openSection(school);
  const ids: number[] = [];
  for (let at = 0; at < children; at += 1) {
    const phone = 7_200_000_000 + 2 * at;
    const { id } = await confirmSeat(
      school,
      section,
      { firstName: `Asha${at}` },
      {
        fatherMobileNo: String(phone),
        motherMobileNo: String(phone + 1),
        fatherEmailID: `father${phone}@family.example`,
        motherEmailID: `mother${phone}@family.example`,
      },
    );
    ids.push(id);
  }
  const input = { selection: { ids, isAll: false, query: {} }, withoutPlan: true };
  const { confirmToken } = await office.call(accountApi.createMany, input as never);
  const { runId } = await office.call(accountApi.createMany, { ...input, confirmToken } as never);
  const seconds = await killOnce(Number(runId), children);
  process.stdout.write(`${children} accounts created in ${seconds.toFixed(1)} s\n`);
  const students = await school.sql(`select student.gr_no::integer as gr, student.id,
      (select count(*)::integer from student_enrollment where student_id = student.id) as enrolments
    from admission_inquiry inquiry join student on student.id = inquiry.student_id
    where inquiry.id = any('{${ids}}') and inquiry.state = 'Admitted' order by 1`);
  expect(students.map(({ enrolments }) => enrolments)).toEqual(Array(children).fill(1));
  const first = Number(students[0]?.gr);
  expect(students.map(({ gr }) => Number(gr) - first)).toEqual(Array.from({ length: children }, (_, at) => at));
  expect(await numberOf('select count(*) from student')).toBe(children);
});
