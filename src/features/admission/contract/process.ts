import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  chosenId,
  freeText,
  id,
  idAndVersion,
  oneOf,
  optionalFreeText,
  optionalOneOf,
  rule,
} from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { startedRun } from './inquiry.ts';
import { decisionKinds } from './process-list.ts';
import { quotas } from './record.ts';
import { admissionHeads, processReaders, seatRow } from './seat.ts';
import { slotKinds, slotReaders } from './slot.ts';

const path = '/process';
const processShows = ['process', 'inquiry', 'seat'];
const changes = ['process', 'inquiry', 'seat'];
const accountants = [staff('accountant')] as const;
const offices = [staff('office', 'admissionHead')] as const;

export const paymentModes = options('Cash', 'UPI', 'Card', 'Transfer', 'Cheque', 'DD');

export const releaseHours = options(
  '08:00',
  '09:00',
  '10:00',
  '11:00',
  '12:00',
  '13:00',
  '14:00',
  '15:00',
  '16:00',
  '17:00',
  '18:00',
  '19:00',
);

export const processMessages = {
  full: text`No seat is free.`,
  referenceUsed: text`This reference was used for another payment. Check it.`,
  cash: text`₹2,00,000 or more can’t be taken in cash (Income-tax Act, section 269ST).`,
  paidOnce: text`The admission fee of this child is paid.`,
  noFee: text`This seat has no admission fee. Confirm it with “Family accepts”.`,
  hasFee: text`This seat has an admission fee. Record the payment.`,
};

export const decision = z.object({
  id: z.number(),
  kind: z.enum(decisionKinds),
  quota: z.string(),
  conditions: z.string(),
  reason: z.string(),
  remark: z.string(),
  offerUntil: z.string(),
  by: z.string(),
  at: z.string(),
  /** ''  while it is held, and for a cancelled one. */
  releasedAt: z.string(),
  isCancelled: z.boolean(),
});

const interaction = z.object({
  id: z.number(),
  kind: z.enum(slotKinds),
  startsAt: z.string(),
  endsAt: z.string(),
  place: z.string(),
  status: z.string(),
  assessors: z.array(z.string()),
  /** Those of other assessors are absent until the reader’s own is stored; heads and principals read all. */
  outcomes: z.array(
    z.object({
      by: z.string(),
      recommendation: z.string(),
      score: z.nullable(z.number()),
      ofScore: z.nullable(z.number()),
      note: z.string(),
    }),
  ),
  /** The outcomes that are absent. */
  hidden: z.number(),
  may: abilities('attend', 'write', 'cancel'),
  /** The reader’s own outcome, to change it. */
  own: z.nullable(
    z.object({
      recommendation: z.string(),
      score: z.nullable(z.number()),
      ofScore: z.nullable(z.number()),
      note: z.string(),
    }),
  ),
});

export const shownPayment = z.object({
  id: z.number(),
  slipNo: z.string(),
  /** Empty of a payment that was recorded before there were receipts. */
  receipts: z.array(z.object({ id: z.number(), receiptNo: z.string() })),
  amount: z.number(),
  mode: z.enum(paymentModes),
  reference: z.string(),
  paidOn: z.string(),
  takenBy: z.string(),
  isReversed: z.boolean(),
  reverseReason: z.string(),
});

/** What comes next: `meet`, `waiting` and `unplanned` wait for a day, a free seat and a seat plan. */
const nextActs = [
  ...(['plan', 'meet', 'attend', 'result', 'decide', 'waitlist', 'waiting', 'unplanned'] as const),
  ...(['release', 'pay', 'accept', 'admit', 'none'] as const),
] as const;

const record = z.object({
  id: z.number(),
  version: z.number(),
  may: abilities(
    'plan',
    'decide',
    'note',
    'printForm',
    'undo',
    'release',
    'move',
    'extend',
    'notNeeded',
    'pay',
    'accept',
    'askWaiver',
    'readHistory',
    'readLetter',
    'reverse',
    'reject',
    'withdraw',
    'reopen',
    'readForm',
  ),
  next: z.enum(nextActs),
  inquiryNo: z.string(),
  child: z.string(),
  grade: z.string(),
  program: z.string(),
  academicYear: z.string(),
  branch: z.string(),
  /** Null for an assessor, who reads the child and the interactions alone. */
  quota: z.nullable(z.enum(quotas)),
  state: z.enum(inquiryStates),
  age: z.nullable(z.object({ words: anyText, isOutside: z.boolean() })),
  receivedOn: z.string(),
  verifiedOn: z.string(),
  papers: z.object({
    all: z.number(),
    verified: z.number(),
    /** Papers that the family may bring later. */
    missing: z.array(z.object({ name: z.string(), dueOn: z.string() })),
  }),
  family: z.array(z.object({ relation: z.enum(['Father', 'Mother']), name: z.string(), mobile: z.string() })),
  /** The last calls and visits, newest first. */
  notes: z.array(z.object({ id: z.number(), on: z.string(), note: z.string() })),
  sibling: z.string(),
  /** The row of its seat, or the one that is proposed; null where no seats are planned. */
  seat: z.nullable(seatRow),
  hasSeat: z.boolean(),
  /** Rows of the year that it can move to. */
  otherSeats: z.array(z.object({ id: z.number(), name: z.string(), free: z.number() })),
  rank: z.nullable(z.number()),
  offerExpiresOn: z.string(),
  interactionWaivedReason: z.string(),
  endedReason: z.string(),
  interactions: z.array(interaction),
  /** Newest first. */
  decisions: z.array(decision),
  payments: z.array(shownPayment),
  /** The amount that confirms the seat, in paise. */
  due: z.number(),
  /** The last request to waive the fee. */
  waiver: z.nullable(z.object({ status: z.string(), reason: z.string(), by: z.string() })),
  student: z.nullable(z.object({ id: z.number(), grNo: z.string() })),
});
export type ProcessRecord = z.infer<typeof record>;

const done = z.object({});
export const notOfferedReasons = lookupsAt('/process/not-offered-reason', admissionHeads, 'Reason not offered');
export const withdrawnReasons = lookupsAt('/process/withdrawn-reason', offices, 'Reason withdrawn');
const reasonFields = { reasonId: neededId(text`Reason`), note: optionalFreeText(text`Note`, 300) };
const reason = freeText(text`Reason`, 300);

/** What the head decides about one child or many. */
const decisionFields = {
  kind: oneOf(text`Decision`, decisionKinds),
  seatQuota: optionalOneOf(text`Seat from quota`, quotas),
  conditions: optionalFreeText(text`Conditions`, 1000),
  offerUntil: calendarDay(text`Last day to answer`, true),
  reasonId: chosenId(text`Reason`),
  note: optionalFreeText(text`Note`, 300),
};

export const processApi = {
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/record`,
    opens: 'inquiry',
    access: slotReaders,
    shows: [...processShows, 'slot', 'approval'],
    input: z.object({ id }),
    output: record,
  }),
  history: historyOf(path, processReaders, processShows, 'inquiry'),
  notOfferedReasons: notOfferedReasons.options,
  withdrawnReasons: withdrawnReasons.options,
  /** Decides about the selected applications. The decision is held until it is released. */
  decide: endpoint({
    method: 'POST',
    path: `${path}/decide`,
    access: admissionHeads,
    changes,
    input: z.object({ ...decisionFields, selection, confirmToken }).check(
      rule<{ kind: string; reasonId: number | null }>(({ kind, reasonId }, say) => {
        if (kind === 'Reject' && reasonId === null) say('reasonId', text`Choose a reason.`);
      }),
    ),
    /** With what families are offered or wait for, by row of the seat plan. */
    output: z.extend(bulkAnswer, {
      seats: z.array(
        z.object({
          id: z.number(),
          quota: z.enum(quotas),
          count: z.number(),
          /** The seats that are free then. */
          free: z.number(),
          fee: z.number(),
          offerDays: z.number(),
        }),
      ),
    }),
  }),
  /** Cancels held decisions. */
  undo: endpoint({
    method: 'POST',
    path: `${path}/decide/undo`,
    access: admissionHeads,
    changes,
    input: z.object({ selection, confirmToken }),
    output: bulkAnswer,
  }),
  /** Releases the held decisions of a selection to the families, as a run: in a moment, or on a day from an hour on. */
  release: endpoint({
    method: 'POST',
    path: `${path}/release`,
    access: admissionHeads,
    changes,
    input: z.object({
      selection,
      day: calendarDay(text`Release on`, true),
      hour: optionalOneOf(text`At`, releaseHours),
      confirmToken,
    }),
    /** With the number of each kind and the letter of its first child, while nothing is released yet. */
    output: z.extend(startedRun, {
      letters: z.array(
        z.object({
          kind: z.enum(decisionKinds),
          count: z.number(),
          child: z.string(),
          subject: z.string(),
          body: z.string(),
        }),
      ),
    }),
  }),
  /** The releases that have not begun. */
  releases: endpoint({
    method: 'GET',
    path: `${path}/release`,
    access: admissionHeads,
    shows: processShows,
    input: z.object({}),
    output: z.array(z.object({ id: z.number(), by: z.string(), beginsAt: z.string(), total: z.number() })),
  }),
  /** Stops a release that has not begun; its decisions remain held. */
  stopRelease: endpoint({
    method: 'POST',
    path: `${path}/release/:id/stop`,
    access: admissionHeads,
    changes,
    input: z.object({ id }),
    output: done,
  }),
  /** Moves the application to another row of the seat plan, with its held decision, offer or place. */
  move: endpoint({
    method: 'POST',
    path: `${path}/:id/move`,
    access: admissionHeads,
    changes,
    input: z.object({
      ...idAndVersion,
      seatId: neededId(text`Seat row`),
      ageReason: optionalFreeText(text`Reason for this age`, 300),
    }),
    output: done,
  }),
  /** Gives the family more days to answer. */
  extend: endpoint({
    method: 'POST',
    path: `${path}/:id/extend`,
    access: admissionHeads,
    changes,
    input: z.object({ ...idAndVersion, until: calendarDay(text`New last day`) }),
    output: done,
  }),
  /** Lets an offer pass without an interaction. */
  notNeeded: endpoint({
    method: 'POST',
    path: `${path}/:id/not-needed`,
    access: admissionHeads,
    changes,
    input: z.object({ ...idAndVersion, reason }),
    output: done,
  }),
  reject: endpoint({
    method: 'POST',
    path: `${path}/:id/reject`,
    access: admissionHeads,
    changes,
    input: z.object({ ...idAndVersion, ...reasonFields }),
    output: done,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: `${path}/:id/withdraw`,
    access: offices,
    changes,
    input: z.object({ ...idAndVersion, ...reasonFields }),
    output: done,
  }),
  reopen: endpoint({
    method: 'POST',
    path: `${path}/:id/reopen`,
    access: admissionHeads,
    changes,
    input: z.object({ ...idAndVersion, reason }),
    output: done,
  }),
  /** Records the admission fee, which confirms the seat. */
  pay: endpoint({
    method: 'POST',
    path: `${path}/:id/payment`,
    access: accountants,
    opens: 'inquiry',
    changes: [...changes, 'fee-payment'],
    input: z
      .object({
        ...idAndVersion,
        mode: oneOf(text`Mode`, paymentModes),
        reference: optionalFreeText(text`Reference`, 60),
        paidOn: calendarDay(text`Paid on`),
      })
      .check(
        rule<{ mode: string; reference: string }>(({ mode, reference }, say) => {
          if (mode && mode !== 'Cash' && reference === '') say('reference', text`Enter the reference of the payment.`);
        }),
      ),
    output: z.object({ slipNo: z.string() }),
  }),
  reversePayment: endpoint({
    method: 'POST',
    path: `${path}/:id/payment/reverse`,
    access: accountants,
    changes: [...changes, 'fee-payment', 'approval'],
    input: z.object({ ...idAndVersion, reason }),
    /** A second person decides on a payment of an earlier day, or of another cashier. */
    output: z.object({ isAsked: z.boolean() }),
  }),
  /** Asks a second person to waive the admission fee of an open offer, which does not end while it waits. */
  askWaiver: endpoint({
    method: 'POST',
    path: `${path}/:id/waiver`,
    access: admissionHeads,
    changes: [...changes, 'approval', 'notification'],
    input: z.object({ ...idAndVersion, reason }),
    output: done,
  }),
  /** The family takes a seat without an admission fee. */
  accept: endpoint({
    method: 'POST',
    path: `${path}/:id/accept`,
    access: offices,
    changes,
    input: z.object(idAndVersion),
    output: done,
  }),
};
