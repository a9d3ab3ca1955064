import * as z from 'zod/mini';
import { feeReaders, staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { discountNames } from '#features/fee-price/contract/discount.ts';
import { headMaster, receiptSeriesMaster } from '#features/fee-price/contract/masters.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { oneOf, rule } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { filterBy } from '#kit/contract/record-list.ts';
import { chart } from '#kit/contract/served-card.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay, wholeNumber } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';

/** Of the counter, and of cheques that became a payment. */
const paidBy = options('Cash', 'UPI', 'Card', 'Bank transfer', 'Net banking', 'Cheque', 'Demand draft');

export const reportKinds = options(
  'Day book',
  'Receipts by head',
  'Collection',
  'Cheques',
  'Bank day',
  'Cancelled receipts',
  'Refunds',
  'Unplaced',
  'Dues by class',
  'Outstanding by age',
  'Late fines',
  'Concessions',
  'Relief',
  'GST',
);
export type ReportKind = (typeof reportKinds)[number];

/** What the rows of a report are: a row opens into those of `opensInto`. */
export const groupings = options(
  'Day',
  'Receipt',
  'Class',
  'Section',
  'Student',
  'Mode',
  'Cashier',
  'Receipt series',
  'Fee head',
);
export type Grouping = (typeof groupings)[number];

/** By what a report is narrowed. A class and a section are those of the child on the day of the entry. */
export const reportFilters = {
  gradeId: filterBy({ label: text`Class`, to: namedBy(gradeMaster) }),
  sectionId: filterBy({ label: text`Section`, to: namedBy(sectionMaster) }),
  branchId: filterBy({ label: text`Branch`, to: namedBy(branchMaster) }),
  seriesId: filterBy({ label: text`Receipt series`, to: namedBy(receiptSeriesMaster) }),
  mode: { kind: 'oneOf', label: text`Mode`, options: paidBy },
  cashierId: filterBy({ label: text`Cashier`, to: staffNames }),
  headId: filterBy({ label: text`Fee head`, to: namedBy(headMaster) }),
  discountId: filterBy({ label: text`Discount`, to: discountNames }),
} as const;
export type ReportFilter = keyof typeof reportFilters;

/** The filter that a row of a grouping stands for, and the grouping into which it opens. */
export const opensInto: Partial<
  Record<Grouping, { filter: ReportFilter | 'day'; as: Partial<Record<ReportKind, Grouping>> }>
> = {
  Day: { filter: 'day', as: { 'Receipts by head': 'Receipt', Collection: 'Receipt', 'Bank day': 'Receipt' } },
  Class: {
    filter: 'gradeId',
    as: { 'Receipts by head': 'Section', Collection: 'Section', 'Dues by class': 'Section' },
  },
  Section: {
    filter: 'sectionId',
    as: { 'Receipts by head': 'Receipt', Collection: 'Receipt', 'Dues by class': 'Student' },
  },
  Mode: { filter: 'mode', as: { 'Receipts by head': 'Day', Collection: 'Day', 'Bank day': 'Day' } },
  Cashier: { filter: 'cashierId', as: { 'Receipts by head': 'Day', Collection: 'Day', 'Bank day': 'Day' } },
  'Receipt series': { filter: 'seriesId', as: { 'Receipts by head': 'Day', Collection: 'Day', 'Bank day': 'Day' } },
  'Fee head': { filter: 'headId', as: { 'Receipts by head': 'Day', 'Dues by class': 'Class' } },
};

interface ReportWords {
  /** The question that it answers: what came in, what is owed, what was given. */
  group: 'Received' | 'Owed' | 'Given';
  about: Text;
  /** Which ledger entries its total is the sum of. */
  tie: Text;
  /** As of one day; else over a range of days. */
  isAsOf?: boolean;
  /** What its rows may be, the usual one first. */
  by?: readonly [Grouping, ...Grouping[]];
  /** What its columns may be, the usual one first. */
  across?: readonly [Grouping, ...Grouping[]];
  /** It shows what a bank said, which the office does not read. */
  isOfBank?: boolean;
  filters: readonly ReportFilter[];
}

const ofChild = ['gradeId', 'sectionId', 'branchId'] as const;
const ofReceipt = [...ofChild, 'seriesId', 'mode', 'cashierId'] as const;

export const reportGroups = options('Received', 'Owed', 'Given');

/** Who reads what a bank said. */
export const bankDayReaders = [staff('accountant', 'financeApprover', 'principal')] as const;

export const reportWords: Record<ReportKind, ReportWords> = {
  'Day book': {
    group: 'Received',
    about: text`Every receipt of these days, every one that ended in them, and every refund.`,
    tie: text`Receipts and refunds in the ledger`,
    filters: ofReceipt,
  },
  'Receipts by head': {
    group: 'Received',
    about: text`Amounts received for each fee head, less receipts that ended in these days.`,
    tie: text`Receipts in the ledger`,
    by: ['Day', 'Receipt', 'Class', 'Section', 'Mode', 'Cashier', 'Receipt series', 'Fee head'],
    filters: [...ofReceipt, 'headId'],
  },
  Collection: {
    group: 'Received',
    about: text`Amounts received, less receipts that ended in these days, by any two of day, mode, cashier, class and receipt series.`,
    tie: text`Receipts in the ledger`,
    by: ['Day', 'Mode', 'Cashier', 'Class', 'Section', 'Receipt series', 'Receipt'],
    across: ['Mode', 'Cashier', 'Class', 'Receipt series'],
    filters: ofReceipt,
  },
  Cheques: {
    group: 'Received',
    about: text`Cheques and demand drafts that are dated in these days: held, paid in, or bounced. One of several children has a row for each receipt.`,
    tie: text`Receipts by these cheques in the ledger`,
    filters: [...ofChild],
  },
  'Bank day': {
    group: 'Received',
    about: text`Payments of these days without cash, by the day on which the bank received them: seen in a statement, and not seen.`,
    tie: text`Receipts without cash in the ledger`,
    isOfBank: true,
    by: ['Day', 'Mode', 'Cashier', 'Receipt series', 'Receipt'],
    filters: ['branchId', 'seriesId', 'mode', 'cashierId'],
  },
  'Cancelled receipts': {
    group: 'Received',
    about: text`Payments that were cancelled, moved (reissued) or bounced in these days.`,
    tie: text`Reversed receipts in the ledger`,
    filters: ofReceipt,
  },
  Refunds: {
    group: 'Received',
    about: text`Advance that was paid back in these days.`,
    tie: text`Refunds in the ledger`,
    filters: [...ofChild, 'seriesId', 'mode'],
  },
  Unplaced: {
    group: 'Received',
    about: text`Money without a child at the end of the day, the oldest first.`,
    tie: text`Unplaced money of that day in the ledger`,
    isAsOf: true,
    filters: ['branchId', 'seriesId', 'mode', 'cashierId'],
  },
  'Dues by class': {
    group: 'Owed',
    about: text`Unpaid dues at the end of the day, as the ledger had them then. A late fine counts once it is charged; fines not charged yet have a column of their own, as of today only.`,
    tie: text`Open dues of that day in the ledger`,
    isAsOf: true,
    by: ['Class', 'Section', 'Student', 'Fee head'],
    filters: [...ofChild, 'seriesId', 'headId'],
  },
  'Outstanding by age': {
    group: 'Owed',
    about: text`Each student’s unpaid dues at the end of the day, by days late. Late fines not charged yet have a column of their own, as of today only.`,
    tie: text`Open dues of that day in the ledger`,
    isAsOf: true,
    filters: [...ofChild, 'seriesId', 'headId'],
  },
  'Late fines': {
    group: 'Owed',
    about: text`Fines that were charged in these days.`,
    tie: text`Fines in the ledger`,
    filters: [...ofChild, 'seriesId'],
  },
  Concessions: {
    group: 'Given',
    about: text`Amounts that concessions took off the dues of these days, with who asked and who approved. “Of the year” is the sum of all days.`,
    tie: text`Concessions in the ledger`,
    filters: [...ofChild, 'seriesId', 'headId', 'discountId'],
  },
  Relief: {
    group: 'Given',
    about: text`Every act of these days by which a student owes less without paying: changed plans, credits, waivers, write-offs.`,
    tie: text`Acts in the ledger that lower dues`,
    filters: [...ofChild, 'seriesId'],
  },
  GST: {
    group: 'Given',
    about: text`Receipts for fee heads with GST: the taxable amount and both halves of the tax.`,
    tie: text`Receipts with GST in the ledger`,
    filters: [...ofReceipt, 'headId'],
  },
};

/** What a row of money did; `option` is such a word, or a mode. */
export const moneyActs = options('Received', 'Cancelled', 'Bounced', 'Refunded', 'Reissued');
export const cellKinds = ['text', 'option', 'date', 'money', 'number'] as const;

const columns = z.array(z.object({ label: anyText, kind: z.enum(cellKinds), isPart: z.boolean() }));
const row = z.object({
  /** Of a row that opens: the day, word or id by which it is narrowed. */
  key: z.nullable(z.string()),
  receiptId: z.nullable(z.number()),
  studentId: z.nullable(z.number()),
  cells: z.array(z.nullable(z.union([z.string(), z.number()]))),
});
export type ReportRow = z.infer<typeof row>;

const one = z._default(z.string().check(z.regex(/^[0-9]{0,9}$/)), '');
const asked = {
  kind: oneOf(text`Report`, reportKinds),
  /** The first day of a range; a report as of a day has none. */
  from: z._default(calendarDay(text`From`, true), ''),
  to: calendarDay(text`Until`),
  /** What its rows are, of those of the report; its usual one where it is left out. */
  by: z._default(z.enum(['', ...groupings]), ''),
  /** What its columns are, of those of the report; its usual one where it is left out. */
  across: z._default(z.enum(['', ...groupings]), ''),
  gradeId: one,
  sectionId: one,
  branchId: one,
  seriesId: one,
  mode: z._default(z.enum(['', ...paidBy]), ''),
  cashierId: one,
  headId: one,
  discountId: one,
};
const inOrder = rule<{ kind: string; from?: string | undefined; to: string }>(({ kind, from, to }, say) => {
  if (reportWords[kind as ReportKind]?.isAsOf) return;
  if (!from) say('from', text`Enter the first day.`);
  else if (to && to < from) say('to', text`Choose a day that is not before the first one.`);
});

/** How many rows a page shows; an export has all. */
export const rowsOfPage = 100;

const shows = ['fee-payment', 'fee-plan', 'fee-day', 'approval', 'enrollment'] as const;

export const reportApi = {
  read: endpoint({
    method: 'GET',
    path: '/fee/report',
    access: feeReaders,
    shows,
    input: z
      .object({ ...asked, page: z._default(wholeNumber(text`Page`, { least: 1, most: 10_000 }), 1) })
      .check(inOrder),
    output: z.object({
      columns,
      rows: z.array(row),
      /** The school's name and address, for a print. */
      school: z.array(z.string()),
      /** What the report is narrowed to, by the labels of its filters. */
      chosen: z.array(z.object({ label: anyText, value: z.string() })),
      /** All rows, also those of other pages. */
      count: z.number(),
      /** Of each column of money and numbers over all rows; null of others. */
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
    input: z.object({ ...asked, as: z.enum(tableKinds) }).check(inOrder),
    output: servedFile,
  }),
};
