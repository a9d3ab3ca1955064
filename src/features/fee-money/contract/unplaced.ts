import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { receiptSeriesMaster } from '#features/fee-price/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, optionalMobile, rule } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { refundModes } from './correction.ts';
import { moveChanges } from './move.ts';
import { modes, paymentMessages } from './payment.ts';
import { receiptPaper } from './receipt.ts';

export const unplacedStates = options('Open', 'Waits for a decision', 'Placed', 'Paid back', 'Cancelled');

/** Money whose child is not known, one account for each sum. */
export const unplacedList = defineList({
  name: 'fee_unplaced',
  path: '/fee/unplaced',
  singular: text`unplaced sum`,
  plural: text`unplaced sums`,
  access: feeReaders,
  shows: ['fee-payment', 'fee-plan', 'approval', 'branch', 'student'],
  sort: '-day',
  columns: {
    payer: { kind: 'text', label: text`Received from` },
    amount: { kind: 'money', label: text`Amount` },
    day: { kind: 'date', label: text`Date`, isSorted: true },
    mode: {
      kind: 'oneOf',
      label: text`Mode`,
      options: options('Cash', 'UPI', 'Card', 'Bank transfer', 'Net banking', 'Cheque', 'Demand draft'),
    },
    reference: { kind: 'text', label: text`Reference` },
    note: { kind: 'text', label: text`Why` },
    age: { kind: 'number', label: text`Days` },
    receiptNo: { kind: 'text', label: text`Receipt` },
    child: { kind: 'text', label: text`Was of`, isAside: true },
    by: { kind: 'text', label: text`Collected by`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: unplacedStates, onPhone: 'end' },
  },
  filters: {
    status: { kind: 'oneOf', label: text`Status`, options: unplacedStates },
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: { open: text`To be placed`, all: text`All` },
  extra: {
    paymentId: z.number(),
    version: z.number(),
    /** What is still there. */
    left: z.number(),
    may: abilities('place'),
  },
});

export const unplacedFields = {
  amount: field.money(text`Amount (₹)`, { least: 1 }),
  mode: field.oneOf(text`Mode`, { options: modes }),
  reference: field.text(text`Reference`, { max: 60, optional: true }),
  payerName: field.text(text`Received from`, { max: 120 }),
  note: field.text(text`Why it has no child yet`, { max: 200 }),
  branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
  receiptSeriesId: field.ref(text`Receipt series`, { to: namedBy(receiptSeriesMaster) }),
};

export const unplacedRefundFields = {
  mode: field.oneOf(text`Paid by`, { options: refundModes }),
  payee: field.text(text`Paid to`, { max: 160 }),
  reason: field.text(text`Reason`, { max: 500 }),
};

const hasReference = rule<{ mode: string; reference: string }>(({ mode, reference }, say) => {
  if (mode !== undefined && mode !== 'Cash' && !/[0-9A-Z]/i.test(reference ?? ''))
    say('reference', paymentMessages.reference);
});

export const unplacedApi = {
  /** Takes money whose child is not known yet into the user’s open day. */
  take: endpoint({
    method: 'POST',
    path: '/fee/unplaced',
    access: feeWriters,
    changes: moveChanges,
    input: z.object({ ...inputOf(unplacedFields), payerMobile: optionalMobile(text`Mobile`) }).check(hasReference),
    output: z.object({ id: z.number(), paymentNo: z.string(), papers: z.array(receiptPaper) }),
  }),
  /** Asks to pay back what is left of an unplaced sum. The id is that of its account. */
  refund: endpoint({
    method: 'POST',
    path: '/fee/unplaced/:id/refund',
    access: feeWriters,
    changes: moveChanges,
    input: z.object({ id, ...inputOf(unplacedRefundFields) }),
    output: z.object({ ids: z.array(z.number()) }),
  }),
};
