import { advanceApi } from '#features/fee-money/contract/advance.ts';
import { chequeApi } from '#features/fee-money/contract/cheque.ts';
import { correctionApi, refundApi } from '#features/fee-money/contract/correction.ts';
import { dayApi } from '#features/fee-money/contract/day.ts';
import { addDays } from '#kit/server/day.ts';
import type { Random } from '#kit/server/random.ts';
import { type Act, ask, childOn, confirm, post, said } from './acting.ts';
import type { YearSchool } from './school.ts';

/** A row by chance, or nothing. */
export async function drawRow<Row>(
  { school }: Pick<YearSchool, 'school'>,
  random: Random,
  query: string,
): Promise<Row | undefined> {
  const rows = await school.sql(`${query} order by id`);
  return rows.length > 0 ? (random.oneOf(rows) as Row) : undefined;
}

/** A cheque of today, or of a day within the next month, which is held until then. */
const takeCheque: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const sent = await post(world.people.accountant, chequeApi.take.path, {
    studentId: child.id,
    kind: 'Cheque',
    number: String(100_000 + random.upTo(899_999)),
    bank: 'State Bank',
    datedOn: addDays(day, random.isOnceIn(2) ? 0 : random.upTo(30)),
    amount: 100 * (1 + random.upTo(20_000)),
    payerName: 'A parent',
  });
  return said(sent, [child.id]);
};

interface Cheque {
  id: number;
  version: number;
  status: string;
  student: number;
}

/** The next step of a cheque: to the bank, cleared, or bounced with a charge. */
const moveCheque: Act['act'] = async (world, random, day) => {
  const cheque = await drawRow<Cheque>(
    world,
    random,
    `select id, version, status, student_id as student from fee_cheque
      where status in ('Held', 'Received', 'Deposited', 'Bounced') and dated_on <= '${day}'`,
  );
  if (!cheque) return undefined;
  const { id, version, status, student } = cheque;
  const at = (word: string, body: object) =>
    post(world.people.accountant, `/fee/cheque/${id}/${word}`, { version, ...body });
  if (status === 'Bounced' && random.isOnceIn(2))
    return said(await at('return', { reason: 'The family pays in cash' }), [student]);
  if (status !== 'Deposited') return said(await at('deposit', { slipNo: '' }), [student]);
  const sent = random.isOnceIn(4)
    ? await at('bounce', { reason: 'Insufficient funds', charge: 30_000 })
    : await at('clear', {});
  return said(sent, [student]);
};

/** The accountant asks for a credit on a due, or charges something at once. */
const correct: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const { accountant } = world.people;
  const open = await ask(accountant, { url: `/api${correctionApi.open.path}?studentId=${child.id}` });
  const dues: { id: number; net: number; paid: number }[] = open.json?.dues ?? [];
  const due = dues.find(({ net, paid }) => net - paid >= 100);
  const isDebit = random.isOnceIn(3) || !due;
  const sent = await post(accountant, correctionApi.correct.path, {
    studentId: child.id,
    kind: isDebit ? 'Debit' : 'Credit',
    dueId: isDebit ? null : due.id,
    feeHeadId: isDebit ? world.prices.heads.Annual : null,
    dueOn: isDebit ? day : '',
    fromSeriesId: null,
    toSeriesId: null,
    amount: isDebit ? 25_000 : Math.min(due.net - due.paid, 100 * (1 + random.upTo(900))),
    reason: 'Agreed with the family',
  });
  return said(sent, [child.id]);
};

/** The accountant asks for a refund of advance. */
const askRefund: Act['act'] = async (world, random) => {
  const held = await drawRow<{ id: number; series: number; free: string }>(
    world,
    random,
    `select account.student_id as id, receipt_series_id as series, amount - held as free
      from fee_advance advance join fee_account account on account.id = account_id
      where amount - held >= 100 and student_id is not null`,
  );
  if (!held) return undefined;
  const sent = await post(world.people.accountant, refundApi.ask.path, {
    studentId: held.id,
    receiptSeriesId: held.series,
    amount: Math.min(Number(held.free), 100 * (1 + random.upTo(5000))),
    mode: 'Bank transfer',
    payee: 'A parent',
    reason: 'Paid too much',
  });
  return said(sent, [held.id]);
};

/** The accountant pays a refund that was approved. */
const payRefund: Act['act'] = async (world, random) => {
  const refund = await drawRow<{ id: number; version: number; student: number }>(
    world,
    random,
    `select refund.id, refund.version, student_id as student from fee_refund refund
      join fee_account account on account.id = account_id where status = 'Approved'`,
  );
  if (!refund) return undefined;
  const { id, version, student } = refund;
  return said(await post(world.people.accountant, `/fee/refund/${id}/pay`, { version, reference: `T${id}` }), [
    student,
  ]);
};

/** Advance pays what is due, for all. */
const applyAdvance: Act['act'] = async ({ people }) =>
  said(await confirm(people.accountant, advanceApi.applyAll.path, {}), []);

/** Late fines of all. */
const postFines: Act['act'] = async ({ people }) =>
  said(await confirm(people.accountant, advanceApi.postFines.path, {}), []);

/** The cashier counts the drawer, where one day in five a note is missing, and closes the day. */
export const closeDay: Act['act'] = async ({ people }, random, day) => {
  const { accountant } = people;
  const { json } = await ask(accountant, { url: `/api${dayApi.read.path}?day=${day}&staffId=&shift=` });
  if (!json?.id || json.isClosed) return undefined;
  const cash = Math.round(json.expected / 100) - (random.isOnceIn(5) && json.expected >= 1000 ? 10 : 0);
  const sent = await post(accountant, `/fee/day/${json.id}/close`, {
    version: json.version,
    counts: [
      { note: 500, pieces: Math.floor(cash / 500) },
      { note: 1, pieces: cash % 500 },
    ],
    reason: 'Counted twice',
    banked: 0,
    slipNo: '',
  });
  return said(sent, []);
};

/** Whoever may decide on the oldest request that waits does so; one in five is rejected. */
const decide: Act['act'] = async (world, random) => {
  const [request] = await world.school.sql(
    `select id, student_id as student from approval where status = 'Pending' order by id limit 1`,
  );
  if (!request) return undefined;
  const { principal } = world.people;
  const { status, json, tries } = await ask(principal, { url: `/api/approval/${request.id}` });
  const students = request.student ? [Number(request.student)] : [];
  if (status !== 200) return said({ status, json, tries }, students);
  const isRejected = random.isOnceIn(5);
  const sent = await post(principal, `/approval/${request.id}/decide`, {
    version: json.version,
    seen: json.seen,
    outcome: isRejected ? 'Rejected' : 'Approved',
    remark: isRejected ? 'Ask again with the letter' : '',
  });
  return said(sent, students);
};

export const moneyActs: readonly Act[] = [
  { name: 'a cheque taken', weight: 2, act: takeCheque },
  { name: 'a cheque moved on', weight: 3, act: moveCheque },
  { name: 'a correction asked', weight: 2, act: correct },
  { name: 'a refund asked', weight: 1, act: askRefund },
  { name: 'a refund paid', weight: 1, act: payRefund },
  { name: 'advance applied', weight: 1, act: applyAdvance },
  { name: 'late fines posted', weight: 1, act: postFines },
  { name: 'a request decided', weight: 8, act: decide },
];
