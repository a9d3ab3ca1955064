import * as z from 'zod/mini';
import { bankAccountMaster } from '#features/fee-price/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion, oneOf } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { bankReaders, bankWriters } from './access.ts';

export const lineStates = options('Open', 'Matched', 'Differs', 'Set aside');
const sides = options('Deposit', 'Withdrawal');
/** What a line of a statement can be of. */
export const lineKinds = options('Payment', 'Deposit slip', 'Cheque', 'Returned cheque', 'Refund');

const shows = ['bank-line', 'fee-payment', 'fee-cheque', 'bank-deposit'] as const;
const changes = ['bank-line', 'fee-payment', 'fee-cheque', 'fee-plan', 'fee-day'] as const;

/**
 * What the bank shows of a reference: one open line of that amount in the account of the series, or else what hinders. `Hidden`
 * from users with a limit to branches.
 */
export const shownKinds = [
  'One',
  'Several',
  'Other series',
  'Other amount',
  'Matched',
  'Set aside',
  'None',
  'Hidden',
] as const;
export type ShownKind = (typeof shownKinds)[number];

export const lineMessages = {
  taken: text`Another line is matched with this. Check that line first.`,
  open: text`This line is matched or set aside already. Read the list again.`,
  other: text`This no longer fits the line. Read the list again.`,
  kept: text`Its cheques are cleared or returned already, so the line can’t be opened.`,
  credit: text`Only a deposit can be taken as money without a child.`,
};

/** The lines of the statements of the school's accounts. */
export const lineList = defineList({
  name: 'bank_line',
  path: '/bank/line',
  singular: text`bank line`,
  plural: text`bank lines`,
  access: bankReaders,
  shows,
  sort: '-day',
  columns: {
    narration: { kind: 'text', label: text`Narration` },
    day: { kind: 'date', label: text`Date`, isSorted: true },
    side: { kind: 'oneOf', label: text`Side`, options: sides },
    amount: { kind: 'money', label: text`Amount` },
    of: { kind: 'text', label: text`Payment or purpose` },
    difference: { kind: 'money', label: text`Difference`, isAside: true },
    reference: { kind: 'text', label: text`Reference`, isAside: true },
    account: { kind: 'text', label: text`Bank account`, isAside: true },
    note: { kind: 'text', label: text`Note`, isAside: true },
    by: { kind: 'text', label: text`Matched by`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: lineStates, onPhone: 'end' },
  },
  filters: {
    bankAccountId: filterBy({ label: text`Bank account`, to: namedBy(bankAccountMaster) }),
    side: { kind: 'oneOf', label: text`Side`, options: sides },
  },
  tabs: { open: text`Not identified`, matched: text`Matched`, aside: text`Set aside`, all: text`All` },
  extra: { version: z.number(), may: abilities('match', 'undo', 'take') },
});

const candidate = z.object({
  kind: z.enum(lineKinds),
  id: z.number(),
  /** Of a cheque: the version that is acted on. */
  version: z.number(),
  /** Its numbers: receipts, slip, cheque or voucher. */
  name: z.string(),
  /** The day, mode and reference. */
  about: z.string(),
  amount: z.number(),
  /** The whole reference stands in the line. */
  isNamed: z.boolean(),
});

export const asideFields = { note: field.text(text`Why`, { max: 200 }) };
export const lineBounceFields = {
  reason: field.text(text`Why it bounced`, { max: 200, optional: true }),
  charge: field.money(text`Charge for the bounce (₹)`, { optional: true }),
};
export const takeLineFields = {
  payerName: field.text(text`Received from`, { max: 120 }),
  branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
};

export const lineApi = {
  /** What a line may be of: by its reference, or by amount and days. The user decides. */
  candidates: endpoint({
    method: 'GET',
    path: '/bank/line/:id/candidate',
    access: bankReaders,
    shows,
    input: z.object({ id }),
    output: z.object({ rows: z.array(candidate) }),
  }),
  /** Says what a line is of. A slip whose lines total it, and a cheque, are cleared by it; a withdrawal returns a cheque. */
  match: endpoint({
    method: 'POST',
    path: '/bank/line/:id/match',
    access: bankWriters,
    changes,
    input: z.object({
      ...idAndVersion,
      kind: oneOf(text`It is of`, lineKinds),
      ofId: id,
      ...inputOf(lineBounceFields),
    }),
    output: z.object({ cleared: z.number() }),
  }),
  /** Opens a line again that was matched with a payment or refund, or set aside. */
  undo: endpoint({
    method: 'POST',
    path: '/bank/line/:id/undo',
    access: bankWriters,
    changes: ['bank-line'],
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
  /** A line that is no fee, such as interest of the bank. */
  setAside: endpoint({
    method: 'POST',
    path: '/bank/line/:id/set-aside',
    access: bankWriters,
    changes: ['bank-line'],
    input: z.object({ ...idAndVersion, ...inputOf(asideFields) }),
    output: z.object({}),
  }),
  /** Takes the money of a line whose child is not known yet, with a receipt of today that counts from the line’s day. */
  take: endpoint({
    method: 'POST',
    path: '/bank/line/:id/unplaced',
    access: bankWriters,
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(takeLineFields) }),
    output: z.object({ paymentNo: z.string() }),
  }),
  /** Matches all open lines by reference and amount again, with what was received since. */
  matchAll: endpoint({
    method: 'POST',
    path: '/bank/line/match',
    access: bankWriters,
    changes: ['bank-line'],
    input: z.object({}),
    output: z.object({ matched: z.number(), differs: z.number() }),
  }),
};

/** Money by UPI, card and transfer that the bank has not shown. */
export const unseenList = defineList({
  name: 'bank_unseen',
  path: '/bank/unseen',
  singular: text`payment`,
  plural: text`payments`,
  access: bankReaders,
  shows,
  sort: 'day',
  columns: {
    receipts: { kind: 'text', label: text`Receipts` },
    day: { kind: 'date', label: text`Date`, isSorted: true },
    amount: { kind: 'money', label: text`Amount` },
    mode: { kind: 'text', label: text`Mode` },
    reference: { kind: 'text', label: text`Reference` },
    payer: { kind: 'text', label: text`Received from` },
    by: { kind: 'text', label: text`Collected by` },
  },
  filters: {},
  tabs: { all: text`Not seen in the bank` },
  extra: {},
});

const tickFields = {
  day: field.date(text`Day`),
  mode: field.oneOf(text`Mode`, { options: ['UPI', 'Card'] }),
  amount: field.money(text`Amount (₹)`),
};

const dayRow = z.object({
  day: z.string(),
  mode: z.enum(['UPI', 'Card']),
  count: z.number(),
  amount: z.number(),
  /** What of it the bank has shown. */
  seen: z.number(),
  ticked: z.nullable(z.object({ amount: z.number(), by: z.string(), at: z.iso.datetime() })),
});

export const dayTickApi = {
  /** What came by UPI and card on each of the last days, beside what was ticked off. */
  list: endpoint({
    method: 'GET',
    path: '/bank/day',
    access: bankReaders,
    shows: ['bank-line', 'fee-payment', 'bank-day'],
    input: z.object({}),
    output: z.object({ rows: z.array(dayRow) }),
  }),
  /** Ticks off a total that agrees with the card machine or the app. */
  tick: endpoint({
    method: 'POST',
    path: '/bank/day',
    access: bankWriters,
    changes: ['bank-day'],
    input: z.object(inputOf(tickFields)),
    output: z.object({}),
  }),
};
