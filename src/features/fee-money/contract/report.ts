import * as z from 'zod/mini';
import { feeReaders } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { oneOf, rule } from '#kit/contract/fields.ts';
import { chart } from '#kit/contract/served-card.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';

export const reportKinds = options(
  'Day book',
  'Fee heads',
  'Ageing',
  'Concessions',
  'Cancelled receipts',
  'Late fines',
  'GST',
);
export type ReportKind = (typeof reportKinds)[number];

/** What each report says, and which ledger entries its total is the sum of. */
export const reportWords: Record<ReportKind, { about: Text; tie: Text }> = {
  'Day book': {
    about: text`Every receipt of these days, every one that ended in them, and every refund.`,
    tie: text`Receipts and refunds in the ledger`,
  },
  'Fee heads': { about: text`Amounts received for each fee head and as advance.`, tie: text`Receipts in the ledger` },
  Ageing: {
    about: text`Each student’s unpaid dues on the last day, by days late. The first day does not count.`,
    tie: text`Open dues in the ledger`,
  },
  Concessions: { about: text`Amounts taken off by concessions in these days.`, tie: text`Concessions in the ledger` },
  'Cancelled receipts': {
    about: text`Payments that were cancelled, moved (reissued) or bounced in these days.`,
    tie: text`Reversed receipts in the ledger`,
  },
  'Late fines': { about: text`Fines that were charged in these days.`, tie: text`Fines in the ledger` },
  GST: {
    about: text`Receipts for fee heads with GST: the taxable amount and both halves of the tax.`,
    tie: text`Receipts with GST in the ledger`,
  },
};

/** What a row of money did; `option` is such a word, or a mode. */
export const moneyActs = options('Received', 'Cancelled', 'Bounced', 'Refunded', 'Reissued');
export const cellKinds = ['text', 'option', 'date', 'money', 'number'] as const;

const columns = z.array(z.object({ label: anyText, kind: z.enum(cellKinds) }));
const rows = z.array(z.array(z.nullable(z.union([z.string(), z.number()]))));

const range = {
  kind: oneOf(text`Report`, reportKinds),
  from: calendarDay(text`From`),
  to: calendarDay(text`Until`),
};
const inOrder = rule<{ from: string; to: string }>(({ from, to }, say) => {
  if (from && to && to < from) say('to', text`Choose a day that is not before the first one.`);
});

/** The most rows that a page shows; an export has all. */
export const mostRowsShown = 300;

const shows = ['fee-payment', 'fee-plan', 'fee-day'] as const;

export const reportApi = {
  read: endpoint({
    method: 'GET',
    path: '/fee/report',
    access: feeReaders,
    shows,
    input: z.object(range).check(inOrder),
    output: z.object({
      columns,
      rows,
      /** All rows, also those that are not shown. */
      count: z.number(),
      /** Of each money column over all rows; null of others. */
      totals: z.array(z.nullable(z.number())),
      /** The total of the report, and the sum of the ledger's entries that it comes from. */
      total: z.number(),
      ledger: z.number(),
      /** Of the day book: what was collected in each of the last twelve months. */
      chart: z.nullable(chart),
    }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/fee/report/export',
    access: feeReaders,
    input: z.object({ ...range, as: z.enum(tableKinds) }).check(inOrder),
    output: servedFile,
  }),
};
