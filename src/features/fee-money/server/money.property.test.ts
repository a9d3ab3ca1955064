import { afterEach, beforeEach, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { planApi } from '#features/fee-price/contract/plan.ts';
import { planRuns } from '#features/fee-price/server/plan/plan-routes.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { ask } from '#kit/server/hook.ts';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { accountApi, accountList } from '../contract/account.ts';
import { paymentApi } from '../contract/payment.ts';

/** In soak 10,000 acts in five schools: each act checks the whole ledger, which grows. */
const [seeds, acts, families] = isSoak ? [[47, 48, 49, 50, 51], 2000, 20] : [[47], 240, 3];

let school: School;
let prices: Prices;
let cashier: Person;
let principal: Person;
let children: Child[];
/** The published prices. */
let structureId: number;
let day: number;

interface Child {
  id: number;
  enrollment: number;
  father: number;
  sibling: number;
  /** What was received for the child and not returned, in paise: the model. */
  received: number;
  /** What the hook keeps of an enrolment that ended; undefined while the child is here. */
  kept: object | undefined;
}
/** Payments that still count, with what each child got. */
let payments: { id: number; version: number; on: number; parts: Map<number, number>; cheque?: number }[];
let cheques: { id: number; child: number; amount: number; status: string; payment: number }[];
/** Money without a child. */
let unplaced: { account: number; payment: number }[];
/** The acts with moved money that succeeded. */
let reached: Set<string>;
let refunds: { id: number; child: number; amount: number; status: string }[];

beforeEach(async () => {
  school = await openSchool();
  day = 12;
  cashier = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant'] });
  principal = await school.person({ name: 'Mina', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  // Term fees go to another legal entity.
  await school.sql(`with other as (insert into fee_receipt_series (name, short_name) values ('Trust', 'TRUST') returning id)
    update fee_head set receipt_series_id = other.id from other where fee_head.id = ${prices.heads.Term}`);
  const [published] = await school.sql('select max(id) as id from fee_structure');
  structureId = Number(published?.id);
  setDay();
  children = [];
  payments = [];
  cheques = [];
  refunds = [];
  unplaced = [];
  reached = new Set();
  for (let family = 0; family < families; family++) {
    const own = [
      await plannedChild(school, prices, `Elder${family}`),
      await plannedChild(school, prices, `Younger${family}`),
    ];
    const father = await joinFamily(school, `Nikhil${family}`, String(9_876_500_000 + family), own);
    for (const [at, id] of own.entries()) {
      const [row] = await school.sql(`select id from student_enrollment where student_id = ${id}`);
      children.push({
        id,
        enrollment: Number(row?.id),
        father,
        sibling: own[1 - at] ?? id,
        received: 0,
        kept: undefined,
      });
    }
  }
});
afterEach(() => school.close());

const today = () => new Date(Date.UTC(prices.year, 3, day)).toISOString().slice(0, 10);
function setDay() {
  school.clock.now = new Date(Date.UTC(prices.year, 3, day, 6));
}

/** Numbers that look random and are the same in each run. */
let state = 0;
function draw(most: number) {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * most);
}
const one = <Of>(some: readonly Of[]): Of | undefined => some[draw(some.length)];
const amount = () => (1 + draw(40_000)) * 50;
const childOf = (id: number) => children.find((child) => child.id === id);
const send = (who: Person, url: string, body: object) => who.send({ method: 'POST', url: `/api${url}`, body });

async function decide(column: string, id: number) {
  const [row] = await school.sql(`select id from approval where ${column} = ${id} and status = 'Pending'`);
  const { version, seen } = await principal.call(approvalApi.read, { id: Number(row?.id) });
  return send(principal, `/approval/${row?.id}/decide`, { version, seen, outcome: 'Approved', remark: '' });
}

/** Pays an amount over both children of a family, the oldest first; what is left is advance. */
async function pay() {
  const child = one(children);
  if (!child) return;
  const dues = await cashier.call(paymentApi.dues, { studentId: child.id, on: '' });
  const total = amount() * (draw(5) === 0 ? 40 : 1);
  let left = total;
  const lines = dues.children.map((own) => ({
    studentId: own.studentId,
    version: own.version,
    lines: own.lines.flatMap(({ key, owed }) => {
      const part = Math.min(left, owed);
      left -= part;
      return part > 0 ? [{ key, amount: part }] : [];
    }),
  }));
  const { status, json } = await send(cashier, '/fee/payment', {
    payerGuardianId: child.father,
    payerName: '',
    payerMobile: '',
    mode: 'Bank transfer',
    reference: `R${state}${payments.length}`,
    paidOn: today(),
    backReason: '',
    remark: '',
    amount: total,
    children: lines,
  });
  expect([status, json]).toEqual([200, json]);
  await note(json.id);
}

/** Adds a payment to the model, from its receipts. */
async function note(id: number, cheque?: number) {
  const rows =
    await school.sql(`select account.student_id as child, sum(receipt.amount) as amount from fee_receipt receipt
    join fee_account account on account.id = receipt.account_id where payment_id = ${id} group by 1`);
  const parts = new Map(rows.map((row) => [Number(row.child), Number(row.amount)]));
  for (const [child, part] of parts) (childOf(child) as Child).received += part;
  payments.push({ id, version: 1, on: day, parts, ...(cheque === undefined ? {} : { cheque }) });
}

/** Takes a payment out of the model. */
function forget(id: number) {
  const found = payments.find((payment) => payment.id === id);
  for (const [child, part] of found?.parts ?? []) (childOf(child) as Child).received -= part;
  payments = payments.filter((payment) => payment.id !== id);
}

/** Refusals that a random act may meet: what was refunded, or is held by a refund, stays. */
const isRefused = ({ status, json }: { status: number; json: { error?: { code?: string } } }) =>
  status === 409 || (status === 422 && json.error?.code === 'invalid');

async function cancel() {
  const payment = one(payments.filter((own) => own.cheque === undefined));
  if (!payment) return;
  const answer = await send(cashier, `/fee/payment/${payment.id}/cancel`, {
    version: 1,
    money: 'It never came',
    reason: 'Wrong',
  });
  if (isRefused(answer)) return;
  expect(answer.status).toBe(200);
  if (answer.json.isAsked) {
    const decided = await decide('fee_payment_id', payment.id);
    if (isRefused(decided)) {
      await leaveAlone('fee_payment_id', payment.id, payment);
      return;
    }
    expect(decided.status).toBe(200);
  }
  forget(payment.id);
}

/** Withdraws what the decider could not approve, and leaves the payment alone from then on. */
async function leaveAlone(column: string, id: number, payment: (typeof payments)[number] | undefined) {
  await school.sql(`update approval set status = 'Withdrawn', decided_at = now(), decided_by = requested_by
    where ${column} = ${id} and status = 'Pending'`);
  if (column === 'fee_reissue_id') await school.sql(`update fee_reissue set status = 'Withdrawn' where id = ${id}`);
  payments = payments.map((own) => (own === payment ? { ...own, cheque: -1 } : own));
}

/** The payment that stands for the money of another one by now, once a second person approves; undefined if that is refused. */
async function moved(id: number, isAsked: boolean, payment?: (typeof payments)[number]) {
  const [asked] = await school.sql(`select id from fee_reissue where payment_id = ${id} order by id desc limit 1`);
  const decided = isAsked ? await decide('fee_reissue_id', Number(asked?.id)) : { status: 200, json: {} };
  if (isRefused(decided)) {
    await leaveAlone('fee_reissue_id', Number(asked?.id), payment);
    return undefined;
  }
  expect(decided.status).toBe(200);
  const [next] = await school.sql(`select id, account_id as account from fee_payment payment
    join (select payment_id, min(account_id) as account_id from fee_receipt group by 1) receipt on receipt.payment_id = payment.id
    where reissue_of = ${id}`);
  return { id: Number(next?.id), account: Number(next?.account) };
}

/** Moves a payment to another split of its family, or to another family. */
async function move() {
  const payment = one(payments.filter((own) => own.cheque === undefined));
  const child = one(children);
  if (!payment || !child) return;
  const total = [...payment.parts.values()].reduce((sum, part) => sum + part, 0);
  const first = Math.max(100, draw(total / 100) * 100);
  const shares = [
    { studentId: child.id, amount: Math.min(first, total) },
    ...(first < total ? [{ studentId: child.sibling, amount: total - first }] : []),
  ];
  const answer = await send(cashier, `/fee/payment/${payment.id}/move`, {
    version: 1,
    children: shares,
    reason: 'Wrong',
  });
  if (isRefused(answer)) return;
  expect(answer.status).toBe(200);
  const next = await moved(payment.id, answer.json.isAsked, payment);
  if (!next) return;
  forget(payment.id);
  await note(next.id);
  reached.add('move');
}

/** Cancels a payment whose money the school still has. */
async function keep() {
  const payment = one(payments.filter((own) => own.cheque === undefined));
  if (!payment) return;
  const body = { version: 1, money: 'The school still has it', reason: 'Wrong' };
  const answer = await send(cashier, `/fee/payment/${payment.id}/cancel`, body);
  if (isRefused(answer)) return;
  expect(answer.status).toBe(200);
  const next = await moved(payment.id, answer.json.isAsked, payment);
  if (!next) return;
  forget(payment.id);
  unplaced.push({ account: next.account, payment: next.id });
  reached.add('keep');
}

async function takeUnplaced() {
  const [to] = await school.sql(
    `select (select min(branch_id) from student) as branch, min(id) as series from fee_receipt_series`,
  );
  const { status, json } = await send(cashier, '/fee/unplaced', {
    amount: amount(),
    mode: 'UPI',
    reference: `U${state}`,
    payerName: 'R. Desai',
    payerMobile: '',
    note: 'No name',
    branchId: to?.branch,
    receiptSeriesId: to?.series,
  });
  if (isRefused({ status, json })) return;
  expect(status).toBe(200);
  const [row] = await school.sql(`select payment_id as id from fee_receipt where account_id = ${json.id}`);
  unplaced.push({ account: json.id, payment: Number(row?.id) });
  reached.add('takeUnplaced');
}

/** Places unplaced money with a child, or pays it back. */
async function place() {
  const sum = one(unplaced);
  const child = one(children);
  if (!sum || !child) return;
  unplaced = unplaced.filter((own) => own !== sum);
  if (draw(2) === 0) {
    const body = { mode: 'Cheque', payee: 'A parent', reason: 'Not ours' };
    const { status, json } = await send(cashier, `/fee/unplaced/${sum.account}/refund`, body);
    expect(status).toBe(200);
    for (const id of json.ids as number[]) {
      expect((await decide('fee_refund_id', id)).status).toBe(200);
      const [row] = await school.sql(`select version from fee_refund where id = ${id}`);
      expect(
        (await send(cashier, `/fee/refund/${id}/pay`, { version: row?.version, reference: '412346' })).status,
      ).toBe(200);
    }
    const [row] = await school.sql(`select balance from fee_account where id = ${sum.account}`);
    expect(Number(row?.balance)).toBe(0);
    reached.add('payBack');
    return;
  }
  const [row] = await school.sql(`select amount::integer from fee_payment where id = ${sum.payment}`);
  const shares = [{ studentId: child.id, amount: row?.amount }];
  const answer = await send(cashier, `/fee/unplaced/${sum.account}/place`, {
    version: 1,
    children: shares,
    reason: 'Found',
  });
  expect([answer.status, answer.json]).toEqual([200, { isAsked: true }]);
  const next = await moved(sum.payment, true);
  if (!next) return;
  await note(next.id);
  reached.add('place');
}

async function takeCheque() {
  const child = one(children);
  if (!child) return;
  const total = amount();
  const { status, json } = await send(cashier, '/fee/cheque', {
    studentId: child.id,
    kind: 'Cheque',
    number: String(100_000 + cheques.length),
    bank: 'Bank of Surat',
    datedOn: today(),
    amount: total,
    payerName: 'A parent',
  });
  expect(status).toBe(200);
  const [row] = await school.sql(`select payment_id as id from fee_cheque where id = ${json.id}`);
  cheques.push({ id: json.id, child: child.id, amount: total, status: 'Received', payment: Number(row?.id) });
  await note(Number(row?.id), json.id);
}

/** Moves a cheque along its way: deposited, then cleared or bounced; a bounced one is deposited again. */
async function moveCheque() {
  const cheque = one(cheques.filter(({ status }) => status !== 'Cleared'));
  if (!cheque) return;
  const [row] = await school.sql(`select version from fee_cheque where id = ${cheque.id}`);
  const what = cheque.status !== 'Deposited' ? 'deposit' : draw(2) === 0 ? 'bounce' : 'clear';
  const body = { deposit: { slipNo: '7' }, clear: {}, bounce: { reason: 'No funds', charge: 30_000 } }[what];
  const answer = await send(cashier, `/fee/cheque/${cheque.id}/${what}`, { version: row?.version, ...body });
  if (isRefused(answer)) return;
  expect([what, answer.status]).toEqual([what, 200]);
  if (what === 'bounce') forget(cheque.payment);
  if (what === 'deposit' && cheque.status === 'Bounced') {
    const [again] = await school.sql(`select payment_id as id from fee_cheque where id = ${cheque.id}`);
    cheque.payment = Number(again?.id);
    await note(cheque.payment, cheque.id);
  }
  cheque.status = { deposit: 'Deposited', clear: 'Cleared', bounce: 'Bounced' }[what];
}

const noParts = { dueId: null, feeHeadId: null, dueOn: '', fromSeriesId: null, toSeriesId: null, reason: 'Agreed' };

/** Charges something more, or less by approval: what the dues charge then is in the check after each act. */
async function correct() {
  const child = one(children);
  if (!child) return;
  const kind = one(['Debit', 'Credit', 'Write-off'] as const) ?? 'Debit';
  const due = one(
    await school.sql(`select due.id from fee_due due join fee_account account on account.id = due.account_id
    where account.student_id = ${child.id} and net > 0 order by due.id`),
  );
  const answer = await send(cashier, '/fee/adjustment', {
    ...noParts,
    studentId: child.id,
    kind,
    ...(kind === 'Debit' ? { feeHeadId: prices.heads.Annual, dueOn: today() } : { dueId: due?.id ?? 0 }),
    amount: amount(),
  });
  if (isRefused(answer)) return;
  expect(answer.status).toBe(200);
  if (kind !== 'Debit') expect((await decide('fee_adjustment_id', answer.json.id)).status).toBe(200);
}

async function refund() {
  const open = one(refunds.filter(({ status }) => status === 'Asked'));
  if (open && draw(2) === 0) {
    expect((await decide('fee_refund_id', open.id)).status).toBe(200);
    const [row] = await school.sql(`select version from fee_refund where id = ${open.id}`);
    const paid = await send(cashier, `/fee/refund/${open.id}/pay`, { version: row?.version, reference: '412345' });
    expect(paid.status).toBe(200);
    open.status = 'Paid';
    (childOf(open.child) as Child).received -= open.amount;
    return;
  }
  const advance = one(
    await school.sql(`select account.student_id as child, receipt_series_id as series, amount - held as free
    from fee_advance join fee_account account on account.id = account_id where amount > held
    order by account_id, receipt_series_id`),
  );
  if (!advance) return;
  const part = Math.min(Number(advance.free), amount());
  const answer = await send(cashier, '/fee/refund', {
    studentId: advance.child,
    receiptSeriesId: advance.series,
    amount: part,
    mode: 'Cheque',
    payee: 'A parent',
    reason: 'Paid too much',
  });
  if (isRefused(answer)) return;
  expect(answer.status).toBe(200);
  refunds.push({ id: answer.json.id, child: Number(advance.child), amount: part, status: 'Asked' });
}

/** Leaves, or comes back as if nothing had happened. */
async function leave() {
  const child = one(children);
  if (!child) return;
  const kind: EnrolmentChange['kind'] = child.kept ? 'back' : 'left';
  const on = child.kept ? today() : `${prices.year}-${['06', '09', '11'][draw(3)]}-12`;
  await school.services.db.transaction().execute(async (db) => {
    const change = {
      studentId: child.id,
      enrollmentId: child.enrollment,
      yearId: prices.place.academicYearId,
      kind,
      day: on,
    };
    const answers = await ask({ ...school.context(), db }, enrolmentHook, [
      { ...change, ...(child.kept && { kept: { fee: child.kept } }) },
    ]);
    const own = answers.find(({ by }) => by === 'fee')?.output;
    child.kept = kind === 'left' ? (own?.kept?.[child.enrollment] as object | undefined) : undefined;
  });
}

/** Publishes new prices and moves plans to them from a day on. Paid dues keep their price. */
async function reprice() {
  await school.sql(`update fee_structure set status = 'Superseded' where id = ${structureId}`);
  structureId = await prices.publish({
    tuition: 40_000 + draw(40_000),
    term: 12_000 + draw(12_000),
    replaces: structureId,
    name: `Version ${structureId}`,
  });
  const from = new Date(Date.UTC(prices.year, 3, day + draw(200))).toISOString().slice(0, 10);
  const body = { structureId, effectiveFrom: from };
  const { confirmToken } = await cashier.call(planApi.reprice, body as never);
  if (confirmToken === null) return;
  const { runId } = await cashier.call(planApi.reprice, { ...body, confirmToken } as never);
  await finishRun(school.services, planRuns, Number(runId));
  const left = await school.sql(`select status, reason from run_row where run_id = ${runId} and status <> 'Done'`);
  expect(left).toEqual([]);
}

async function applyAdvance() {
  const child = one(children);
  if (child) expect((await send(cashier, '/fee/advance/apply', { studentId: child.id })).status).toBeLessThan(500);
}

/** The next day: yesterday’s payments need a second person, and some days are closed. */
async function sleep() {
  const [drawer] = await school.sql(`select id, version from fee_day where day = '${today()}' and status = 'Open'`);
  if (drawer)
    await send(cashier, `/fee/day/${drawer.id}/close`, {
      version: drawer.version,
      counts: [],
      reason: 'Counted',
      banked: 0,
      slipNo: '',
    });
  day += 1;
  setDay();
}

/** What must hold after each act. */
async function expectWhole(what: string) {
  const [row] = await school.sql(`select
    (select count(*)::integer from fee_account account where balance <>
      coalesce((select sum(amount) from fee_ledger_entry where account_id = account.id), 0)) as "otherLedger",
    (select count(*)::integer from fee_account account where balance <>
      coalesce((select sum(net - paid) from fee_due where account_id = account.id), 0)
      - coalesce((select sum(amount) from fee_advance where account_id = account.id), 0)) as "otherDues",
    (select count(*)::integer from (select from fee_receipt group by number_series_id, number_period
      having max(number_value) <> count(*)) as gap) as gaps,
    (select count(*)::integer from fee_payment payment where amount <>
      (select sum(amount) from fee_receipt where payment_id = payment.id)) as "otherReceipts",
    (select count(*)::integer from fee_due due where paid <> coalesce((select -sum(amount) from fee_ledger_entry
      where due_id = due.id and kind in ('Receipt', 'Applied', 'Refund', 'Transfer')), 0)) as "otherPaid",
    (select count(*)::integer from fee_account account where open_from is distinct from
      (select min(due_on) from fee_due where account_id = account.id and paid < net)) as "otherOpen"`);
  const sound = { otherLedger: 0, otherDues: 0, gaps: 0, otherReceipts: 0, otherPaid: 0, otherOpen: 0 };
  expect([what, row]).toEqual([what, sound]);
  const rows =
    await school.sql(`select student_id as id, balance, (select sum(net) from fee_due where account_id = account.id)
    as charged from fee_account account where student_id is not null order by student_id`);
  // What is owed is what is charged less what the model has received.
  for (const { id, balance, charged } of rows)
    expect([what, id, Number(balance)]).toEqual([what, id, Number(charged) - (childOf(Number(id))?.received ?? 0)]);
}

test.each(seeds)(
  `B5.15 after each of ${acts} random acts the ledger, the dues and a model of the money agree, without a gap in numbers (seed %i)`,
  async (seed) => {
    state = seed;
    const possible = [
      pay,
      pay,
      pay,
      cancel,
      takeCheque,
      moveCheque,
      moveCheque,
      correct,
      refund,
      leave,
      reprice,
      applyAdvance,
      move,
      keep,
      takeUnplaced,
      place,
    ];
    const done = new Map<string, number>();
    for (let turn = 0; turn < acts; turn++) {
      const act = turn % 12 === 11 && day < 340 ? sleep : (one(possible) ?? pay);
      await act();
      done.set(act.name, (done.get(act.name) ?? 0) + 1);
      await expectWhole(`${turn} ${act.name}`);
    }
    expect(done.size).toBe(14);
    expect([...reached].toSorted()).toEqual(['keep', 'move', 'payBack', 'place', 'takeUnplaced']);
    for (const child of children.slice(0, 4)) {
      const { balance, later } = await cashier.call(accountApi.statement, { id: child.id, on: '' });
      const [row] = await school.sql(`select balance from fee_account where student_id = ${child.id}`);
      expect(balance + later.reduce((sum, line) => sum + line.amount, 0)).toBe(Number(row?.balance));
    }
    // The list finds by the kept day what the dues add up to. Payments may have covered all: two children owe more.
    for (const { id } of children.slice(0, 2)) {
      const more = { kind: 'Debit', feeHeadId: prices.heads.Annual, dueOn: today(), amount: 7_500_000 };
      const charged = await send(cashier, '/fee/adjustment', { ...noParts, studentId: id, ...more });
      expect([charged.status, charged.json]).toEqual([200, charged.json]);
    }
    const { rows } = await cashier.call(accountList.api.list, { tab: 'overdue' } as never);
    const late = await school.sql(`select account.student_id as id, min(due.due_on)::text as since
      from fee_due due join fee_account account on account.id = due.account_id
      where due.paid < due.net and due.due_on <= '${today()}' and account.student_id is not null
      group by account.student_id having sum(due.net - due.paid) > 0 order by account.student_id`);
    expect(late.length).toBeGreaterThan(0);
    expect(rows.map(({ id, since }) => ({ id, since })).toSorted((one, other) => one.id - other.id)).toEqual(late);
  },
);
