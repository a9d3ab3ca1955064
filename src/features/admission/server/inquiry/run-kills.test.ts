import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmSeat } from '#testing/admission.ts';
import type { Person } from '#testing/browser.ts';
import { startApp } from '#testing/faults/app.ts';
import { openPrices } from '#testing/prices.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openSeats } from '#testing/seats.ts';
import { isSoak, soak } from '#testing/soak.ts';
import { accountApi } from '../../contract/account.ts';
import { processApi } from '../../contract/process.ts';

const decisions = isSoak ? 2000 : 30;
const children = 200;
/** Milliseconds without a further record after which a run counts as stuck. */
const patience = 180_000;

let school: School;
let head: Person;
let office: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  head = await school.person({ role: 'Staff', sets: ['admissionHead'] });
  office = await school.person({ role: 'Staff', sets: ['office'] });
});
afterAll(() => school.close());

const count = async (statement: string) => Number((await school.sql(`select count(*) from ${statement}`))[0]?.count);

/** Lets a server do a run, kills it in the middle, and lets another process do the rest. */
async function killInTheMiddle(run: number, total: number) {
  await school.sql(`update run set begins_at = null where id = ${run}; select queue_run(${run})`);
  const done = () => count(`run_row where run_id = ${run} and status <> 'Waiting'`);
  const reach = async (most: number) => {
    let [last, since] = [-1, performance.now()];
    for (;;) {
      const now = await done();
      if (now >= most) return;
      if (now > last) [last, since] = [now, performance.now()];
      if (performance.now() - since > patience) throw new Error(`The run is stuck at ${now} of ${most}.`);
      await pause(10);
    }
  };
  const begun = performance.now();
  const app = await startApp(school);
  try {
    await reach(Math.floor(total / 3));
    const first = app.child().pid;
    await app.kill();
    const between = await done();
    expect(between).toBeLessThan(total);
    // A job that no process works on any more is free after 90 seconds. Only the long form waits for that.
    if (!isSoak)
      await school.sql(`update graphile_worker._private_jobs set locked_at = locked_at - interval '2 minutes'
        where locked_by is not null`);
    const killed = performance.now();
    await app.start();
    expect(app.child().pid).not.toBe(first);
    await reach(between + 1);
    const waited = performance.now() - killed;
    await reach(total);
    const seconds = (performance.now() - begun) / 1000;
    const busy = seconds - waited / 1000;
    if (isSoak)
      process.stdout.write(
        `${total} records in ${seconds.toFixed(1)} s, killed after ${between}, of which the next process waited ` +
          `${(waited / 1000).toFixed(1)} s; ${(total / busy).toFixed(1)} records a second\n`,
      );
  } finally {
    await app.kill();
  }
  expect(await count(`run_row where run_id = ${run} and status = 'Done'`)).toBe(total);
}

test('Y6 a release whose server is killed goes on in the next one, and each family gets its decision once', async () => {
  const { planned, decide, chosen } = openSeats(school, head);
  const row = await planned({ total: decisions, reserved: 0 });
  const ids: number[] = [];
  for (let child = 0; child < decisions; child++) ids.push(await row.verified());
  await decide('Offer', ids);
  const input = { selection: chosen(ids), day: '', hour: '' };
  const { confirmToken } = await head.call(processApi.release, input as never);
  const { runId } = await head.call(processApi.release, { ...input, confirmToken } as never);
  await school.sql('delete from outbox');
  await killInTheMiddle(Number(runId), decisions);
  const inquiry = `admission_inquiry where seat_id = ${row.id}`;
  expect(await count(`${inquiry} and state = 'Offered' and holds_seat and held_decision_id is null`)).toBe(decisions);
  expect(await count(`admission_decision where seat_id = ${row.id} and released_at is not null`)).toBe(decisions);
  expect(await school.sql(`select taken from admission_seat where id = ${row.id}`)).toEqual([{ taken: decisions }]);
  const messages = `select subject_id, channel, recipient, count(*) as times from outbox
    where template = 'admission.decision' group by 1, 2, 3`;
  expect(await count(`(select distinct subject_id from (${messages}) as sent) as families`)).toBe(decisions);
  expect(await count(`(${messages}) as sent where times > 1`)).toBe(0);
  const audited = `select entity_id from audit where action = 'admission.decision.released' group by 1`;
  expect(await count(`(${audited} having count(*) = 1) as once`)).toBe(decisions);
});

soak(
  'A4.1 A4.4 a creation of accounts whose server is killed goes on in the next one: each child is made once with its plan, and GR numbers have no gap',
  async () => {
    const { place } = await openPrices(school);
    const ids: number[] = [];
    for (let child = 0; child < children; child++) {
      // Limits on the uploads of one address do not matter here.
      await school.sql('delete from attempt');
      const phone = 7_400_000_000 + child * 2;
      const parents = {
        fatherMobileNo: String(phone),
        motherMobileNo: String(phone + 1),
        fatherEmailID: `father${phone}@family.example`,
        motherEmailID: `mother${phone}@family.example`,
      };
      ids.push((await confirmSeat(school, place, { firstName: 'Asha', birthDate: '2021-05-01' }, parents)).id);
    }
    const input = { selection: { ids, isAll: false, query: {} }, withoutPlan: false };
    const preview = await office.call(accountApi.createMany, input as never);
    expect(preview.skipped).toEqual([]);
    const { runId } = await office.call(accountApi.createMany, {
      ...input,
      confirmToken: preview.confirmToken,
    } as never);
    await killInTheMiddle(Number(runId), children);
    const made = await school.sql(`select inquiry.id, student.gr_no::integer as gr from admission_inquiry inquiry
    join student on student.id = inquiry.student_id
    where inquiry.id in (${ids}) and inquiry.state = 'Admitted' order by student.gr_no::integer`);
    expect(made.map(({ id }) => id)).toEqual(ids);
    const first = Number(made[0]?.gr);
    expect(made.map(({ gr }) => gr)).toEqual(ids.map((_, at) => first + at));
    expect(await count('student')).toBe(children);
    expect(await count(`student_enrollment where academic_year_id = ${place.academicYearId}`)).toBe(children);
    // A run chooses no section: the office assigns it later.
    expect(await count('student_section')).toBe(0);
    const plans = `fee_plan plan join fee_account account on account.id = plan.account_id`;
    expect(await count(`(select distinct student_id from ${plans}) as children`)).toBe(children);
    expect(await count(plans)).toBe(children);
  },
);
