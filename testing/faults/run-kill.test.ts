import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planApi } from '#features/fee-price/contract/plan.ts';
import { studentImportApi } from '#features/student/contract/import.ts';
import { openBrowser, type Person } from '../browser.ts';
import { openPrices } from '../prices.ts';
import { openOwnSchool, type School } from '../school.ts';
import { isSoak, soak } from '../soak.ts';
import { enroll } from '../students.ts';
import { openSection } from '../teachers.ts';
import { type App, startApp } from './app.ts';

let school: School;
let app: App;
beforeAll(async () => {
  school = await openOwnSchool();
  app = await startApp(school);
});
afterAll(async () => {
  await app.kill();
  await school.close();
});

/** The same session at the server that is killed. */
function atApp(person: Person) {
  const browser = openBrowser(app);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  return browser;
}

const countOf = async (statement: string) =>
  Number((await school.sql(`select count(*) as count from ${statement}`))[0]?.count);
const doneOf = (run: number) => countOf(`run_row where run_id = ${run} and status = 'Done'`);

/** Kills the server at two moments of a run, and lets the run end. */
async function killDuring(run: number, rows: number) {
  for (const moment of [20, 150]) {
    await pause(moment);
    await app.kill();
    await app.start();
  }
  await expect.poll(() => doneOf(run), { timeout: 240_000 }).toBe(rows);
}

const children = isSoak ? 80 : 8;

/** An import whose confirmation is killed before its answer and sent again: the run that it made. */
async function confirmTwice(): Promise<number> {
  const section = await openSection(school);
  await school.sql(`update academic_section set name = 'A', capacity = 80 where id = ${section}`);
  const [grade] = await school.sql('select name from academic_grade order by id limit 1');
  const heads = ['GR number', 'First name', 'Last name', 'Gender', 'Date of birth', 'Admitted on', 'Grade', 'Section'];
  const rows = Array.from({ length: children }, (_, index) =>
    [
      `K-${index}`,
      `Child${index}`,
      'Patel',
      'F',
      '04/03/2017',
      '12/06/2023',
      grade?.name,
      'A',
      `Ramesh${index} Patel`,
    ].join(),
  );
  const file = [[...heads, 'Father’s name'].join(), ...rows].join('\r\n');
  const office = atApp(await school.person({ sets: ['office'], branchIds: [1] }));
  const { confirmToken, counts } = await office.call(studentImportApi.import, { file } as never);
  expect(counts).toMatchObject({ added: children, wrong: 0 });

  const confirm = {
    method: 'POST' as const,
    url: `/api${studentImportApi.import.path}`,
    body: { file, confirmToken },
    headers: { 'idempotency-key': randomUUID() },
  };
  const sent = office.send(confirm).catch(() => undefined);
  await pause(50);
  await app.kill();
  await sent;
  await app.start();
  const { status, json } = await office.send(confirm);
  expect(status).toBe(200);
  return json.runId;
}

test('a student import whose confirmation is killed makes one run when it is sent again', async () => {
  const run = await confirmTwice();
  expect(await school.sql('select id from run')).toEqual([{ id: run }]);
});

soak('L1.29 a student import whose run is killed makes each child once, with its adults', async () => {
  const [run] = await school.sql('select id from run');
  await killDuring(Number(run?.id), children);
  expect(await countOf('run')).toBe(1);
  expect(await countOf(`student where gr_no like 'K-%'`)).toBe(children);
  expect(await countOf(`(select student_id from student_section group by 1 having count(*) = 1) own`)).toBe(children);
  expect(await countOf('student_guardian')).toBe(children);
  expect(await countOf(`audit where action = 'student.created'`)).toBe(children);
});

soak(
  'B4.1 an allocation run that is killed twice gives each child one plan, whose dues, ledger and balance agree',
  async () => {
    const prices = await openPrices(school);
    school.clock.now = new Date(`${prices.year}-04-05T06:00:00Z`);
    const accountant = await school.person({ sets: ['accountant'] });
    const ids: number[] = [];
    for (let made = 0; made < 120; made++) ids.push(await enroll(school, prices.place, `Asha${made}`));
    const asked = { past: '', pastDay: '', selection: { ids, isAll: false, query: {} } };
    const { confirmToken } = await accountant.call(planApi.allocate, asked as never);
    const { runId } = await accountant.call(planApi.allocate, { ...asked, confirmToken } as never);
    school.clock.now = undefined;
    await killDuring(Number(runId), 120);
    const wrong = await school.sql(`select account.id, count(distinct plan.id) as plans from fee_account account
    left join fee_plan plan on plan.account_id = account.id
    where account.student_id in (select student_id from student_enrollment where id in (${ids}))
    group by account.id having count(distinct plan.id) <> 1
      or account.balance <> (select sum(amount) from fee_ledger_entry where account_id = account.id)
      or account.balance <> (select sum(net) from fee_due where account_id = account.id)`);
    expect(wrong).toEqual([]);
    expect(await countOf('fee_plan')).toBe(120);
  },
);
