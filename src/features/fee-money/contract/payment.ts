import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  freeText,
  id,
  idAndVersion,
  oneOf,
  optionalFreeText,
  optionalId,
  optionalMobile,
  rule,
} from '#kit/contract/fields.ts';
import { money, mostMoney, showMoney } from '#kit/contract/money.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { whereMoney } from './move.ts';
import { receiptPaper } from './receipt.ts';

/** How a counter takes money, besides cheques and demand drafts. */
export const modes = options('Cash', 'UPI', 'Card', 'Bank transfer', 'Net banking');
export type Mode = (typeof modes)[number];

/** One family or mobile number pays less than this in cash a day. */
export const cashLimit = 20_000_000;
const mostChildren = 12;

export const paymentMessages = {
  reference: text`Enter the reference of the payment.`,
  otherTotal: text`The parts total more than the amount.`,
  letters: text`Enter the reference in letters of A to Z and digits.`,
  twice: text`Name each child and each of its dues once.`,
  future: text`Choose today or an earlier day.`,
  backReason: text`Enter why the payment is dated back.`,
};

const payable = z.object({
  key: z.string(),
  /** Null for a fine that is not posted yet. */
  dueId: z.nullable(z.number()),
  isFine: z.boolean(),
  head: z.string(),
  label: z.string(),
  dueOn: z.string(),
  priority: z.number(),
  receiptSeriesId: z.number(),
  net: z.number(),
  paid: z.number(),
  /** What is left to pay. */
  owed: z.number(),
  /** Of a fine: the days that count, and the most it can come to. */
  days: z.number(),
  mostFine: z.nullable(z.number()),
  isDue: z.boolean(),
});
export type PayableLine = z.infer<typeof payable>;

/** A child who left, or is still to come, is listed with its day. */
const presence = { leftOn: z.string(), joinsOn: z.string() };

const payingChild = z.object({
  studentId: z.number(),
  version: z.number(),
  name: z.string(),
  grNo: z.string(),
  place: z.string(),
  ...presence,
  /** The child is in a branch that the user does not reach: shown by name only. */
  isElsewhere: z.boolean(),
  lines: z.array(payable),
  advance: z.number(),
  /** The latest receipt that these lines count; 0 for none. */
  lastReceiptId: z.number(),
  /** Fees of the current year, and what is paid of them. */
  net: z.number(),
  paid: z.number(),
});
export type PayingChild = z.infer<typeof payingChild>;

const payer = z.object({
  guardianId: z.number(),
  name: z.string(),
  relation: z.string(),
  mobile: z.string(),
  isPrimary: z.boolean(),
});

const takenPayment = z.object({
  id: z.number(),
  paymentNo: z.string(),
  at: z.iso.datetime(),
  names: z.string(),
  children: z.number(),
  mode: z.string(),
  amount: z.number(),
  endedAs: z.string(),
  version: z.number(),
});
export type TakenPayment = z.infer<typeof takenPayment>;

const foundFamily = z.object({
  key: z.string(),
  /** The adult whose children these are; null of a child without one. */
  guardianId: z.nullable(z.number()),
  children: z.array(
    z.object({ studentId: z.number(), name: z.string(), grNo: z.string(), place: z.string(), ...presence }),
  ),
  payer: z.string(),
  mobile: z.string(),
  /** Due today without late fines, and these. */
  due: z.number(),
  fine: z.number(),
});
export type FoundFamily = z.infer<typeof foundFamily>;

/** The fields of the form at the counter. */
export const paymentDraft = {
  payerGuardianId: optionalId,
  payerName: optionalFreeText(text`Payer`, 120),
  payerMobile: optionalMobile(text`Mobile`),
  mode: oneOf(text`Mode`, modes),
  amount: money(text`Amount (₹)`, { least: 1, most: mostMoney }),
  reference: optionalFreeText(text`Reference`, 60, { isCode: true }),
  paidOn: calendarDay(text`Date`),
  backReason: optionalFreeText(text`Reason for the earlier date`, 200),
  remark: optionalFreeText(text`Remark`, 200),
};
/** What each child of the family pays. */
export const payingChildren = z
  .array(
    z.object({
      studentId: id,
      version: id,
      /** As it was read: a later receipt is named where the dues have changed since. */
      lastReceiptId: z.optional(z.int().check(z.gte(0), z.lte(2_147_483_647))),
      lines: z
        .array(z.object({ key: z.string().check(z.maxLength(60)), amount: money(text`Pays now (₹)`, { least: 1 }) }))
        .check(z.maxLength(200)),
    }),
  )
  .check(z.minLength(1), z.maxLength(mostChildren));

interface Drafted {
  payerGuardianId: number | null;
  payerName: string;
  amount: number | null;
  children: readonly { studentId: number; lines: readonly { key: string; amount: number | null }[] }[];
}
/** A payment has a payer, names each line once, and its parts come to no more than its amount. */
export const isWhole = rule<Drafted>(({ payerGuardianId, payerName, amount, children = [] }, say) => {
  if (payerGuardianId === null && payerName === '') say('payerName', text`Payer is required.`);
  const lines = children.flatMap((child) => child?.lines ?? []);
  const parts = lines.reduce((sum, line) => sum + (line?.amount ?? 0), 0);
  const isOnce = (keys: readonly unknown[]) => new Set(keys).size === keys.length;
  if (!isOnce(lines.map((line) => line?.key)) || !isOnce(children.map((child) => child?.studentId)))
    say('children', paymentMessages.twice);
  if (typeof amount === 'number' && parts > amount) say('amount', paymentMessages.otherTotal);
});
const hasReference = rule<{ mode: string; reference: string }>(({ mode, reference }, say) => {
  // Two references without a letter of A to Z or a digit would count as the same.
  if (mode !== undefined && mode !== 'Cash' && reference !== undefined && !/[0-9A-Z]/i.test(reference))
    say('reference', paymentMessages.reference);
});

const changes = ['fee-payment', 'fee-plan', 'approval'] as const;
const shows = ['fee-payment', 'fee-plan', 'approval', 'student'] as const;
const papers = z.object({ papers: z.array(receiptPaper) });
/** What the counter took: its receipts, and what of it is advance, in paise. */
export const takenAtCounter = z.object({
  id: z.number(),
  paymentNo: z.string(),
  advance: z.number(),
  papers: z.array(receiptPaper),
});

export const paymentApi = {
  /** Adults with their children by the name of a child or adult, a GR number, a mobile number or a receipt number. */
  find: endpoint({
    method: 'GET',
    path: '/fee/counter/find',
    access: feeWriters,
    shows,
    input: z.object({ search: freeText(text`Search`, 60) }),
    output: z.object({ families: z.array(foundFamily) }),
  }),
  /** What the children of an adult owe as of a day, with fines, and who may pay. */
  dues: endpoint({
    method: 'GET',
    path: '/fee/counter/dues',
    access: feeWriters,
    shows: [...shows, 'setting'],
    input: z.object({ studentId: id, guardianId: optionalId, on: z._default(calendarDay(text`Date`, true), '') }),
    output: z.object({
      on: z.string(),
      today: z.string(),
      children: z.array(payingChild),
      payers: z.array(payer),
      /** The bank of the family’s last cheque; '' for none. */
      lastBank: z.string(),
    }),
  }),
  /** The payments that the user took today, the latest first. */
  today: endpoint({
    method: 'GET',
    path: '/fee/counter/today',
    access: feeWriters,
    shows: [...shows, 'fee-day'],
    input: z.object({}),
    output: z.object({
      /** Whether the user’s last shift of today is closed, since when, and whether another one may be opened. */
      isClosed: z.boolean(),
      closedAt: z.string(),
      mayOpenShift: z.boolean(),
      nextShift: z.number(),
      receipts: z.number(),
      amount: z.number(),
      payments: z.array(takenPayment),
    }),
  }),
  /** Takes a payment: receipts for each child and receipt series. What settles nothing becomes advance. */
  take: endpoint({
    method: 'POST',
    path: '/fee/payment',
    access: feeWriters,
    changes,
    input: z.object({ ...paymentDraft, children: payingChildren }).check(hasReference, isWhole),
    output: takenAtCounter,
  }),
  /** Prints the receipts of a payment again, as duplicates. */
  print: endpoint({
    method: 'POST',
    path: '/fee/payment/:id/print',
    access: feeWriters,
    opens: 'fee_payment',
    changes: ['fee-receipt-print'],
    input: z.object({ id }),
    output: papers,
  }),
  /** Cancels a payment, with where its money is: the cashier soon after it, later a second person on request. */
  cancel: endpoint({
    method: 'POST',
    path: '/fee/payment/:id/cancel',
    access: feeWriters,
    changes,
    input: z.object({
      ...idAndVersion,
      money: oneOf(text`Where is the money?`, whereMoney),
      reason: freeText(text`Reason`, 200),
    }),
    output: z.object({ isAsked: z.boolean() }),
  }),
  /** A receipt as it was printed. */
  receipt: endpoint({
    method: 'GET',
    path: '/fee/receipt/:id',
    access: feeReaders,
    opens: 'fee_receipt',
    shows: [...shows, 'fee-receipt-print'],
    input: z.object({ id }),
    output: z.object({ paper: receiptPaper }),
  }),
  /** A receipt as a PDF, to send or to keep. */
  file: endpoint({
    method: 'GET',
    path: '/fee/receipt/:id/file',
    access: feeReaders,
    opens: 'fee_receipt',
    input: z.object({ id }),
    output: servedFile,
  }),
};

/** The refusal of cash above the limit, with what still fits. */
export const cashRefusal = (taken: number) =>
  text`Cash from this family or mobile number today is ${{ taken: showMoney(taken) }}. At most ${{ room: showMoney(cashLimit - 1 - taken) }} more.`;
