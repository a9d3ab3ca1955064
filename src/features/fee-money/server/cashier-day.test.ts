import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlan } from '#features/fee-price/api.ts';
import { notificationApi } from '#features/notification/contract.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { nextNumber } from '#testing/numbers.ts';
import { receive } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { dayApi, notes } from '../contract/day.ts';
import { modes, paymentApi } from '../contract/payment.ts';
import { moneyActs, type ReportKind, reportApi, reportKinds, reportWords } from '../contract/report.ts';

let school: School;
let prices: Prices;
let cashier: Person;
let account: number;
let series: number;
const day = '2044-04-10';
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${day}T06:00:00Z`);
  const enrollment = await enroll(school, prices.place, 'Asha');
  const [student] = await school.sql(`select student_id as id from student_enrollment where id = ${enrollment}`);
  const ctx = school.context();
  await ctx.db
    .transaction()
    .execute((db) => makePlan({ ...ctx, db }, Number(student?.id), prices.place.academicYearId, {}));
  [account, series] = (await Promise.all(
    [`select id from fee_account where student_id = ${student?.id}`, 'select id from fee_receipt_series'].map((query) =>
      school.sql(query).then(([row]) => Number(row?.id)),
    ),
  )) as [number, number];
});
afterAll(() => school.close());

/** Stores cash of a payer as the counter does, in rupees; it is cancelled the same day if `isCancelled`. */
async function cash(rupees: number, isCancelled = false, who = cashier) {
  const on = toLocalDate(school.clock.now ?? new Date());
  await school.sql(`insert into fee_day (staff_id, day) values (${who.staffId}, '${on}') on conflict do nothing`);
  const entries = (
    sign: number,
    reverses: string,
  ) => `insert into fee_ledger_entry (account_id, receipt_series_id, kind,
      entry_date, due_on, amount, receipt_id, reverses_id)
    select ${account}, ${series}, 'Receipt', '${on}', '${on}', ${sign * rupees * 100}, id, ${reverses}
    from fee_receipt where payment_id = (select max(id) from fee_payment)`;
  await school.sql(`begin;
    insert into fee_payment (day_id, staff_id, paid_on, payer_name, payer_key, mode, amount)
      select id, staff_id, day, 'A parent', 'payer ${nextNumber()}', 'Cash', ${rupees * 100} from fee_day
      where staff_id = ${who.staffId} and day = '${on}' order by shift desc limit 1;
    insert into fee_receipt (payment_id, receipt_date, account_id, receipt_series_id, branch_id, number_series_id,
        number_period, number_value, receipt_no, amount, issued_as)
      select (select max(id) from fee_payment), '${on}', ${account}, ${series}, (select min(id) from academic_branch), id,
        'cash', (select count(*) + 1 from fee_receipt where number_period = 'cash'), 'C/' || (select max(id) from fee_payment),
        ${rupees * 100}, '{}' from number_series where code = 'fee-receipt-${series}';
    ${entries(-1, 'null')};
    ${
      isCancelled
        ? `update fee_payment set ended_as = 'Cancelled', ended_on = paid_on, end_reason = 'Typed twice'
            where id = (select max(id) from fee_payment);
          ${entries(1, `(select max(id) from fee_ledger_entry)`)};`
        : ''
    }
    commit`);
}
const read = (who = cashier, staffId = '') => who.call(dayApi.read, { day: '', staffId, shift: '' });
const close = (id: number, version: number, more: object, who = cashier) =>
  who.send({
    method: 'POST',
    url: `/api/fee/day/${id}/close`,
    body: { version, counts: [], reason: '', banked: null, slipNo: '', ...more },
  });

test('B5.40 the expected cash is opening cash and what was received, less what was cancelled the same day', async () => {
  await cashier.call(dayApi.open, { openingCash: 200_000, reason: 'Change from the office' });
  await cash(5000);
  await cash(2500);
  await cash(750, true);
  const found = await read();
  expect(found).toMatchObject({
    openingCash: 200_000,
    cashReceived: 825_000,
    cashCancelled: 75_000,
    expected: 950_000,
    cancelled: { receipts: 1, amount: 75_000 },
    may: { close: true },
  });
  expect(found.series).toMatchObject([{ receipts: 3, missing: 0 }]);
});

test('B5.41 a difference needs a reason, and a closed day takes no further payment', async () => {
  const { id, version } = await read();
  const counts = [
    { note: 500, pieces: 18 },
    { note: 200, pieces: 2 },
    { note: 50, pieces: 1 },
  ];
  const refused = await close(id ?? 0, version, { counts });
  expect([refused.status, Object.keys(refused.json.error.fields)]).toEqual([422, ['reason']]);
  const slip = await close(id ?? 0, version, { counts, reason: 'Too much change', banked: 500_000 });
  expect(Object.keys(slip.json.error.fields)).toEqual(['slipNo']);
  const { json } = await close(id ?? 0, version, { counts, reason: 'Too much change', banked: 500_000, slipNo: '718' });
  expect(json).toEqual({ counted: 945_000, expected: 950_000, difference: -5000 });
  expect(await read()).toMatchObject({
    isClosed: true,
    difference: -5000,
    reason: 'Too much change',
    may: { close: false },
  });
  await expect(cash(100)).rejects.toThrow('the day is closed');
  expect((await close(id ?? 0, version + 1, { counts, reason: 'Again' })).status).toBe(409);
  await expect(school.sql(`update fee_day set reason = '' where id = ${id}`)).rejects.toThrow('does not change');
});

test('of two who close a day at once one does, and a user with a limit to branches sees only the own day', async () => {
  const other = await school.person({ name: 'Gopal', role: 'Staff', sets: ['accountant'] });
  await cash(1000, false, other);
  const { id, version } = await read(other);
  const counts = [{ note: 500, pieces: 2 }];
  const twice = await Promise.all([1, 2].map(() => close(id ?? 0, version, { counts }, other)));
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [branch] = await school.sql('select min(id) as id from academic_branch');
  const limited = await school.person({ role: 'Staff', sets: ['accountant'], branchIds: [Number(branch?.id)] });
  expect((await read(limited)).cashiers).toHaveLength(1);
  const { status } = await limited.send({ url: `/api/fee/day?day=&staffId=${other.staffId}` });
  expect(status).toBe(404);
});

test('Z9 a drawer is closed by its cashier, on the day also by who decides on fees, and from the next day on by every accountant, with a reason', async () => {
  const owner = await school.person({ name: 'Hema', role: 'Staff', sets: ['accountant'] });
  const principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  await cash(1000, false, owner);
  const staffId = String(owner.staffId);
  const counts = [{ note: 500, pieces: 2 }];
  const { id, version, ...seen } = await read(cashier, staffId);
  expect([seen.isOther, seen.may.close]).toEqual([true, false]);
  const refused = await close(id ?? 0, version, { counts, reason: 'Gone home' });
  expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('Today Hema closes')]);
  expect((await read(principal, staffId)).may).toEqual({ count: false, close: true, openShift: false });
  const silent = await close(id ?? 0, version, { counts }, principal);
  expect(Object.keys(silent.json.error.fields)).toEqual(['reason']);
  await expect(
    school.sql(
      `update fee_day set status = 'Closed', closed_by = ${principal.staffId}, closed_at = now() where id = ${id}`,
    ),
  ).rejects.toThrow();

  const before = school.clock.now;
  school.clock.now = new Date('2044-04-11T06:00:00Z');
  expect((await close(id ?? 0, version, { counts, reason: 'Ill today' })).status).toBe(200);
  const told = await owner.call(notificationApi.list, {} as never);
  expect(JSON.stringify(told)).toContain('Another person has closed your drawer');
  school.clock.now = before;
});

test('B5.42 the total of each report is the sum of its entries in the ledger', async () => {
  const dues = await school.sql(
    `select id, net from fee_due where account_id = ${account} order by due_on, id limit 2`,
  );
  await receive(school, {
    account,
    series,
    day: '2044-04-11',
    on: [
      { due: Number(dues[0]?.id), amount: Number(dues[0]?.net) },
      { due: Number(dues[1]?.id), amount: 100 },
      { due: null, amount: 33_300 },
    ],
  });
  const days = { from: '2044-04-01', to: '2044-05-31' };
  const found = new Map<ReportKind, OutputOf<typeof reportApi.read>>();
  for (const kind of reportKinds) {
    found.set(kind, await cashier.call(reportApi.read, { kind, ...days }));
    for (const by of reportWords[kind].by ?? []) {
      const { total, ledger } = await cashier.call(reportApi.read, { kind, ...days, by });
      expect([kind, by, total, ledger]).toEqual([kind, by, found.get(kind)?.total, found.get(kind)?.total]);
    }
  }
  for (const [kind, { total, ledger }] of found) expect([kind, total]).toEqual([kind, ledger]);
  // Words of the product are options, which the browser translates.
  const words = new Set<unknown>([...modes, ...moneyActs]);
  const cells = [...found.values()].flatMap(({ columns, rows }) =>
    rows.flatMap(({ cells: row }) => row.map((value, at) => [columns[at]?.kind, value] as const)),
  );
  const options = cells.filter(([kind]) => kind === 'option').map(([, value]) => value);
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter((value) => !words.has(value))).toEqual([]);
  expect(cells.filter(([kind, value]) => kind === 'text' && words.has(value))).toEqual([]);
  const received = 500_000 + 250_000 + 100_000 + 100_000 + Number(dues[0]?.net) + 33_400;
  expect(found.get('Day book')?.total).toBe(received);
  expect(found.get('Receipts by head')?.total).toBe(received);
  expect(found.get('Cancelled receipts')?.total).toBe(75_000);
  const { total } = found.get('Outstanding by age') ?? {};
  expect(total).toBeGreaterThan(0);
});

test('W39 half of the tax runs over the payments of a due, so that central and state tax are equal and parts total exactly', async () => {
  const [due] =
    await school.sql(`with head as (insert into fee_head (name, short_name, category, frequency_id, applies_to,
        pro_rata, is_discountable, priority, receipt_series_id, gst_rate)
      select 'Kit', 'KIT', 'Activity', min(id), 'All students', 'None', false, 80, ${series}, 1800 from fee_frequency returning *),
    due as (insert into fee_due (account_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
      select ${account}, 'Extra', id, ${series}, gst_rate, 'Kit', '${day}' from head returning id)
    select id from due`);
  await school.sql(`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, kind, entry_date, due_on, amount)
    values (${account}, ${due?.id}, ${series}, 'Debit', '${day}', '${day}', 100000)`);
  for (const amount of [33_333, 66_667])
    await receive(school, { account, series, day: '2044-06-10', on: [{ due: Number(due?.id), amount }] });
  const { rows } = await cashier.call(reportApi.read, { kind: 'GST', from: '2044-06-01', to: '2044-06-30' });
  expect(rows.map(({ cells }) => cells.slice(6))).toEqual([
    [28_249, 2542, 2542, 33_333],
    [56_497, 5085, 5085, 66_667],
  ]);
});

/** Notes and coins that come to an amount of rupees. */
const notesOf = (rupees: number) => {
  let left = rupees;
  return notes.flatMap((note) => {
    const pieces = Math.trunc(left / note);
    left -= pieces * note;
    return pieces > 0 ? [{ note, pieces }] : [];
  });
};

test('MC9 what a day leaves in the drawer is the next opening cash; another count needs a reason and shows once as the opening difference', async () => {
  const own = await school.person({ name: 'Ila', role: 'Staff', sets: ['accountant'] });
  const count = (openingCash: number, reason = '') =>
    own.send({ method: 'POST', url: '/api/fee/day/open', body: { openingCash, reason } });
  const before = school.clock.now;
  await cash(8950, false, own);
  const first = await read(own);
  const counts = notesOf(8950);
  const closed = await close(first.id ?? 0, first.version, { counts, banked: 800_000, slipNo: '719' }, own);
  expect(closed.json).toEqual({ counted: 895_000, expected: 895_000, difference: 0 });
  expect(await read(own)).toMatchObject({ banked: 800_000, counted: 895_000 });

  school.clock.now = new Date('2044-04-12T06:00:00Z');
  expect(await read(own)).toMatchObject({ id: null, openingCash: 95_000, carried: 95_000, may: { count: true } });
  const silent = await count(94_000);
  expect([silent.status, Object.keys(silent.json.error.fields)]).toEqual([422, ['reason']]);
  expect((await count(94_000, 'A ten-rupee note was torn')).status).toBe(200);
  await cash(2000, false, own);
  const late = await count(95_000, 'Found it');
  expect([late.status, late.json.error.message]).toEqual([409, expect.stringContaining('Cash was received already')]);
  await expect(
    school.sql(`update fee_day set opening_cash = 95000 where staff_id = ${own.staffId} and status = 'Open'`),
  ).rejects.toThrow('cash was received already');
  const second = await read(own);
  expect(second).toMatchObject({ openingCash: 94_000, carried: 95_000, isCounted: true, expected: 294_000 });
  const done = await close(second.id ?? 0, second.version, { counts: notesOf(2940) }, own);
  expect(done.json).toEqual({ counted: 294_000, expected: 294_000, difference: 0 });
  school.clock.now = new Date('2044-04-13T06:00:00Z');
  expect(await read(own)).toMatchObject({ openingCash: 294_000, carried: 294_000, isCounted: false });
  school.clock.now = before;
});

test('MC9 a drawer that was left open over night is carried into that of today once it is closed, and an own count is kept', async () => {
  const before = school.clock.now;
  for (const isCounted of [false, true]) {
    const own = await school.person({ role: 'Staff', sets: ['accountant'] });
    school.clock.now = before;
    await cash(500, false, own);
    const yesterday = await read(own);
    school.clock.now = new Date('2044-04-11T06:00:00Z');
    if (isCounted) await own.call(dayApi.open, { openingCash: 50_000, reason: 'Yesterday is still open' });
    await cash(100, false, own);
    const opened = isCounted ? 50_000 : 0;
    expect(await read(own)).toMatchObject({ carried: 0, openingCash: opened, expected: opened + 10_000 });
    expect((await close(yesterday.id ?? 0, yesterday.version, { counts: notesOf(500) }, own)).status).toBe(200);
    expect(await read(own)).toMatchObject({ carried: 50_000, openingCash: 50_000, expected: 60_000 });
  }
  school.clock.now = before;
});

test('MC9 of a first payment and the close of the day before at the same moment no cash gets lost', async () => {
  const before = school.clock.now;
  for (let at = 0; at < 5; at += 1) {
    const own = await school.person({ role: 'Staff', sets: ['accountant'] });
    school.clock.now = before;
    await cash(700, false, own);
    const yesterday = await read(own);
    school.clock.now = new Date('2044-04-11T06:00:00Z');
    await Promise.all([
      close(yesterday.id ?? 0, yesterday.version, { counts: notesOf(700) }, own),
      own.call(dayApi.open, { openingCash: 70_000, reason: 'Counted' }),
    ]);
    expect(await read(own)).toMatchObject({ carried: 70_000, openingCash: 70_000 });
  }
  school.clock.now = before;
});

test('MC15 after the close of a shift a second one takes money with what is left, and the first never changes', async () => {
  const own = await school.person({ name: 'Jaya', role: 'Staff', sets: ['accountant'] });
  const shift = () => own.send({ method: 'POST', url: '/api/fee/day/shift', body: {} });
  const none = await shift();
  expect([none.status, none.json.error.message]).toEqual([
    409,
    expect.stringContaining('opens with its first payment'),
  ]);
  await cash(3000, false, own);
  const first = await read(own);
  expect((await shift()).status).toBe(409);
  const banked = { banked: 200_000, slipNo: '720' };
  expect((await close(first.id ?? 0, first.version, { counts: notesOf(3000), ...banked }, own)).status).toBe(200);
  expect(await own.call(paymentApi.today, {})).toMatchObject({ isClosed: true, mayOpenShift: true });
  await expect(cash(100, false, own)).rejects.toThrow('the day is closed');

  const pressed = await Promise.all([shift(), shift()]);
  expect(pressed.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(pressed.find(({ status }) => status === 200)?.json).toMatchObject({ shift: 2, openingCash: 100_000 });
  expect(await own.call(paymentApi.today, {})).toMatchObject({ isClosed: false, mayOpenShift: false });
  await cash(450, false, own);
  const second = await read(own);
  expect(second).toMatchObject({
    shift: 2,
    carried: 100_000,
    expected: 145_000,
    shifts: [
      { shift: 1, isClosed: true },
      { shift: 2, isClosed: false },
    ],
  });
  const frozen = await own.call(dayApi.read, { day: '', staffId: '', shift: '1' });
  expect(frozen).toMatchObject({ isClosed: true, counted: 300_000, expected: 300_000, banked: 200_000 });
  await expect(school.sql(`update fee_day set banked = 0 where id = ${first.id}`)).rejects.toThrow('does not change');

  const today = await close(second.id ?? 0, second.version, { counts: notesOf(1450), reason: 'Gone home' });
  expect([today.status, today.json.error.message]).toEqual([409, expect.stringContaining('Today Jaya closes')]);
  const before = school.clock.now;
  school.clock.now = new Date('2044-04-11T06:00:00Z');
  const silent = await close(second.id ?? 0, second.version, { counts: notesOf(1450) });
  expect(Object.keys(silent.json.error.fields)).toEqual(['reason']);
  expect((await close(second.id ?? 0, second.version, { counts: notesOf(1450), reason: 'Ill today' })).status).toBe(
    200,
  );
  expect(await read(own)).toMatchObject({ id: null, carried: 145_000 });
  school.clock.now = before;
});

test('MC15 a day has three shifts at most', async () => {
  const own = await school.person({ role: 'Staff', sets: ['accountant'] });
  await cash(10, false, own);
  for (const shift of [1, 2, 3]) {
    const open = await read(own);
    expect(open.shift).toBe(shift);
    expect((await close(open.id ?? 0, open.version, { counts: notesOf(10) }, own)).status).toBe(200);
    expect((await read(own)).may.openShift).toBe(shift < 3);
    const next = await own.send({ method: 'POST', url: '/api/fee/day/shift', body: {} });
    expect(next.status).toBe(shift < 3 ? 200 : 409);
  }
  expect(await own.call(paymentApi.today, {})).toMatchObject({ isClosed: true, mayOpenShift: false });
});
