import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { lockYearForShare } from '#features/calendar/api.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { yearApi } from '#features/calendar/contract/year.ts';
import { structureList } from '#features/fee-price/contract/structure.ts';
import { placesOf } from '#features/student/api.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { type OpenLine, yearEndApi } from '../contract/year-end.ts';
import { closeYearTodo } from './todo.ts';

let school: School;
let asha: Person;
let bela: Person;
let office: Person;
let accountant: Person;
let [yearId, nextId, sectionId, child] = [0, 0, 0, 0];
const numberOf = async (statement: string) => Number((await school.sql(statement))[0]?.id);

beforeAll(async () => {
  school = await openSchool();
  asha = await school.person({ name: 'Asha', role: 'Admin' });
  bela = await school.person({ name: 'Bela', role: 'Admin' });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  accountant = await school.person({ name: 'Bharat', sets: ['accountant'] });
  const addYear = async (name: string, startsOn: string, endsOn: string) => {
    const values: Record<string, unknown> = { name, startsOn, endsOn, ageCutoffOn: startsOn, isActive: true };
    return (await asha.call(yearMaster.api.create, values)).id;
  };
  yearId = await addYear('1991-92', '1991-06-01', '1992-05-31');
  nextId = await addYear('1992-93', '1992-06-01', '1993-05-31');
  const section = await plant(school, sectionMaster, { academicYearId: yearId });
  sectionId = section.id;
  child = await seat(school, sectionId, 'Diya');
  school.clock.now = new Date('1992-06-12T06:00:00Z');
});
afterAll(() => school.close());

const read = (who: Person) => who.call(yearEndApi.read, { yearId });
const lineOf = async (who: Person, key: string) => (await read(who)).lines.find((line) => line.key === key);
const shown = ({ open, of, names, to }: Pick<OpenLine, 'open' | 'of' | 'names' | 'to'>) => ({
  open,
  of,
  names: names.map(english),
  to,
});
/** The lines that warn and are open, which an Admin ticks. */
const warned = async () =>
  (await read(asha)).lines.flatMap(({ at, open, key }) => (at === 'warns' && open !== 0 ? [key] : []));
const close = (who: Person, seen: string[], confirmToken?: string) =>
  who.call(yearEndApi.close, { id: yearId, seen, ...(confirmToken && { confirmToken }) });
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    ({ code, text }: AppError & { text: Text }) => `${code}: ${english(text)}`,
  );
const decide = (status: string) =>
  school.sql(`update student_enrollment set status = '${status}' where academic_year_id = ${yearId}`);
/** Closes the year with everything seen. */
async function closeNow() {
  const seen = await warned();
  const { confirmToken } = await close(asha, seen);
  return close(asha, seen, confirmToken ?? '');
}

test('U1.9 what a year has open is listed with figures, names and links, for those who may read each line', async () => {
  const undecided = await lineOf(asha, 'student.undecided');
  expect(undecided && shown(undecided)).toEqual({
    open: 1,
    of: 1,
    names: [expect.stringMatching(/^Diya Shah \(.+\)$/)],
    to: `academic/year-end?tab=results&year=${yearId}&state=No%20decision%20yet`,
  });
  const cheques = `insert into fee_cheque (student_id, kind, number, bank, dated_on, amount, payer_name, status, received_on,
      received_by)
    select ${child}, 'Cheque', lpad(number::text, 6, '0'), 'State Bank', '1992-05-24', 610000, 'Nikhil Patel', 'Held',
      '1992-05-24', ${accountant.staffId} from generate_series(1, 5) as number`;
  await school.sql(cheques);
  const of = await lineOf(accountant, 'fee.cheques');
  expect(of && shown(of)).toEqual({
    open: 5,
    of: undefined,
    names: ['oldest of 24 May 1992'],
    to: 'fee/student-wise-fees-structure?part=cheques',
  });
  // An Admin must know the number to close the year, and reads nothing more of money.
  expect(await lineOf(asha, 'fee.cheques')).toMatchObject({ open: 5, names: [], to: '' });
  const keys = (await read(accountant)).lines.map(({ key }) => key.split('.')[0]);
  expect(new Set(keys)).toEqual(new Set(['approval', 'fee']));
  const elsewhere = await school.person({
    sets: ['office'],
    branchIds: [await numberOf(`insert into academic_branch (name, code) values ('Far away', 'FAR') returning id`)],
  });
  expect((await lineOf(office, 'student.undecided'))?.open).toBe(1);
  expect((await lineOf(elsewhere, 'student.undecided'))?.open).toBe(0);
});

test('a year is not closed on its last day, and nobody but an Admin closes one', async () => {
  school.clock.now = new Date('1992-05-31T18:29:00Z');
  expect(await refusal(close(asha, []))).toBe('conflict: 1991-92 can be closed after 31 May 1992.');
  expect(await refusal(close(office, []))).toMatch(/^forbidden/);
  school.clock.now = new Date('1992-06-12T06:00:00Z');
});

test('U1.9 a year is closed once nothing blocks and every warning is seen; what changes in between is shown again', async () => {
  await school.sql(`insert into fee_day (staff_id, day, status) values (${accountant.staffId}, '1992-05-30', 'Open')`);
  // 896 more children, 9 corrections of the year, and 10 requests about the next one.
  await school.sql(`
    with children as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
      select branch_id, 'YE' || number, 'Child ' || number, 'Shah', 'F', '1985-01-01'
      from academic_section, generate_series(1, 896) as number where id = ${sectionId} returning id, branch_id)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select children.id, section.academic_year_id, section.branch_id, section.program_id, section.grade_id, 'New', '1991-06-01'
    from children, academic_section section where section.id = ${sectionId}`);
  await school.sql(`
    with register as (insert into attendance_register (academic_year_id, branch_id, program_id, grade_id, section_id, day,
        taken_at, locks_at)
      select academic_year_id, branch_id, program_id, grade_id, id, '1992-02-03', '1992-02-03', '1992-02-03'
      from academic_section where id = ${sectionId} returning id),
    asked as (insert into attendance_correction (register_id, student_id, new_code_id, reason)
      select register.id, child.id, code.id, 'Came late'
      from register, (select id from attendance_code limit 1) code, (select id from student order by id desc limit 9) child
      returning id, student_id)
    insert into approval (kind, attendance_correction_id, student_id, title, requested_by, requested_at)
    select 'attendance.correction', id, student_id, '{"id": "Correction"}', ${office.staffId}, '1992-06-01' from asked`);
  await school.sql(`
    with asked as (insert into attendance_leave (academic_year_id, student_id, from_day, to_day, kind, state, halves, counted,
        noted_by, noted_at)
      select ${nextId}, id, '1992-06-20', '1992-06-20', 'Sick', 'Asked', 2, 2, ${office.staffId}, '1992-06-01'
      from student order by id desc limit 10 returning id, student_id)
    insert into approval (kind, attendance_leave_id, student_id, title, requested_by, requested_at)
    select 'attendance.leave', id, student_id, '{"id": "Leave"}', ${office.staffId}, '1992-06-01' from asked`);
  const seen = await warned();
  expect(seen).toContain('fee.cheques');
  expect(seen).toContain('fee.shifts');
  const first = await close(asha, seen);
  expect(first.confirmToken).toBeNull();
  expect(first.kept.map(({ key, open, of }) => [key, open, of])).toEqual([
    ['student.undecided', 897, 897],
    ['approval.of-year', 9, undefined],
  ]);
  const inbox = await lineOf(office, 'approval.of-year');
  expect(inbox && shown(inbox)).toMatchObject({
    names: ['Correction of attendance: 9'],
    to: `approval/inbox?yearId=${yearId}`,
  });
  expect(await lineOf(office, 'approval.others')).toMatchObject({ at: 'says', open: 10 });
  expect(await lineOf(accountant, 'fee.shifts')).toMatchObject({
    at: 'warns',
    open: 1,
    to: 'fee/student-wise-fees-structure?part=day',
  });
  await decide('Promoted');
  await school.sql(`update approval set status = 'Withdrawn', decided_by = requested_by, decided_at = now()
    where attendance_correction_id is not null`);
  // Without its tick a warning keeps the year open.
  const unseen = await close(
    asha,
    seen.filter((key) => key !== 'fee.cheques'),
  );
  expect(unseen.kept.map(({ key }) => key)).toEqual(['fee.cheques']);
  expect(unseen.confirmToken).toBeNull();
  const preview = await close(asha, seen);
  expect(preview).toMatchObject({ kept: [], isApplied: false });
  await decide('Active');
  const stale = 'stale: The data has changed since the preview. Check the new preview.';
  expect(await refusal(close(asha, seen, preview.confirmToken ?? ''))).toBe(stale);
  await decide('Promoted');
  await school.sql(
    `update fee_cheque set status = 'Returned', ended_on = '1992-06-10', reason = 'Asked' where number = '000001'`,
  );
  expect(await refusal(close(asha, seen, preview.confirmToken ?? ''))).toBe(stale);
  const again = (await close(asha, seen)).confirmToken ?? '';
  await school.sql('delete from outbox');
  const both = await Promise.all([refusal(close(asha, seen, again)), refusal(close(bela, seen, again))]);
  expect(both.toSorted()).toEqual(['conflict: 1991-92 is closed already.', 'taken']);
  const [row] = await school.sql(`select status, closed_by as by, closed_at::date::text as day from academic_year
    where id = ${yearId}`);
  expect(row).toMatchObject({ status: 'Closed', day: '1992-06-12' });
  const { events } = await office.call(yearEndApi.closed, {});
  expect(events[0]).toMatchObject({ kind: 'Closed', year: '1991-92' });
  expect(events[0]?.open.map(({ title, open }) => [english(title), open])).toContainEqual(['Cheques in hand', 4]);
  expect(await school.sql(`select count(*)::integer as told from outbox where template = 'act-reported'`)).toEqual([
    { told: 1 },
  ]);
});

test('U1.10 a closed year is reopened with a reason and closed again; the year of today and all places remain', async () => {
  const there = await plant(school, gradeMaster);
  await school.sql(`insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id,
      admission_type, joined_on)
    select student_id, ${nextId}, branch_id, program_id, ${there.id}, 'Existing', '1992-06-01'
    from student_enrollment where academic_year_id = ${yearId}`);
  const now = async () => {
    const years = await office.call(yearApi.list, {});
    const place = (await placesOf(school.services, [child], { day: '1992-07-14', yearId: null })).get(child);
    return { current: years.find(({ isCurrent }) => isCurrent)?.name, year: place?.yearId, gradeId: place?.gradeId };
  };
  const expected = { current: '1992-93', year: nextId, gradeId: there.id };
  expect(await now()).toEqual(expected);
  await school.sql('delete from outbox; update sign_in_session set confirmed_at = now()');
  school.clock.now = new Date('1992-07-14T06:00:00Z');
  expect(await refusal(asha.call(yearEndApi.reopen, { id: nextId, reason: 'By mistake' }))).toBe(
    'conflict: 1992-93 is open already.',
  );
  expect(await refusal(asha.call(yearEndApi.reopen, { id: yearId, reason: '' }))).toMatch(/^invalid/);
  await asha.call(yearEndApi.reopen, { id: yearId, reason: 'A register was missing' });
  expect(await now()).toEqual(expected);
  await closeNow();
  expect(await now()).toEqual(expected);
  const { events, last } = await asha.call(yearEndApi.closed, {});
  const own = events.filter(({ year }) => year === '1991-92');
  expect(own.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['Closed', ''],
    ['Reopened', 'A register was missing'],
    ['Closed', ''],
  ]);
  expect(last).toEqual({ id: yearId, name: '1991-92' });
  const told = await school.sql(`select count(*)::integer as told from outbox where template = 'act-reported'`);
  expect(told).toEqual([{ told: 2 }]);
});

test('only the year that was closed last is reopened', async () => {
  await school.sql(`update academic_year set status = 'Closed' where id = ${nextId}`);
  expect(await refusal(asha.call(yearEndApi.reopen, { id: yearId, reason: 'Older' }))).toBe(
    'conflict: Only the last closed year can be reopened: 1992-93.',
  );
  await school.sql(`update academic_year set status = 'Open' where id in (${yearId}, ${nextId})`);
});

test('U1.9 closing waits for an act that holds the year, and is stale where that act makes a child undecided', async () => {
  const seen = await warned();
  const token = (await close(asha, seen)).confirmToken ?? '';
  let closing: Promise<string> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    await lockYearForShare({ db }, yearId);
    await db.deleteFrom('student_enrollment').where('academic_year_id', '=', nextId).execute();
    await db
      .updateTable('student_enrollment')
      .set({ status: 'Active' })
      .where('academic_year_id', '=', yearId)
      .where('student_id', '=', child)
      .execute();
    closing = refusal(close(asha, seen, token));
    await expect.poll(() => school.sql('select 1 from pg_locks where not granted')).toHaveLength(1);
  });
  expect(await closing).toMatch(/^stale/);
  expect((await lineOf(asha, 'student.undecided'))?.open).toBe(1);
  await decide('Promoted');
});

test('the prices of the next year open its list, and those that wait for the principal are not published yet', async () => {
  const add = (year: number, status: string) =>
    school.sql(`insert into fee_structure (name, academic_year_id, branch_id, program_id, admission_type, edited_by, status,
        published_by, published_at)
      select '${status}', ${year}, branch_id, program_id, 'All students', ${accountant.staffId}, '${status}',
        ${status === 'Published' ? `${office.staffId}, '1991-05-01'` : 'null, null'}
      from academic_section where id = ${sectionId}`);
  const prices = async () => {
    const line = await lineOf(accountant, 'fee.prices');
    return line && [line.open, line.of, line.to];
  };
  await add(yearId, 'Published');
  expect(await prices()).toEqual([1, 1, `fee/fee-structure-allocation?academicYearId=${nextId}&tab=draft`]);
  await add(nextId, 'Waiting for approval');
  await add(nextId, 'Draft');
  expect(await prices()).toEqual([2, 2, `fee/fee-structure-allocation?academicYearId=${nextId}&tab=draft`]);
  const { total } = await accountant.call(structureList.api.list, {
    academicYearId: String(nextId),
    tab: 'draft',
  } as never);
  expect(total).toBe(2);
});

test('a principal without another set opens the seats of the next year', async () => {
  await school.sql(`insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 40 from academic_section where id = ${sectionId}`);
  const principal = await school.person({ sets: ['principal'] });
  const line = await lineOf(principal, 'admission.seats');
  expect([line?.open, line?.to]).toEqual([1, `admission/process-admission?show=seats&academicYearId=${nextId}`]);
});

test('a line that cannot be counted says so and blocks, and the others stand', async () => {
  const { yearEnd } = school.services;
  const broken = yearEnd.map((line) =>
    line.key === 'homework.open'
      ? {
          ...line,
          count: async ({ db }: Parameters<typeof line.count>[0]) =>
            db
              .selectFrom('homework')
              .select('none' as 'id')
              .execute() as never,
        }
      : line,
  );
  Object.assign(school.services, { yearEnd: broken });
  const { lines } = await read(asha);
  Object.assign(school.services, { yearEnd });
  expect(lines.find(({ key }) => key === 'homework.open')).toMatchObject({ at: 'blocks', open: null, to: '' });
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.filter(({ open }) => open === null)).toHaveLength(1);
});

test('a slow line is ended before the connection gives up on the whole answer', async () => {
  const { yearEnd } = school.services;
  const limits: number[] = [];
  const timed = yearEnd.map((line) => ({
    ...line,
    count: async (...[ctx, year]: Parameters<typeof line.count>) => {
      const { rows } = await sql<{ limit: number }>`
        select extract(epoch from current_setting('statement_timeout')::interval)::double precision as limit`.execute(
        ctx.db,
      );
      limits.push(Number(rows[0]?.limit));
      return line.count(ctx, year);
    },
  }));
  Object.assign(school.services, { yearEnd: timed });
  await read(asha);
  Object.assign(school.services, { yearEnd });
  expect(limits.length).toBeGreaterThan(8);
  // A connection ends a statement after 4.5 seconds, and is given up after 5.
  expect(Math.max(...limits)).toBeLessThan(4.5);
});

test('an Admin has a year that has ended to close, late after 30 days', async () => {
  const on = async (day: string) => {
    const ctx = { ...school.services, now: () => new Date(`${day}T06:00:00Z`) };
    const { rows } = await closeYearTodo.find(ctx as never, 50);
    return rows.filter(({ id }) => id === yearId).map(({ when, to }) => [when, to]);
  };
  const to = `academic/year-end?year=${yearId}`;
  expect([await on('1992-05-31'), await on('1992-06-01'), await on('1992-07-01')]).toEqual([
    [],
    [['soon', to]],
    [['late', to]],
  ]);
});
