import { randomUUID } from 'node:crypto';
import { correctionApi } from '#features/fee-money/contract/correction.ts';
import { followUpApi } from '#features/fee-money/contract/follow-up.ts';
import { unplacedApi } from '#features/fee-money/contract/unplaced.ts';
import { addDays } from '#kit/server/day.ts';
import { type Act, ask, childOn, confirm, post, said } from './acting.ts';
import { drawRow } from './money.ts';

const usual = { dueId: null, feeHeadId: null, dueOn: '', fromSeriesId: null, toSeriesId: null };

/** The accountant charges a lost book by hand. */
const charge: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const sent = await post(world.people.accountant, correctionApi.correct.path, {
    ...{ ...usual, studentId: child.id, kind: 'Debit', feeHeadId: world.prices.heads.Annual },
    ...{ dueOn: addDays(day, random.upTo(20)), amount: 100 * (1 + random.upTo(300)), reason: 'A lost book' },
  });
  return said(sent, [child.id]);
};

/** The accountant asks to waive a late fine, or to write off what a child owes for long. */
const forgive: Act['act'] = async (world, random, day) => {
  const due = await drawRow<{ id: number; student: number; owed: string; kind: string }>(
    world,
    random,
    `select due.id, student_id as student, net - paid as owed, kind from fee_due due
      join fee_account account on account.id = account_id
      where net - paid >= 100 and student_id is not null and (kind = 'Fine' or due_on < '${addDays(day, -120)}')`,
  );
  if (!due) return undefined;
  const sent = await post(world.people.accountant, correctionApi.correct.path, {
    ...{ ...usual, studentId: due.student, kind: due.kind === 'Fine' ? 'Waiver' : 'Write-off', dueId: due.id },
    ...{ amount: Number(due.owed), reason: 'The family was in hospital' },
  });
  return said(sent, [due.student]);
};

/** Money comes to the bank, and nobody knows for which child. */
const takeUnplaced: Act['act'] = async ({ people, prices, school }, random) => {
  const [series] = await school.sql('select min(id) as id from fee_receipt_series');
  const sent = await post(people.accountant, unplacedApi.take.path, {
    ...{ amount: 100 * (1 + random.upTo(9000)), mode: 'UPI', reference: `UTR${randomUUID().slice(0, 8)}` },
    ...{ payerName: 'Patel Textiles', payerMobile: '', note: 'No name', branchId: prices.place.branchId },
    receiptSeriesId: series?.id,
  });
  return said(sent, []);
};

/** The accountant finds out whose money it was. */
const place: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const { accountant } = world.people;
  const listed = await ask(accountant, { url: '/api/fee/unplaced?tab=open' });
  const sum = listed.json?.rows?.find(({ status }: { status: string }) => status === 'Open');
  if (!child || !sum) return undefined;
  const sent = await post(accountant, `/fee/unplaced/${sum.id}/place`, {
    ...{ version: sum.version, reason: 'The father called' },
    children: [{ studentId: child.id, amount: sum.left }],
  });
  return said(sent, [child.id]);
};

/** A payment was taken for another child than it was meant for. */
const movePayment: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const payment = await drawRow<{ id: number; student: number }>(
    world,
    random,
    `select payment.id, min(account.student_id) as student from fee_payment payment
      join fee_receipt on payment_id = payment.id join fee_account account on account.id = account_id
      where ended_as is null and mode = 'UPI' and paid_on > '${addDays(day, -4)}' and student_id is not null
      group by payment.id`,
  );
  if (!child || !payment) return undefined;
  const { accountant } = world.people;
  const shown = await ask(accountant, { url: `/api/fee/payment/${payment.id}` });
  if (shown.status !== 200) return said(shown, []);
  const { version, amount } = shown.json;
  const body = { version, children: [{ studentId: child.id, amount }], reason: 'Taken for the wrong child' };
  return said(await post(accountant, `/fee/payment/${payment.id}/move`, body), [payment.student, child.id]);
};

/** The accountant calls a family that owes. */
const call: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const body = { note: 'Will pay after the festival', promisedOn: addDays(day, 1 + random.upTo(14)) };
  return said(await post(world.people.accountant, `/fee/student/${child.id}/follow-up`, body), [child.id]);
};

/** The accountant reminds the families of three children. */
const remind: Act['act'] = async (world, random, day) => {
  const children = [await childOn(world, random, day), await childOn(world, random, day)].flatMap((one) => one ?? []);
  const ids = [...new Set(children.map(({ id }) => id))];
  if (ids.length === 0) return undefined;
  const selection = { ids, isAll: false, query: {} };
  return said(await confirm(world.people.accountant, followUpApi.remind.path, { selection }), ids);
};

/** A credit of more than is owed. */
const creditTooMuch: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const [due] =
    await world.school.sql(`select due.id from fee_due due join fee_account account on account.id = account_id
    where student_id = ${child?.id ?? 0} order by due.id limit 1`);
  if (!child || !due) return undefined;
  const sent = await post(world.people.accountant, correctionApi.correct.path, {
    ...{ ...usual, studentId: child.id, kind: 'Credit', dueId: due.id, amount: 99_999_999_900, reason: 'Typed wrong' },
  });
  return said(sent, [child.id]);
};

export const handActs: readonly Act[] = [
  { name: 'a charge by hand', weight: 2, act: charge },
  { name: 'a fine or old due forgiven', weight: 2, act: forgive },
  { name: 'money without a child', weight: 1, act: takeUnplaced },
  { name: 'unplaced money placed', weight: 1, act: place },
  { name: 'a payment moved to another child', weight: 1, act: movePayment },
  { name: 'a call about fees', weight: 1, act: call },
  { name: 'a reminder of fees', weight: 1, act: remind },
  { name: 'a credit of more than is owed', weight: 1, isWrong: true, act: creditTooMuch },
];
