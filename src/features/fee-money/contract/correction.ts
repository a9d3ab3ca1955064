import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { requestFields } from '#features/fee-price/contract/concession.ts';
import { headMaster, receiptSeriesMaster } from '#features/fee-price/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion, rule } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';

export const correctionKinds = options('Debit', 'Credit', 'Write-off', 'Waiver', 'Transfer');
export type CorrectionKind = (typeof correctionKinds)[number];
const correctionStates = options('Requested', 'Done', 'Rejected');
export const refundModes = options('Cheque', 'Bank transfer');
export const refundStates = options('Requested', 'Approved', 'Rejected', 'Withdrawn', 'Paid');

export const correctionMessages = {
  notFound: text`Choose a student from the list.`,
  due: text`Choose what it is about.`,
  head: text`Choose a fee head.`,
  day: text`Enter the due day.`,
  series: text`Choose two different receipt series.`,
  more: (amount: string) => text`At most ${{ amount }}.`,
  owed: (amount: string, due: string) => text`At most ${{ amount }}: ${{ due }} is due.`,
  held: (amount: string, held: string) =>
    text`At most ${{ amount }}: ${{ held }} of the advance is requested in another refund.`,
  uncleared: (amount: string, uncleared: string) =>
    text`At most ${{ amount }}: ${{ uncleared }} of the advance was paid by a cheque that is not cleared yet.`,
  onlyFine: text`Only a late fine is waived. Give a credit instead.`,
  noAdvance: text`The advance of this receipt series is used, or held by another refund.`,
  notApproved: text`This refund is not approved.`,
};

const shows = ['fee-payment', 'fee-plan'] as const;
const changes = ['fee-payment', 'fee-plan', 'approval', 'notification'] as const;

export const correctionFields = {
  studentId: requestFields.studentId,
  kind: field.oneOf(text`Type`, { options: correctionKinds }),
};
export const correctionParts = {
  dueId: field.number(text`About`, { least: 1, most: 2_147_483_647, optional: true }),
  feeHeadId: field.ref(text`Fee head`, { to: namedBy(headMaster), optional: true }),
  dueOn: field.date(text`Due day`, { optional: true }),
  fromSeriesId: field.ref(text`From the advance of`, { to: namedBy(receiptSeriesMaster), optional: true }),
  toSeriesId: field.ref(text`To the advance of`, { to: namedBy(receiptSeriesMaster), optional: true }),
  amount: field.money(text`Amount (₹)`, { least: 1 }),
  reason: field.text(text`Reason`, { max: 500 }),
};

interface Parts {
  kind: CorrectionKind;
  dueId: number | null;
  feeHeadId: number | null;
  dueOn: string;
  fromSeriesId: number | null;
  toSeriesId: number | null;
}
const complete = rule<Parts>(({ kind, dueId, feeHeadId, dueOn, fromSeriesId, toSeriesId }, say) => {
  if (kind === 'Debit') {
    if (!feeHeadId) say('feeHeadId', correctionMessages.head);
    if (!dueOn) say('dueOn', correctionMessages.day);
  } else if (kind === 'Transfer') {
    if (!fromSeriesId || !toSeriesId || fromSeriesId === toSeriesId) say('toSeriesId', correctionMessages.series);
  } else if (!dueId) say('dueId', correctionMessages.due);
});

export const correctionList = defineList({
  name: 'fee_adjustment',
  path: '/fee/adjustment',
  singular: text`correction`,
  plural: text`corrections`,
  access: feeReaders,
  shows: [...shows, 'approval', 'branch'],
  sort: '-askedOn',
  columns: {
    student: { kind: 'text', label: text`Student`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR` },
    kind: { kind: 'oneOf', label: text`Type`, options: correctionKinds },
    about: { kind: 'text', label: text`About` },
    amount: { kind: 'money', label: text`Amount` },
    reason: { kind: 'text', label: text`Reason` },
    askedOn: { kind: 'date', label: text`Asked on`, isSorted: true, isLabelled: true },
    askedBy: { kind: 'text', label: text`Asked by`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: correctionStates, onPhone: 'end' },
  },
  filters: {
    kind: { kind: 'oneOf', label: text`Type`, options: correctionKinds },
    status: { kind: 'oneOf', label: text`Status`, options: correctionStates },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: { all: text`All`, waiting: text`Waiting` },
  extra: { studentId: z.number() },
});

export const refundFields = {
  studentId: requestFields.studentId,
  receiptSeriesId: field.ref(text`From the advance of`, { to: namedBy(receiptSeriesMaster) }),
  amount: field.money(text`Amount (₹)`, { least: 1 }),
  mode: field.oneOf(text`Paid by`, { options: refundModes }),
  payee: field.text(text`Paid to`, { max: 160 }),
  reason: field.text(text`Reason`, { max: 500 }),
};
export const payRefundFields = {
  reference: field.text(text`Cheque number or reference`, { max: 60 }),
};

export const refundList = defineList({
  name: 'fee_refund',
  path: '/fee/refund',
  singular: text`refund`,
  plural: text`refunds`,
  access: feeReaders,
  shows: [...shows, 'approval', 'branch'],
  sort: '-askedOn',
  columns: {
    student: { kind: 'text', label: text`Student`, isSorted: true },
    grNo: { kind: 'text', label: text`GR number`, head: text`GR` },
    refundNo: { kind: 'text', label: text`Voucher` },
    series: { kind: 'text', label: text`Receipt series` },
    amount: { kind: 'money', label: text`Amount` },
    mode: { kind: 'oneOf', label: text`Paid by`, options: refundModes },
    payee: { kind: 'text', label: text`Paid to`, isAside: true },
    reason: { kind: 'text', label: text`Reason` },
    askedOn: { kind: 'date', label: text`Asked on`, isSorted: true, isLabelled: true },
    paidOn: { kind: 'date', label: text`Paid on`, isLabelled: true },
    reference: { kind: 'text', label: text`Reference`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: refundStates, onPhone: 'end' },
  },
  filters: {
    status: { kind: 'oneOf', label: text`Status`, options: refundStates },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: { open: text`To be paid`, all: text`All` },
  extra: { version: z.number(), may: abilities('pay') },
});

export const correctionApi = {
  /** What of a student can be corrected: dues that are charged, and advance by receipt series. */
  open: endpoint({
    method: 'GET',
    path: '/fee/adjustment/open',
    access: feeWriters,
    shows,
    input: z.object({ studentId: id }),
    output: z.object({
      dues: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          kind: z.string(),
          dueOn: z.string(),
          net: z.number(),
          paid: z.number(),
        }),
      ),
      advances: z.array(z.object({ seriesId: z.number(), series: z.string(), amount: z.number(), held: z.number() })),
    }),
  }),
  /** Charges a debit at once; asks a second person for everything else. */
  correct: endpoint({
    method: 'POST',
    path: '/fee/adjustment',
    access: feeWriters,
    changes,
    input: z.object({ ...inputOf(correctionFields), ...inputOf(correctionParts) }).check(complete),
    output: z.object({ id: z.number(), status: z.enum(correctionStates) }),
  }),
};

export const refundApi = {
  /** Asks to pay advance back; the amount is held from now on. */
  ask: endpoint({
    method: 'POST',
    path: '/fee/refund',
    access: feeWriters,
    changes,
    input: z.object(inputOf(refundFields)),
    output: z.object({ id: z.number() }),
  }),
  /** Notes that an approved refund was paid today, and numbers its voucher. */
  pay: endpoint({
    method: 'POST',
    path: '/fee/refund/:id/pay',
    access: feeWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(payRefundFields) }),
    output: z.object({ refundNo: z.string() }),
  }),
};
