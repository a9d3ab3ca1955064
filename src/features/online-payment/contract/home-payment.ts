import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { receiptSeriesMaster } from '#features/fee-price/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id, idAndVersion } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
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
  tabs: { waiting: text`To look for`, seen: text`Seen`, notFound: text`Not found`, all: text`All` },
  extra: { version: z.number(), may: abilities('take', 'notFound', 'lookAgain') },
});

export const notFoundFields = { note: field.text(text`What the family reads`, { max: 200, optional: true }) };

export const homePaymentApi = {
  /** What the money of a family would pay, and the day on which a statement shows it; '' for none. */
  preview: endpoint({
    method: 'GET',
    path: '/online/home-payment/:id',
    access: feeWriters,
    opens: 'home_payment',
    shows,
    input: z.object({ id }),
    output: z.object({
      bankDay: z.string(),
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
    changes,
    input: z.object(idAndVersion),
    output: z.object({ receiptNo: z.string() }),
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
  notFound: text`This is marked as not found. Look for it again first.`,
  open: text`This is not marked as not found. Read the list again.`,
};
