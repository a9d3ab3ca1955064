import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followUpApi } from '#features/fee-money/contract/follow-up.ts';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import { qrCode } from '#kit/server/paper/qr-code.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf, prove, raiseWithLink } from '#testing/family.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { readQrCode } from '#testing/qr-code.ts';
import { openSchool, type School } from '#testing/school.ts';
import type { FamilyPay } from '../contract/family.ts';
import { homePaymentApi, homePaymentList, homePaymentMessages } from '../contract/home-payment.ts';

let school: School;
let prices: Prices;
let accountant: Person;
let main: number;
let trust: number;

beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
  const [made] =
    await school.sql(`with other as (insert into fee_receipt_series (name, short_name) values ('Trust', 'TRUST') returning id),
    head as (update fee_head set receipt_series_id = other.id from other where fee_head.id = ${prices.heads.Term} returning 1)
    select id, (select min(id) from fee_receipt_series) as main from other`);
  trust = Number(made?.id);
  main = Number(made?.main);
  await school.sql(`update fee_receipt_series set upi_id = lower(short_name) || '@bank';
    insert into fee_bank_account (name, bank, last4, receipt_series_id) values ('Teak Tree Trust', 'Bank of Surat', '1234', ${trust}), ('Main', 'Bank of Anand', '5678', ${main})`);
  on('04-12');
});
afterAll(() => school.close());

const on = (day: string) => {
  school.clock.now = new Date(`${prices.year}-${day}T06:00:00Z`);
};
const dayOf = (day: string) => `${prices.year}-${day}`;

let made = 0;
/** A child with dues in both series, and its father with the link to the family page. */
async function openChild(name: string) {
  const child = await plannedChild(school, prices, name);
  const father = await joinFamily(school, `Nikhil ${name}`, String(9_876_540_000 + ++made), [child]);
  return { child, father, link: await linkValueOf(school, father) };
}

const payOf = async (link: string, child: number): Promise<FamilyPay> => {
  const { json } = await school.send({ url: `/api/family?family=${link}` });
  return json.parts['online-payment'].find(({ studentId }: FamilyPay) => studentId === child);
};
const enter = (link: string, body: object) =>
  school.send({ method: 'POST', url: `/api/family/payment?family=${link}`, body });
const rowOf = async (child: string) =>
  (await accountant.call(homePaymentList.api.list, { tab: 'all', search: child } as never)).rows[0];

async function plantLine(reference: string, amount: number, day: string, series = trust) {
  const [line] =
    await school.sql(`insert into bank_line (bank_account_id, day, narration, tokens, credit, debit, nth, file_from, file_to)
    select min(id), '${day}', 'UPI/${reference}', array['UPI', '${reference}'], ${amount}, 0, 1, '${day}', '${day}'
    from fee_bank_account where receipt_series_id = ${series} returning id`);
  return Number(line?.id);
}

test('MP11 the UPI address of what is due in a series is read back from its code, and names nothing of the child', async () => {
  const { child, link } = await openChild('Zubin');
  await school.sql(`update fee_due set gross = 120050 from fee_account account where account.id = account_id
    and account.student_id = ${child} and receipt_series_id = ${trust} and due_on <= '${dayOf('04-12')}'`);
  const { series, atCounter } = await payOf(link, child);
  expect(atCounter).toBe(0);
  expect(series.map(({ name, upiId, payee, amount }) => [name, upiId, payee, amount])).toEqual([
    ['Main', 'main@bank', expect.any(String), expect.any(Number)],
    ['Trust', 'trust@bank', 'Teak Tree Trust, Bank of Surat', 120_050],
  ]);
  const address = series[1]?.address ?? '';
  expect(readQrCode(qrCode(address))).toBe(address);
  const query = new URL(address).searchParams;
  expect([query.get('pa'), query.get('am'), query.get('cu'), query.get('tn')]).toEqual([
    'trust@bank',
    '1200.50',
    'INR',
    'Fees Trust',
  ]);
  const [facts] = await school.sql(`select gr_no from student where id = ${child}`);
  expect(address).not.toContain('Zubin');
  expect(address).not.toContain(String(facts?.gr_no));

  await school.sql(`update fee_receipt_series set upi_id = '' where id = ${main}`);
  const left = await payOf(link, child);
  expect([left.series.map(({ id }) => id), left.atCounter]).toEqual([[trust], series[0]?.amount]);
  await school.sql(`update fee_receipt_series set upi_id = 'main@bank' where id = ${main}`);
});

test('MP11 the amounts of the series total what is due today with its late fine', async () => {
  const { child, link } = await openChild('Yash');
  const [rule] = await school.sql(`insert into fee_fine_rule (name) values ('Late') returning id`);
  await school.sql(`insert into fee_fine_version (rule_id, effective_from, kind, amount, grace_days, max_amount)
      values (${rule?.id}, '2040-01-01', 'Per day', 2000, 5, 50000);
    update fee_due set late_rule_id = ${rule?.id} from fee_account account where account.id = account_id
      and account.student_id = ${child} and fee_head_id = ${prices.heads.Tuition}`);
  const [before] = [(await payOf(link, child)).series[0]?.amount ?? 0];
  on('04-25');
  const { json } = await school.send({ url: `/api/family?family=${link}` });
  const pay = json.parts['online-payment'][0] as FamilyPay;
  expect(pay.series.reduce((sum, { amount }) => sum + amount, 0)).toBe(json.parts['fee-money'][0].today);
  expect(pay.series[0]?.amount).toBe(before + 20_000);
  on('04-12');
});

test('MP12 what a family enters is taken in its series under the bank’s day, seen with its receipt, and open again once cancelled', async () => {
  const { child, link } = await openChild('Asha');
  const [, due] = (await payOf(link, child)).series;
  const amount = due?.amount ?? 0;
  const entered = { studentId: child, seriesId: trust, reference: '4123 4567 8901', amount, paidOn: dayOf('04-11') };
  expect((await enter(link, entered)).status).toBe(200);
  expect((await enter(link, entered)).status).toBe(200);
  expect((await payOf(link, child)).entered).toMatchObject([{ state: 'Waiting', amount, receiptNo: '' }]);

  const selection = { ids: [child], isAll: false, query: {} };
  const waiting = await accountant.call(followUpApi.remind, { selection });
  expect(JSON.stringify(waiting.skipped)).toContain('says it has paid');
  const line = await plantLine('412345678901', amount, dayOf('04-11'));
  const row = await rowOf('Asha');
  expect(row).toMatchObject({ status: 'Waiting', bankDay: dayOf('04-11'), may: { take: true } });
  const asked = { id: row?.id ?? 0, version: row?.version ?? 0, valueOn: '' };
  const preview = await accountant.call(homePaymentApi.preview, { id: asked.id });
  expect(preview).toMatchObject({ bank: { kind: 'One' }, valueOn: dayOf('04-11'), advance: 0 });
  expect(preview.lines.reduce((sum, own) => sum + own.amount, 0)).toBe(amount);

  // Two clerks at once: one receipt.
  const both = await Promise.allSettled([
    accountant.call(homePaymentApi.take, asked),
    accountant.call(homePaymentApi.take, asked),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [payment] =
    await school.sql(`select payment.id, payment.version, payment.value_on::text as day, receipt.receipt_series_id as series,
      line.state from fee_payment payment join fee_receipt receipt on receipt.payment_id = payment.id
    left join bank_line line on line.payment_id = payment.id and line.id = ${line} where reference_key = '412345678901'`);
  expect(payment).toMatchObject({ day: dayOf('04-11'), series: trust, state: 'Matched' });
  expect((await payOf(link, child)).entered).toMatchObject([
    { state: 'Seen', receiptNo: expect.stringContaining('TRUST') },
  ]);
  expect((await accountant.call(followUpApi.remind, { selection })).changed).toBe(1);

  await accountant.call(paymentApi.cancel, {
    id: Number(payment?.id),
    version: Number(payment?.version),
    money: 'It never came',
    reason: 'Wrong',
  });
  expect((await payOf(link, child)).entered).toMatchObject([{ state: 'Waiting', receiptNo: '' }]);
});

test('MP12 what a family has entered is not asked for again while the school looks for it', async () => {
  const { child, link } = await openChild('Chhaya');
  const asked = async () => (await payOf(link, child)).series.find(({ id }) => id === main);
  const whole = (await asked())?.amount ?? 0;
  const entered = { studentId: child, seriesId: main, reference: '555599998888', paidOn: dayOf('04-12') };
  await enter(link, { ...entered, amount: 1_000 });
  expect(await asked()).toMatchObject({ amount: whole - 1_000 });
  expect(new URL((await asked())?.address ?? '').searchParams.get('am')).toBe(((whole - 1_000) / 100).toFixed(2));
  await enter(link, { ...entered, reference: '555599998889', amount: whole });
  expect(await asked()).toMatchObject({ amount: 0, address: '' });
  const { rows } = await accountant.call(homePaymentList.api.list, { tab: 'all', search: 'Chhaya' } as never);
  for (const { id, version } of rows)
    await accountant.call(homePaymentApi.notFound, { id, version, note: 'Not there.' });
  expect(await asked()).toMatchObject({ amount: whole });
});

test('MP12 what was not found is read by the family, waits for no reminder, and can be entered again', async () => {
  const { child, link } = await openChild('Bela');
  const entered = {
    studentId: child,
    seriesId: main,
    reference: '555512345678',
    amount: 1_000,
    paidOn: dayOf('04-12'),
  };
  await enter(link, entered);
  const row = await rowOf('Bela');
  const asked = { id: row?.id ?? 0, version: row?.version ?? 0 };
  await accountant.call(homePaymentApi.notFound, { ...asked, note: 'Please check the last digits.' });
  await expect(accountant.call(homePaymentApi.notFound, { ...asked, note: '' })).rejects.toMatchObject({
    code: 'stale',
  });
  expect((await payOf(link, child)).entered).toMatchObject([
    { state: 'Not found', note: 'Please check the last digits.', amount: 1_000 },
  ]);
  const selection = { ids: [child], isAll: false, query: {} };
  expect((await accountant.call(followUpApi.remind, { selection })).changed).toBe(1);
  await enter(link, { ...entered, amount: 2_000 });
  expect((await payOf(link, child)).entered).toMatchObject([{ state: 'Waiting', note: '', amount: 2_000 }]);
  expect(await rowOf('Bela')).toMatchObject({ status: 'Waiting', bankDay: '' });
  // Reminders wait three days.
  on('04-15');
  expect(JSON.stringify(await accountant.call(followUpApi.remind, { selection }))).not.toContain('has paid');
  on('04-12');
});

test('MP12 a reference on the receipt of another family makes nothing seen, and can’t be taken again', async () => {
  const [one, other] = [await openChild('Chirag'), await openChild('Dhara')];
  const entered = { seriesId: main, reference: '777712345678', amount: 5_000, paidOn: dayOf('04-12') };
  await enter(one.link, { ...entered, studentId: one.child });
  const row = await rowOf('Chirag');
  await accountant.call(homePaymentApi.take, { id: row?.id ?? 0, version: row?.version ?? 0, valueOn: dayOf('04-12') });
  await enter(other.link, { ...entered, studentId: other.child });
  expect((await payOf(other.link, other.child)).entered).toMatchObject([{ state: 'Waiting', receiptNo: '' }]);
  const again = await rowOf('Dhara');
  await expect(
    accountant.call(homePaymentApi.take, {
      id: again?.id ?? 0,
      version: again?.version ?? 0,
      valueOn: dayOf('04-12'),
    }),
  ).rejects.toMatchObject({ fields: { reference: expect.anything() } });
});

const askedOf = async (name: string) => {
  const row = await rowOf(name);
  return { id: row?.id ?? 0, version: row?.version ?? 0 };
};

test('MP12 money in the account of another series is taken after its payment from home was moved there', async () => {
  const { child, link } = await openChild('Hema');
  const entered = {
    studentId: child,
    seriesId: trust,
    reference: '611112345678',
    amount: 5_000,
    paidOn: dayOf('04-11'),
  };
  await enter(link, entered);
  await plantLine('611112345678', 5_000, dayOf('04-11'), main);
  expect(await rowOf('Hema')).toMatchObject({ bankDay: '' });
  const asked = await askedOf('Hema');
  const { bank } = await accountant.call(homePaymentApi.preview, { id: asked.id });
  expect(bank).toMatchObject({ kind: 'Other series', seriesId: main, series: 'Main' });
  const take = async () =>
    accountant.call(homePaymentApi.take, { ...(await askedOf('Hema')), valueOn: dayOf('04-11') });
  await expect(take()).rejects.toMatchObject({ code: 'conflict' });
  await expect(accountant.call(homePaymentApi.move, { ...asked, seriesId: trust })).rejects.toMatchObject({
    code: 'conflict',
  });
  await accountant.call(homePaymentApi.move, { ...asked, seriesId: main });
  expect(await rowOf('Hema')).toMatchObject({ bankDay: dayOf('04-11'), series: 'Main' });
  await take();
  expect(
    await school.sql(`select receipt_series_id as series from fee_receipt receipt
    join fee_payment payment on payment.id = receipt.payment_id where reference_key = '611112345678'`),
  ).toEqual([{ series: main }]);
});

test('MP12 a line of another amount, a matched one and one set aside are named, and the money is not taken', async () => {
  const { child, link } = await openChild('Indu');
  const entered = {
    studentId: child,
    seriesId: trust,
    reference: '622212345678',
    amount: 5_000,
    paidOn: dayOf('04-11'),
  };
  await enter(link, entered);
  const line = await plantLine('622212345678', 4_000, dayOf('04-11'));
  const asked = await askedOf('Indu');
  const bankOf = async () => (await accountant.call(homePaymentApi.preview, { id: asked.id })).bank;
  const take = () => accountant.call(homePaymentApi.take, { ...asked, valueOn: dayOf('04-11') });
  expect(await bankOf()).toMatchObject({ kind: 'Other amount', amount: 4_000 });
  await expect(take()).rejects.toMatchObject({ code: 'conflict', text: { values: { amount: '₹40.00' } } });
  await school.sql(`update bank_line set state = 'Set aside', note = 'Interest' where id = ${line}`);
  expect(await bankOf()).toMatchObject({ kind: 'Set aside' });
  await expect(take()).rejects.toMatchObject({ code: 'conflict' });
  await school.sql(`update bank_line set state = 'Matched', note = '', payment_id = (select max(id) from fee_payment
    where not exists (select from bank_line other where other.payment_id = fee_payment.id)) where id = ${line}`);
  expect(await bankOf()).toMatchObject({ kind: 'Matched', receipts: expect.stringMatching(/./) });
  await expect(take()).rejects.toMatchObject({ code: 'conflict' });
  expect(await rowOf('Indu')).toMatchObject({ status: 'Waiting' });
});

test('MP12 a clerk of some branches reads that lines are not shown, not that there is none', async () => {
  const limited = await school.person({
    name: 'Omar',
    role: 'Staff',
    sets: ['accountant'],
    branchIds: [prices.place.branchId],
  });
  const { child, link } = await openChild('Nisha');
  await enter(link, {
    studentId: child,
    seriesId: trust,
    reference: '666612345678',
    amount: 5_000,
    paidOn: dayOf('04-11'),
  });
  await plantLine('666612345678', 5_000, dayOf('04-11'));
  const asked = await askedOf('Nisha');
  const { id } = asked;
  expect((await accountant.call(homePaymentApi.preview, { id })).bank).toMatchObject({ kind: 'One' });
  expect((await limited.call(homePaymentApi.preview, { id })).bank).toMatchObject({ kind: 'Hidden', day: '' });
  // The line may be of another amount or series, or matched with another payment.
  await expect(limited.call(homePaymentApi.take, { ...asked, valueOn: dayOf('04-11') })).rejects.toMatchObject({
    code: 'conflict',
    text: homePaymentMessages.hidden,
  });
  await school.sql(`delete from bank_line where narration like '%666612345678%'`);
  await limited.call(homePaymentApi.take, { ...asked, valueOn: dayOf('04-11') });
});

test('MP12 without a line the clerk says on which day the money came, from the day of the payment until today', async () => {
  const { child, link } = await openChild('Jaya');
  await enter(link, {
    studentId: child,
    seriesId: trust,
    reference: '633312345678',
    amount: 5_000,
    paidOn: dayOf('04-10'),
  });
  const asked = await askedOf('Jaya');
  expect(await accountant.call(homePaymentApi.preview, { id: asked.id })).toMatchObject({
    bank: { kind: 'None' },
    valueOn: dayOf('04-10'),
  });
  for (const valueOn of ['', dayOf('04-09'), dayOf('04-13')])
    await expect(accountant.call(homePaymentApi.take, { ...asked, valueOn })).rejects.toMatchObject({
      fields: { valueOn: expect.anything() },
    });
  await accountant.call(homePaymentApi.take, { ...asked, valueOn: dayOf('04-11') });
  expect(
    await school.sql(`select value_on::text as day from fee_payment where reference_key = '633312345678'`),
  ).toEqual([{ day: dayOf('04-11') }]);
});

test('MP12 entering the same again waits for nothing and opens nothing, and a family is believed three days in thirty', async () => {
  const { child, link } = await openChild('Kavi');
  const entered = {
    studentId: child,
    seriesId: main,
    reference: '644412345678',
    amount: 5_000,
    paidOn: dayOf('04-12'),
  };
  const isBelieved = async () =>
    JSON.stringify(
      await accountant.call(followUpApi.remind, {
        selection: { ids: [child], isAll: false, query: {} },
        isPreview: true,
      } as never),
    ).includes('has paid');
  await enter(link, entered);
  expect(await isBelieved()).toBe(true);
  await accountant.call(homePaymentApi.notFound, { ...(await askedOf('Kavi')), note: 'Look again' });
  await expect(
    accountant.call(homePaymentApi.take, { ...(await askedOf('Kavi')), valueOn: dayOf('04-12') }),
  ).rejects.toMatchObject({ code: 'conflict' });
  on('04-16');
  await enter(link, entered);
  expect((await payOf(link, child)).entered).toMatchObject([{ state: 'Not found', note: 'Look again' }]);
  await enter(link, { ...entered, amount: 6_000 });
  expect((await payOf(link, child)).entered).toMatchObject([{ state: 'Waiting', note: '' }]);
  expect(await rowOf('Kavi')).toMatchObject({ enteredOn: dayOf('04-12') });
  await enter(link, { ...entered, reference: '644499999999' });
  expect(await isBelieved()).toBe(false);
  on('04-12');
});

test('MP12 a payment from home is seen with the receipt of a clerk at the counter, and waits again once that ends', async () => {
  const { child, link } = await openChild('Lata');
  await enter(link, {
    studentId: child,
    seriesId: main,
    reference: '655512345678',
    amount: 5_000,
    paidOn: dayOf('04-12'),
  });
  const stored = async () =>
    (await school.sql(`select payment_id as payment from home_payment where reference_key = '655512345678'`))[0]
      ?.payment;
  expect(await stored()).toBeNull();
  await accountant.call(homePaymentApi.take, { ...(await askedOf('Lata')), valueOn: dayOf('04-12') });
  const [payment] = await school.sql(`select id, version from fee_payment where reference_key = '655512345678'`);
  expect(await stored()).toBe(payment?.id);
  // What is entered after the receipt is seen at once.
  await school.sql(`delete from home_payment where reference_key = '655512345678'`);
  await enter(link, {
    studentId: child,
    seriesId: main,
    reference: '6555 1234 5678',
    amount: 5_000,
    paidOn: dayOf('04-12'),
  });
  expect(await stored()).toBe(payment?.id);
  expect(
    (await accountant.call(homePaymentList.api.list, { tab: 'seen', search: '655512345678' } as never)).rows,
  ).toHaveLength(1);
  await accountant.call(paymentApi.cancel, {
    id: Number(payment?.id),
    version: Number(payment?.version),
    money: 'It never came',
    reason: 'Wrong',
  });
  expect(await stored()).toBeNull();
});

test('MP12 what a family enters while its receipt is issued waits for the receipt and is seen', async () => {
  const { child, link } = await openChild('Tara');
  const { children } = await accountant.call(paymentApi.dues, { studentId: child, on: dayOf('04-12') });
  const [own] = children;
  const line = own?.lines.find(({ owed }) => owed > 0);
  const counter = {
    payerName: 'A parent',
    payerMobile: '',
    payerGuardianId: null,
    amount: 5_000,
    mode: 'UPI',
    reference: '677712345678',
    paidOn: dayOf('04-12'),
    backReason: '',
    remark: '',
    children: [{ studentId: child, version: own?.version ?? 0, lines: [{ key: line?.key ?? '', amount: 5_000 }] }],
  } as never;
  const entered = {
    studentId: child,
    seriesId: main,
    reference: '6777 1234 5678',
    amount: 5_000,
    paidOn: dayOf('04-12'),
  };
  const waiting = async (query: string) =>
    Number(
      (
        await school.sql(`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike '${query}%'`)
      )[0]?.count,
    );
  const until = async (isReached: () => Promise<boolean>) => {
    for (let look = 0; look < 200 && !(await isReached()); look++) await new Promise((go) => setTimeout(go, 25));
  };
  // The counter has issued its receipt, and waits with its entries for a table that another transaction holds.
  const open = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = school.services.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(777)`.execute(db);
    held.resolve();
    await open.promise;
  });
  await held.promise;
  const locking = school.sql(
    'begin; lock table fee_ledger_entry in share row exclusive mode; select pg_advisory_xact_lock(777); commit',
  );
  await until(async () => (await waiting('begin; lock')) > 0);
  const taking = accountant.call(paymentApi.take, counter);
  await until(async () => (await waiting('%insert into%fee_ledger_entry')) > 0);
  const entering = enter(link, entered);
  let isEntered = false;
  void entering.then(() => {
    isEntered = true;
  });
  await until(async () => isEntered || (await waiting('%home_payment')) > 0);
  open.resolve();
  await Promise.all([holding, locking, taking]);
  expect((await entering).status).toBe(200);
  expect((await payOf(link, child)).entered).toMatchObject([{ state: 'Seen', receiptNo: expect.stringMatching(/./) }]);
});

test('MP11 money paid ahead is entered in a series with an address in which nothing is due', async () => {
  const { child, link } = await openChild('Mira');
  await school.sql(`update fee_due set due_on = '${dayOf('12-01')}' from fee_account account where account.id = account_id
    and account.student_id = ${child} and receipt_series_id = ${trust}`);
  const { series, ahead } = await payOf(link, child);
  expect(series.map(({ id }) => id)).toEqual([main]);
  expect(ahead).toEqual([{ id: trust, name: 'Trust', upiId: 'trust@bank', payee: 'Teak Tree Trust, Bank of Surat' }]);
});

test('MP10 a guardian enters nothing for a child of another family, nor one of whom only school matters are shown', async () => {
  const [one, other] = [await openChild('Esha'), await openChild('Farid')];
  const entered = { seriesId: main, reference: '888812345678', amount: 5_000, paidOn: dayOf('04-12') };
  const strange = await enter(one.link, { ...entered, studentId: other.child });
  expect(strange.status).toBe(404);
  await school.sql(`update student_guardian set family_page = 'School matters' where student_id = ${one.child}`);
  const refused = await enter(one.link, { ...entered, studentId: one.child });
  expect([refused.status, refused.json]).toEqual([404, strange.json]);
  expect(await payOf(one.link, one.child)).toBeUndefined();
  expect(await school.sql(`select from home_payment where reference_key = '888812345678'`)).toEqual([]);
  for (const wrong of [
    { paidOn: dayOf('04-13') },
    { paidOn: `${prices.year - 1}-12-01` },
    { reference: 'UPI' },
    { amount: 0 },
  ])
    expect([wrong, (await enter(other.link, { ...entered, studentId: other.child, ...wrong })).status]).toEqual([
      wrong,
      422,
    ]);
});

test('MC17 a UPI address that changed is to do for a week for who takes money and who decides, and new on the family page', async () => {
  const { child, link } = await openChild('Gita');
  await school.sql(`update fee_receipt_series set upi_id = 'other@bank' where id = ${trust};
    update fee_receipt_series set upi_changed_at = '${dayOf('04-12')} 06:00Z' where id = ${trust}`);
  const titles = async (who: Person) => JSON.stringify((await who.send({ url: '/api/dashboard/todo' })).json);
  expect(await titles(accountant)).toContain('other@bank');
  expect((await payOf(link, child)).series.map(({ changedOn }) => changedOn)).toEqual(['', dayOf('04-12')]);
  on('04-19');
  expect(await titles(accountant)).not.toContain('other@bank');
  expect((await payOf(link, child)).series.map(({ changedOn }) => changedOn)).toEqual(['', '']);
  on('04-12');
});

test('MC17 another UPI address after a time without one is to do, and the same one again is not', async () => {
  const changed = async (upi: string) => {
    await school.sql(`update fee_receipt_series set upi_id = '${upi}' where id = ${main}`);
    const [row] = await school.sql(
      `select upi_before as before, upi_changed_at is not null as "isNew" from fee_receipt_series where id = ${main}`,
    );
    await school.sql(`update fee_receipt_series set upi_changed_at = null where id = ${main}`);
    return row;
  };
  expect(await changed('')).toEqual({ before: 'main@bank', isNew: true });
  expect(await changed('main@bank')).toEqual({ before: 'main@bank', isNew: false });
  await changed('');
  expect(await changed('thief@bank')).toEqual({ before: 'main@bank', isNew: true });
  await changed('main@bank');
});

test('MP12 a payment that was entered for the other child goes over, and has waited since it was first entered', async () => {
  const { child, father, link } = await openChild('Harsh');
  const sister = await plannedChild(school, prices, 'Hetal');
  await school.sql(`insert into student_guardian (student_id, guardian_id, relation_id, role, is_primary, receives_messages)
    select ${sister}, ${father}, min(id), 'Parent', true, true from academic_lookup where kind = 'Relation' and name = 'Father'`);
  const entered = { seriesId: main, reference: '999912345678', amount: 5_000, paidOn: dayOf('04-12') };
  await enter(link, { ...entered, studentId: child });
  const [before] = await school.sql(`select entered_at as at from home_payment where reference_key = '999912345678'`);
  school.clock.now = new Date(`${prices.year}-04-12T06:01:00Z`);
  expect((await enter(link, { ...entered, studentId: sister })).status).toBe(200);
  on('04-12');
  expect(
    await school.sql(`select student_id as child, entered_at as at from home_payment
    where reference_key = '999912345678'`),
  ).toEqual([{ child: sister, at: before?.at }]);
});

test('MP10 a receipt is a PDF for the proven guardian who paid, and for the other one where no adult of the child has a restriction', async () => {
  const { child, father, link } = await openChild('Isha');
  const mother = await raiseWithLink(
    school,
    [child],
    { firstName: 'Leela', mobile: '9876549999' },
    { relation: 'Mother', isPrimary: false },
  );
  await enter(link, {
    studentId: child,
    seriesId: main,
    reference: '121212345678',
    amount: 5_000,
    paidOn: dayOf('04-12'),
  });
  const row = await rowOf('Isha');
  await accountant.call(homePaymentApi.take, { id: row?.id ?? 0, version: row?.version ?? 0, valueOn: dayOf('04-12') });
  const [receipt] = await school.sql(`select receipt.id from fee_receipt receipt join fee_account account
    on account.id = receipt.account_id where account.student_id = ${child}`);
  const seenBy = async (link: string) => (await payOf(link, child)).receipts.map(({ hasFile }) => hasFile);
  expect([await seenBy(link), await seenBy(mother.link)]).toEqual([[true], [true]]);
  const file = (link: string, phone: Pick<School, 'send'> | Awaited<ReturnType<typeof prove>> = school) =>
    phone.send({ url: `/api/family/receipt/${receipt?.id}/file?family=${link}` });
  const unproven = await file(link);
  expect([unproven.status, unproven.json.error.code]).toEqual([403, 'confirm_required']);
  const [his, hers] = [await prove(school, { guardianId: father, link }), await prove(school, mother)];
  expect([(await file(link, his)).status, (await file(mother.link, hers)).status]).toEqual([200, 200]);
  await school.sql(`update student_guardian set restriction = 'Not at the same time' where student_id = ${child}
    and guardian_id = ${father}`);
  await school.sql(`update student_guardian set family_page = 'All' where student_id = ${child}`);
  expect([await seenBy(link), await seenBy(mother.link)]).toEqual([[true], [false]]);
  expect([(await file(link, his)).status, (await file(mother.link, hers)).status]).toEqual([200, 404]);
  const other = await openChild('Jay');
  const theirs = await prove(school, { guardianId: other.father, link: other.link });
  expect((await file(other.link, theirs)).status).toBe(404);
});
