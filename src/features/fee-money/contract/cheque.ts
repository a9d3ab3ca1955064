import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { requestFields } from '#features/fee-price/contract/concession.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, pick } from '#kit/contract/field.ts';
import { idAndVersion } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { isWhole, payingChildren, paymentDraft, takenAtCounter } from './payment.ts';

export const chequeKinds = options('Cheque', 'Demand draft');
export const chequeStates = options('Held', 'Received', 'Deposited', 'Cleared', 'Bounced', 'Returned');
export type ChequeState = (typeof chequeStates)[number];

/** The most cheques that are given back at once. */
export const mostGivenBack = 100;

export const chequeMessages = {
  once: text`This cheque is in the register already.`,
  old: text`This cheque is older than 3 months.`,
  later: text`A cheque of a later day is held until then, for one student: take it under Cheques.`,
  seriesLater: text`Choose a day after today: each cheque of a series is held until its day.`,
  seriesNumber: text`The numbers of a series end at 999999.`,
  heldOnly: text`Only held cheques are given back together.`,
  most: text`Give back at most ${{ most: mostGivenBack }} cheques at once.`,
  notYet: text`This cheque can’t be deposited before its date.`,
  way: text`This is not possible for a cheque that is in this state.`,
};

const shows = ['fee-cheque', 'fee-payment'] as const;
const changes = ['fee-cheque', 'fee-payment', 'fee-plan', 'fee-day'] as const;

export const chequeFields = {
  studentId: requestFields.studentId,
  kind: field.oneOf(text`Type`, { options: chequeKinds }),
  number: field.text(text`Number`, {
    max: 6,
    like: /^[0-9]{6}$/,
    message: text`Enter the six digits of the number.`,
    inputMode: 'numeric',
    width: 'short',
  }),
  bank: field.text(text`Bank`, { max: 80 }),
  datedOn: field.date(text`Dated`),
  amount: field.money(text`Amount (₹)`, { least: 1 }),
  payerName: field.text(text`Payer`, { max: 120 }),
};
/** The most cheques of a series: one a month for two years. */
const mostOfSeries = 24;

/** A series of cheques of one bank and amount with numbers one after the other, one each month. */
export const chequeSeriesFields = {
  studentId: chequeFields.studentId,
  number: chequeFields.number,
  count: field.number(text`How many`, { least: 1, most: mostOfSeries }),
  bank: chequeFields.bank,
  datedOn: field.date(text`First one dated`),
  amount: field.money(text`Amount of each (₹)`, { least: 1 }),
  payerName: chequeFields.payerName,
};

export const depositFields = { slipNo: field.text(text`Slip number`, { max: 30, optional: true }) };
export const bounceFields = {
  reason: field.text(text`Reason`, { max: 200 }),
  charge: field.money(text`Charge for the bounce (₹)`, { optional: true }),
};
export const returnFields = { reason: field.text(text`Reason`, { max: 200 }) };

export const chequeList = defineList({
  name: 'fee_cheque',
  path: '/fee/cheque',
  singular: text`cheque`,
  plural: text`cheques`,
  access: feeReaders,
  shows: [...shows, 'branch'],
  sort: 'datedOn',
  columns: {
    number: { kind: 'text', label: text`Number` },
    student: { kind: 'text', label: text`Student`, isSorted: true },
    bank: { kind: 'text', label: text`Bank`, onPhone: 'away' },
    datedOn: { kind: 'date', label: text`Dated`, isSorted: true, isLabelled: true },
    amount: { kind: 'money', label: text`Amount` },
    kind: { kind: 'oneOf', label: text`Type`, options: chequeKinds, isAside: true },
    payer: { kind: 'text', label: text`Payer`, isAside: true },
    receipts: { kind: 'text', label: text`Receipts`, isAside: true },
    receivedOn: { kind: 'date', label: text`Received on`, isAside: true },
    depositedOn: { kind: 'date', label: text`Deposited on`, isAside: true },
    slipNo: { kind: 'text', label: text`Slip number`, isAside: true },
    bounces: { kind: 'number', label: text`Bounces`, isAside: true },
    reason: { kind: 'text', label: text`Reason`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: chequeStates, onPhone: 'end' },
  },
  filters: {
    status: { kind: 'oneOf', label: text`Status`, options: chequeStates },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: {
    today: text`Deposit today`,
    held: text`Held`,
    deposited: text`Deposited`,
    bounced: text`Bounced`,
    all: text`All`,
  },
  extra: { version: z.number(), may: abilities('deposit', 'clear', 'bounce', 'giveBack') },
});

const path = '/fee/cheque/:id';
const saved = z.object({ status: z.enum(chequeStates) });

export const chequeApi = {
  /** Takes a cheque: a payment with its receipts, or held until its day. */
  take: endpoint({
    method: 'POST',
    path: '/fee/cheque',
    access: feeWriters,
    changes,
    input: z.object(inputOf(chequeFields)),
    output: z.extend(saved, { id: z.number() }),
  }),
  /** Takes cheques of later days, one each month, held until their days. */
  takeSeries: endpoint({
    method: 'POST',
    path: '/fee/cheque/series',
    access: feeWriters,
    changes: ['fee-cheque'],
    input: z.object(inputOf(chequeSeriesFields)),
    output: z.object({ ids: z.array(z.number()), total: z.number() }),
  }),
  /** Gives held cheques back, all or none: no payment, no charge. */
  giveBackMany: endpoint({
    method: 'POST',
    path: '/fee/cheque/return-many',
    access: feeWriters,
    changes: ['fee-cheque'],
    input: z.object({ selection, ...inputOf(returnFields) }),
    output: z.object({ cheques: z.number(), amount: z.number() }),
  }),
  /** Takes a cheque of today or earlier for the children of a family, as the counter takes cash. */
  takeAtCounter: endpoint({
    method: 'POST',
    path: '/fee/counter/cheque',
    access: feeWriters,
    changes,
    input: z
      .object({
        ...pick(paymentDraft, 'payerGuardianId', 'payerName', 'payerMobile', 'amount'),
        ...inputOf(pick(chequeFields, 'kind', 'number', 'bank', 'datedOn')),
        children: payingChildren,
      })
      .check(isWhole),
    output: takenAtCounter,
  }),
  /** Deposits a cheque; one that was held or bounced becomes a payment of today. */
  deposit: endpoint({
    method: 'POST',
    path: `${path}/deposit`,
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(depositFields) }),
    output: saved,
  }),
  clear: endpoint({
    method: 'POST',
    path: `${path}/clear`,
    access: feeWriters,
    changes,
    input: z.object(idAndVersion),
    output: saved,
  }),
  /** Ends the payment of a bounced cheque, and charges for it. */
  bounce: endpoint({
    method: 'POST',
    path: `${path}/bounce`,
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(bounceFields) }),
    output: saved,
  }),
  /** Gives a cheque back that is no payment. */
  giveBack: endpoint({
    method: 'POST',
    path: `${path}/return`,
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(returnFields) }),
    output: saved,
  }),
};
