import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { settingApi } from '#features/school/contract/setting.ts';
import { searchApi } from '#features/search/contract.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { doRuns, openSeats, usualSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { processList } from '../../contract/process-list.ts';
import { seatApi } from '../../contract/seat.ts';
import { waitingApi } from '../../contract/waiting-list.ts';
import { scoresBelowNine } from '../settings.ts';
import { dailyExpiry } from './expiry.ts';

let school: School;
let head: Person;
let office: Person;
let accountant: Person;
let principal: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ name: 'Hasmukh', role: 'Staff', sets: ['admissionHead'] });
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  seats = openSeats(school, head);
  accountant = await school.person({ name: 'Anil', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ role: 'Staff', sets: ['principal'] });
  await school.sql(`insert into fee_receipt_series (name, short_name) values ('School', 'SCH')`);
});
afterAll(() => school.close());

const usual = usualSeats;
let seats: ReturnType<typeof openSeats>;
const planned = (over: object = {}) => seats.planned(over);
const decide = (kind: string, ids: number[], over: object = {}) => seats.decide(kind, ids, over);
const release = (ids: number[]) => seats.release(ids);
const chosen = (...ids: number[]) => seats.chosen(ids);

const read = (id: number) => head.call(processApi.read, { id });
async function offered(ids: number[]) {
  await decide('Offer', ids);
  await release(ids);
}

test('A3.1 with two seats the third offer is refused with the counts, and the waiting list takes the child', async () => {
  const { verified, seat } = await planned();
  const ids = [await verified(), await verified(), await verified()];
  const answer = await decide('Offer', ids);
  expect(answer).toMatchObject({ isApplied: true, changed: 2, skippedCount: 1 });
  expect(answer.skipped[0]?.reason).toMatchObject({ id: 'No seat is free ({taken} of {seats}).' });
  expect(await seat()).toMatchObject({ held: 2, free: 0, offered: 0 });
  const last = answer.skipped[0]?.id ?? 0;
  expect(await decide('Waitlist', [last])).toMatchObject({ changed: 1 });
  await release([last]);
  expect(await read(last)).toMatchObject({ state: 'Waitlisted', rank: 1 });
});

test('a held decision changes nothing for the family until its release, and is undone before', async () => {
  const { verified, seat } = await planned();
  const id = await verified();
  await decide('Offer', [id]);
  expect(await read(id)).toMatchObject({ state: 'Verified', next: 'release', may: { undo: true, decide: false } });
  const preview = await head.call(processApi.undo, { selection: chosen(id) });
  await head.call(processApi.undo, { selection: chosen(id), confirmToken: preview.confirmToken ?? '' });
  expect(await read(id)).toMatchObject({ state: 'Verified', hasSeat: false, next: 'decide' });
  expect(await seat()).toMatchObject({ held: 0, free: 2 });
});

test('a release shows the message first, then offers the seat until the day of the plan', async () => {
  const { verified } = await planned();
  const id = await verified();
  await decide('Offer', [id]);
  const preview = await release([id]);
  expect(preview).toMatchObject({ changed: 1, example: { words: expect.stringContaining('news') } });
  const record = await read(id);
  expect(record).toMatchObject({ state: 'Offered', next: 'pay', due: 1_500_000 });
  expect(record.offerExpiresOn >= addDays(today, 7)).toBe(true);
  const sent = await school.sql(
    `select recipient from outbox where template = 'admission.decision' and subject_id = ${id}`,
  );
  expect(sent).toHaveLength(1);
});

test('A3.6 the admission fee confirms the seat, and its reference is used once', async () => {
  const { verified, seat } = await planned();
  const ids = [await verified(), await verified()];
  await offered(ids);
  const pay = async (id: number, over: object) =>
    accountant.call(processApi.pay, {
      id,
      version: (await read(id)).version,
      mode: 'UPI',
      reference: 'T2611270001',
      paidOn: today,
      ...over,
    } as never);
  const { slipNo } = await pay(ids[0] ?? 0, {});
  expect(slipNo).toMatch(/^SCH\/\d{4}-\d{2}\/\d{5}$/);
  expect(await read(ids[0] ?? 0)).toMatchObject({ state: 'Seat confirmed', due: 0, next: 'admit' });
  await expect(pay(ids[1] ?? 0, { reference: 't2611270001' })).rejects.toMatchObject({
    fields: { reference: expect.anything() },
  });
  expect(await seat()).toMatchObject({ offered: 1, confirmed: 1, free: 0 });
  const reversed = { id: ids[0] ?? 0, version: (await read(ids[0] ?? 0)).version, reason: 'Wrong child' };
  await accountant.call(processApi.reversePayment, reversed);
  expect(await read(ids[0] ?? 0)).toMatchObject({ state: 'Offered', due: 1_500_000 });
  await pay(ids[1] ?? 0, {});
  expect(await read(ids[1] ?? 0)).toMatchObject({ state: 'Seat confirmed' });
});

test('A3.6 the admission fee is a payment whose cancellation offers the seat again', async () => {
  const { verified } = await planned();
  const id = await verified();
  await offered([id]);
  const paid = { mode: 'Cash', reference: '', paidOn: today };
  await accountant.call(processApi.pay, { id, version: (await read(id)).version, ...paid } as never);
  const { payments } = await read(id);
  expect(payments[0]?.receipts).toHaveLength(1);
  const [receipt] = await school.sql('select issued_as from fee_receipt order by id desc limit 1');
  expect(receipt?.issued_as).toMatchObject({ grNo: '', applicationNo: expect.stringContaining('INQ/') });
  const advance = () =>
    school.sql(`select balance::integer, (select amount::integer from fee_advance where account_id = account.id) as advance
      from fee_account account where inquiry_id = ${id}`);
  expect(await advance()).toEqual([{ balance: -1_500_000, advance: 1_500_000 }]);
  const [row] = await school.sql(`select fee_payment_id as id, version from admission_payment payment join fee_payment
    on fee_payment.id = fee_payment_id where inquiry_id = ${id}`);
  // Another accountant asks a second person, and the seat stays confirmed until then.
  const other = await school.person({ role: 'Staff', sets: ['accountant'] });
  const reverse = { id, version: (await read(id)).version, reason: 'Wrong child' };
  expect(await other.call(processApi.reversePayment, reverse)).toEqual({ isAsked: true });
  expect(await read(id)).toMatchObject({ state: 'Seat confirmed' });
  const [asked] = await school.sql(`select id, version from approval where fee_payment_id = ${row?.id}`);
  const { version, seen } = await principal.call(approvalApi.read, { id: Number(asked?.id) });
  const decision = { id: Number(asked?.id), version, seen, outcome: 'Approved' as const, remark: '' };
  await principal.call(approvalApi.decide, decision);
  expect(await read(id)).toMatchObject({ state: 'Offered', due: 1_500_000, payments: [{ isReversed: true }] });
  expect(await advance()).toEqual([{ balance: 0, advance: 0 }]);
});

test('A3.6 a cheque of an admission fee that bounces offers the seat again at once', async () => {
  const { verified } = await planned();
  const id = await verified();
  await offered([id]);
  const paid = { mode: 'Cheque', reference: '412345', paidOn: today };
  await accountant.call(processApi.pay, { id, version: (await read(id)).version, ...paid } as never);
  const reverse = { id, version: (await read(id)).version, reason: 'Insufficient funds' };
  expect(await accountant.call(processApi.reversePayment, reverse)).toEqual({ isAsked: false });
  expect(await read(id)).toMatchObject({ state: 'Offered', due: 1_500_000 });
  const ended = await school.sql(`select ended_as from fee_payment where reference = '412345'`);
  expect(ended).toEqual([{ ended_as: 'Bounced' }]);
});

test('A3.5 the day after its last day an offer ends and its seat is free, and a payment of its last day still counts', async () => {
  const { verified, seat, id: seatId } = await planned();
  const id = await verified();
  await offered([id]);
  await school.sql(`update admission_inquiry set offer_expires_on = current_date - 1 where id = ${id};
    update admission_decision set released_at = released_at - interval '9 days' where inquiry_id = ${id}`);
  await school.sql('delete from daily_task');
  await doDaily(school.services, { ...dailyExpiry, from: 0 });
  await doRuns(school);
  expect(await read(id)).toMatchObject({ state: 'Offer expired', may: { reopen: true } });
  expect(await seat()).toMatchObject({ offered: 0, free: 2 });
  const late = { id, version: (await read(id)).version, mode: 'Cash', reference: '' };
  await expect(accountant.call(processApi.pay, { ...late, paidOn: today } as never)).rejects.toMatchObject({
    fields: { paidOn: expect.anything() },
  });
  await accountant.call(processApi.pay, { ...late, paidOn: addDays(today, -1) } as never);
  expect(await read(id)).toMatchObject({ state: 'Seat confirmed' });
  expect(seatId).toBeGreaterThan(0);
});

test('a child that leaves the waiting list returns to its place', async () => {
  const { verified, id: seatId } = await planned({ total: 4, reserved: 0 });
  const [a = 0, b = 0, c = 0] = [await verified(), await verified(), await verified()];
  await decide('Waitlist', [a, b, c]);
  await release([a, b, c]);
  const ranks = async () => Promise.all([a, b, c].map(async (id) => (await read(id)).rank));
  expect(await ranks()).toEqual([1, 2, 3]);
  const { rows } = await office.call(processList.api.list, { tab: 'waiting' } as never);
  expect(rows.map((row) => row.id).filter((waiting) => [a, b, c].includes(waiting))).toEqual([a, b, c]);
  await head.call(waitingApi.rank, { seatId, ids: [c, a, b], reason: 'Lives nearer' });
  expect(await ranks()).toEqual([2, 3, 1]);
  await offered([c]);
  expect(await ranks()).toEqual([1, 2, null]);
  await head.call(processApi.reject, {
    id: c,
    version: (await read(c)).version,
    reasonId: Number(
      (await school.sql("select id from academic_lookup where kind = 'Reason not offered' and name = 'Age'"))[0]?.id,
    ),
    note: '',
  } as never);
  await head.call(processApi.reopen, { id: c, version: (await read(c)).version, reason: 'Appeal' });
  expect(await ranks()).toEqual([2, 3, 1]);
});

test('A3.7 of 30 seats with 4 reserved and 25 given one more is offered, 29 is the fewest total, and 28 is refused', async () => {
  const { id, seat, verified } = await planned({ total: 30, reserved: 4 });
  const row = await seat();
  await school.sql(`alter table admission_seat disable trigger user; update admission_seat set taken = 25 where id = ${id};
    alter table admission_seat enable trigger user`);
  const change = (total: number, version: number) =>
    head.call(seatApi.update, { ...usual, id, version, total, reserved: 4 } as never);
  const next = [await verified(), await verified()];
  expect(await decide('Offer', next)).toMatchObject({ changed: 1, skippedCount: 1 });
  await seats.undo(next);
  await change(29, row.version);
  await expect(change(28, row.version + 1)).rejects.toMatchObject({ fields: { total: expect.anything() } });
  expect(await seat()).toMatchObject({ total: 29, free: 0 });
  await school.sql(`update admission_seat set taken = 0 where id = ${id}`);
});

test('a scored assessment below grade IX is refused unless the school has allowed it', async () => {
  const { place } = await planned();
  const [grade] = await school.sql('select id from academic_grade order by position limit 1');
  const row = { ...place, gradeId: Number(grade?.id), quota: 'General', ...usual, interaction: 'Assessment' };
  await expect(head.call(seatApi.create, row as never)).rejects.toMatchObject({
    fields: { interaction: expect.anything() },
  });
  const admin = await school.person({ role: 'Admin' });
  await admin.call(settingApi.save, { key: scoresBelowNine.key, value: true, rowVersion: 0 });
  await head.call(seatApi.create, row as never);
});

test('A3.2 of 20 heads who decide at once about the last two seats two hold one, and a second head is refused as stale', async () => {
  const { verified, seat } = await planned();
  const ids = await Promise.all(Array.from({ length: 20 }, () => verified()));
  const input = (id: number) => ({
    kind: 'Offer',
    seatQuota: '',
    conditions: '',
    offerUntil: '',
    note: '',
    selection: chosen(id),
  });
  const tokens = await Promise.all(
    ids.map(async (id) => (await head.call(processApi.decide, input(id) as never)).confirmToken),
  );
  const results = await Promise.allSettled(
    ids.map((id, place) => head.call(processApi.decide, { ...input(id), confirmToken: tokens[place] } as never)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await seat()).toMatchObject({ held: 2, free: 0 });
});

test('a payment beside the end of its offer leaves the seat confirmed or free, counted once', async () => {
  const { verified, seat, id: seatId } = await planned();
  const id = await verified();
  await offered([id]);
  await school.sql(`update admission_inquiry set offer_expires_on = current_date - 1 where id = ${id};
    update admission_decision set released_at = released_at - interval '9 days' where inquiry_id = ${id}; delete from daily_task`);
  await doDaily(school.services, { ...dailyExpiry, from: 0 });
  const paid = { id, version: (await read(id)).version, mode: 'Cash', reference: '', paidOn: addDays(today, -1) };
  await Promise.allSettled([accountant.call(processApi.pay, paid as never), doRuns(school)]);
  const { state } = await read(id);
  expect(['Seat confirmed', 'Offer expired']).toContain(state);
  expect(await seat()).toMatchObject({ offered: 0, confirmed: state === 'Seat confirmed' ? 1 : 0 });
  const [row] =
    await school.sql(`select taken = (select count(*) from admission_inquiry where seat_id = ${seatId} and holds_seat)
    as is_exact from admission_seat where id = ${seatId}`);
  expect(row?.is_exact).toBe(true);
});

test('the list has an application in the tab of its state, and an accountant reads no form', async () => {
  const { verified } = await planned();
  const id = await verified();
  const idsIn = async (tab: string) =>
    (await office.call(processList.api.list, { tab } as never)).rows.map((row) => row.id);
  expect(await idsIn('toDecide')).toContain(id);
  await decide('Offer', [id]);
  expect([(await idsIn('toDecide')).includes(id), (await idsIn('held')).includes(id)]).toEqual([false, true]);
  expect((await accountant.call(processApi.read, { id })).may).toMatchObject({ readForm: false, decide: false });
});

test('an accountant finds an applicant by name, once the process has begun, and the office among its inquiries', async () => {
  const { id } = await school.inquiry({ fatherEmail: 'zubeida@family.example' });
  await school.sql(`update admission_inquiry set first_name = 'Zubeida', state = 'Verified', received_at = now(),
    submitted_at = now() where id = ${id}`);
  const find = (who: Person) => who.call(searchApi.find, { search: 'Zubeida' });
  const groups = [
    [{ kind: 'applicant', hits: [{ id, to: `admission/process-admission/${id}` }] }],
    [{ kind: 'inquiry', hits: [{ id, to: `admission/process-admission/${id}` }] }],
  ];
  expect([await find(accountant), await find(office)]).toMatchObject(groups);
  await school.sql(`update admission_inquiry set state = 'New' where id = ${id}`);
  expect([await find(accountant), await find(office)]).toMatchObject([
    [],
    [{ hits: [{ to: `admission/inquiry/${id}` }] }],
  ]);
});

test('the admission pages begin with the latest year that has seats, and show every year on request', async () => {
  const { verified, place } = await planned();
  const id = await verified();
  const [next] = await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('2097-2098', '2097-04-01', '2098-03-31', '2097-06-01') returning id`);
  const [grade] = await school.sql('select id from academic_grade order by position limit 1');
  const row = { ...place, academicYearId: Number(next?.id), gradeId: Number(grade?.id), quota: 'General', ...usual };
  expect((await office.call(seatApi.year, {})).id).not.toBe(Number(next?.id));
  await head.call(seatApi.create, row as never);
  expect(await office.call(seatApi.year, {})).toMatchObject({ id: Number(next?.id) });
  const waiting = async (by: Person) =>
    (await by.call(seatApi.year, {})).waiting.find((year) => year.id === Number(place?.academicYearId));
  const { toReview, toDecide } = (await waiting(office)) ?? { toReview: 0, toDecide: 0 };
  expect(toDecide).toBeGreaterThan(0);
  await school.sql(`update admission_inquiry set state = 'Submitted' where id = ${id}`);
  expect(await waiting(office)).toMatchObject({ toReview: toReview + 1, toDecide: toDecide - 1 });
  // Forms are not the accountant's to review.
  expect(await waiting(accountant)).toMatchObject({ toReview: 0, toDecide: toDecide - 1 });
  await school.sql(`update admission_inquiry set state = 'Verified' where id = ${id}`);
  const idsIn = async (academicYearId: string) =>
    (await office.call(processList.api.list, { academicYearId } as never)).rows.map((found) => found.id);
  expect(await idsIn(String(next?.id))).toEqual([]);
  expect(await idsIn('0')).toContain(id);
});
