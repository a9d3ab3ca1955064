import * as z from 'zod/mini';
import { longestCell, mostAnswers, mostCreated, mostEdits, mostHeadings, mostWords } from './import-limits.ts';

/** How one column of names becomes several fields. */
export const nameOrders = [
  'First Middle Last',
  'Last First Middle',
  'First Last',
  'Last First',
  'First Middle',
] as const;
export type NameOrder = (typeof nameOrders)[number];

/** The order of day and month in a column. */
export const dayOrders = ['DMY', 'MDY'] as const;
export type DayOrder = (typeof dayOrders)[number];

const most = (count: number) => z.refine((all) => Object.keys(all as object).length <= count);
const fieldName = z.string().check(z.maxLength(60));
const short = z.string().check(z.maxLength(200));
const line = z.number().check(z.int(), z.gte(1), z.lte(2_000_000));

/** What a column of the file is. */
export const columnPlan = z.object({
  /** The field, or '' for a column that is left out. */
  to: fieldName,
  /** The column holds a whole name, of which `to` is the first part. */
  order: z.optional(z.enum(nameOrders)),
  /** Titles such as Mr and Smt are taken off. */
  takesTitles: z.optional(z.boolean()),
});
export type ColumnPlan = z.infer<typeof columnPlan>;

/** The user's answers about a file: the parser applies them, so that every import reads the same kind of table. */
export const importPlan = z.object({
  fileName: z._default(short, ''),
  /** The sheet of a workbook; by default the visible one with the best headings. */
  sheet: z.optional(z.string().check(z.maxLength(100))),
  /** The line of the headings. */
  headLine: z.optional(line),
  /** The columns by their place: '0' is the first. Those that are not named are left out. */
  columns: z.record(z.string().check(z.regex(/^[0-9]{1,3}$/)), columnPlan).check(most(mostHeadings)),
  /** Values for fields that the file lacks, the same for all rows. */
  same: z._default(z.record(fieldName, short).check(most(mostHeadings)), {}),
  /** By field and word: the text to read in its place, or null to leave out the rows that have it. */
  values: z._default(
    z.record(fieldName, z.record(short, z.nullable(short)).check(most(mostWords))).check(most(mostHeadings)),
    {},
  ),
  /** Entries to be created, by field. */
  creates: z._default(z.record(fieldName, z.array(short).check(most(mostCreated))).check(most(mostHeadings)), {}),
  dates: z._default(z.record(fieldName, z.enum(dayOrders)).check(most(mostHeadings)), {}),
  /** Corrected cells, by line and field: "12 mobile". */
  edits: z._default(
    z.record(z.string().check(z.maxLength(80)), z.string().check(z.maxLength(longestCell))).check(most(mostEdits)),
    {},
  ),
  /** Answers to questions of rows, by line: the key of a choice. */
  answers: z._default(
    z.record(z.string().check(z.regex(/^[0-9]{1,7}$/)), z.string().check(z.maxLength(40))).check(most(mostAnswers)),
    {},
  ),
  /** The answer of all rows of a kind of question that have none of their own. */
  alike: z._default(z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(40))).check(most(20)), {}),
  /** Lines that would be passed over, and are imported all the same. */
  kept: z._default(z.array(line).check(z.maxLength(1000)), []),
  /** Rows with errors stop all rows, or are left out. */
  mode: z._default(z.enum(['all', 'good']), 'all'),
});
export type ImportPlan = z.infer<typeof importPlan>;
