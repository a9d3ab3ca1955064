import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { headMaster } from '#features/fee-price/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';

/** The columns of a file of opening balances; advance has a minus. */
export const openingFile = {
  grNo: field.text(text`GR number`, { max: 30 }),
  academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
  feeHeadId: field.ref(text`Fee head`, { to: namedBy(headMaster) }),
  amount: field.text(text`Amount (₹)`, { max: 20, alsoNamed: ['Balance'] }),
  dueOn: field.date(text`Due day`, { optional: true }),
};

export const openingMessages = {
  amount: text`Enter an amount such as 4500 or -1200.50, not zero.`,
  notFound: text`No student of your branches has this GR number.`,
  dueOn: text`Enter a day that is not in the future.`,
  paid: text`Part of it is paid.`,
  used: text`The advance is used.`,
  complete: text`Opening balances are complete. A correction changes what a student owes.`,
  waits: text`This waits for a second person already.`,
};

const changes = ['fee-payment', 'fee-plan', 'fee-opening'] as const;

export const openingImportApi = importApi({
  path: '/fee/opening/import',
  access: feeWriters,
  changes,
  columns: openingFile,
  needed: ['grNo', 'academicYearId', 'feeHeadId', 'amount'],
});

export const openingApi = {
  /** The files that were imported, the latest first. */
  list: endpoint({
    method: 'GET',
    path: '/fee/opening',
    access: feeReaders,
    shows: ['fee-opening'],
    input: z.object({}),
    output: z.object({
      rows: z.array(
        z.object({
          /** The first row of the file. */
          id: z.number(),
          at: z.iso.datetime(),
          by: z.string(),
          count: z.number(),
          undone: z.number(),
          owed: z.number(),
          advance: z.number(),
          /** What a second person is asked for. */
          waits: z.nullable(z.enum(['Post', 'Undo'])),
        }),
      ),
      /** No file is imported any more. */
      isComplete: z.boolean(),
      isEndAsked: z.boolean(),
    }),
  }),
  /** Undoes the rows of a file on which nothing was paid, and whose advance was not used. */
  undo: endpoint({
    method: 'POST',
    path: '/fee/opening/:id/undo',
    access: feeWriters,
    changes,
    input: z.object({ id }),
    output: z.object({ undone: z.number(), kept: z.number(), isAsked: z.boolean() }),
  }),
  /** Asks a second person to end opening balances: no file is imported after that. */
  complete: endpoint({
    method: 'POST',
    path: '/fee/opening/complete',
    access: feeWriters,
    changes,
    input: z.object({}),
    output: z.object({}),
  }),
};
