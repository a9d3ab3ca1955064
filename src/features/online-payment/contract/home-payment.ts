import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { shownKinds } from '#features/bank/contract/line.ts';
import { receiptSeriesMaster } from '#features/fee-price/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint, type OutputOf } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { showMoney } from '#kit/contract/money.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { homePaymentStates } from './family.ts';

const shows = ['home-payment', 'fee-payment', 'fee-plan', 'bank-line', 'student', 'branch'] as const;
const changes = ['home-payment', 'fee-payment', 'fee-plan', 'bank-line'] as const;

/** What families say they have paid, beside what the bank shows. */
export const homePaymentList = defineList({
  name: 'home_payment',
  path: '/online/home-payment',
  singular: text`payment from home`,
  plural: text`payments from home`,
  access: feeReaders,
  shows,
  sort: '-paidOn',
  columns: {
    child: { kind: 'text', label: text`Student` },
    guardian: { kind: 'text', label: text`Paid by` },
    amount: { kind: 'money', label: text`Amount` },
    paidOn: { kind: 'date', label: text`Paid on`, isSorted: true },
    reference: { kind: 'text', label: text`Reference` },
    bankDay: { kind: 'date', label: text`In the bank on` },
    receiptNo: { kind: 'text', label: text`Receipt` },
    series: { kind: 'text', label: text`Receipt series`, isAside: true },
    enteredOn: { kind: 'date', label: text`Entered on`, isAside: true },
    note: { kind: 'text', label: text`Note`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    status: { kind: 'oneOf', label: text`Status`, options: homePaymentStates, onPhone: 'end' },
  },
  filters: {
    receiptSeriesId: filterBy({ label: text`Receipt series`, to: namedBy(receiptSeriesMaster) }),
    branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  },
  tabs: { waiting: text`To check`, seen: text`Seen`, notFound: text`Not found`, all: text`All` },
  extra: { version: z.number(), may: abilities('take', 'notFound', 'lookAgain') },
});

export const notFoundFields = { note: field.text(text`What the family reads`, { max: 200, optional: true }) };

/** Where no line of the bank says it. */
export const takeFields = { valueOn: field.date(text`Money reached the bank on`, { optional: true }) };

export const homePaymentApi = {
  /** What the money of a family would pay, and what the bank shows of it. */
  preview: endpoint({
    method: 'GET',
    path: '/online/home-payment/:id',
    access: feeWriters,
    opens: 'home_payment',
    shows,
    input: z.object({ id, valueOn: z.optional(calendarDay(text`Money reached the bank on`, true)) }),
    output: z.object({
      bank: z.object({
        kind: z.enum(shownKinds),
        /** Of the line that fits best; '' for none. */
        day: z.string(),
        amount: z.number(),
        seriesId: z.number(),
        series: z.string(),
        receipts: z.string(),
      }),
      /** The day until which late fines count. */
      valueOn: z.string(),
      lines: z.array(z.object({ words: z.string(), isFine: z.boolean(), dueOn: z.string(), amount: z.number() })),
      /** What no due takes. */
      advance: z.number(),
    }),
  }),
  /** Takes the money as a payment by UPI: the dues of its series, the oldest first. A line of the bank is matched with it. */
  take: endpoint({
    method: 'POST',
    path: '/online/home-payment/:id/take',
    access: feeWriters,
    opens: 'home_payment',
    changes,
    input: z.object({ ...idAndVersion, ...inputOf(takeFields) }),
    output: z.object({ receiptNo: z.string() }),
  }),
  /** Enters it in the receipt series whose account the bank shows it in. */
  move: endpoint({
    method: 'POST',
    path: '/online/home-payment/:id/series',
    access: feeWriters,
    changes: ['home-payment'],
    input: z.object({ ...idAndVersion, seriesId: id }),
    output: z.object({}),
  }),
  /** Says that the bank does not have it; the family reads that. */
  notFound: endpoint({
    method: 'POST',
    path: '/online/home-payment/:id/not-found',
    access: feeWriters,
    changes: ['home-payment'],
    input: z.object({ ...idAndVersion, ...inputOf(notFoundFields) }),
    output: z.object({}),
  }),
  lookAgain: endpoint({
    method: 'POST',
    path: '/online/home-payment/:id/look-again',
    access: feeWriters,
    changes: ['home-payment'],
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
};

export const homePaymentMessages = {
  seen: text`This has a receipt already. Read the list again.`,
  notFound: text`This is marked as not found. Check again first.`,
  elsewhere: text`The bank no longer shows it there. Read the list again.`,
  several: text`The bank shows this reference and amount on several lines. Take the money without a child from one of them in Bank.`,
  hidden: text`The bank shows a line with this reference. An accountant of all branches takes the payment.`,
  setAside: text`The line of the bank with this reference is set aside. Open it in Bank first.`,
  valueOn: text`Choose the day on which the money reached the bank.`,
  open: text`This is not marked as not found. Read the list again.`,
};

/** Money that the bank shows otherwise than the family says is not taken. */
export function hindranceOf({ kind, amount, series, receipts }: Bank): Text | undefined {
  if (kind === 'Other series') return text`The bank shows it in the account of ${{ series }}. Enter it there first.`;
  if (kind === 'Other amount')
    return text`The bank shows ${{ amount: showMoney(amount) }} with this reference. Mark it as not found, and ask the family to enter that amount.`;
  if (kind === 'Matched')
    return text`The line of the bank with this reference is matched with ${{ receipts }}. Open it in Bank first.`;
  if (kind === 'Several') return homePaymentMessages.several;
  return kind === 'Set aside' ? homePaymentMessages.setAside : undefined;
}
type Bank = Pick<OutputOf<typeof homePaymentApi.preview>['bank'], 'kind' | 'amount' | 'series' | 'receipts'>;
