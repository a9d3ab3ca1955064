import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile, tableKinds } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { processReaders } from './seat.ts';

const path = '/process/export';
const as = z._default(z.enum(tableKinds), 'xlsx');

export const exportApi = {
  /** The children who apply for the seats of a row, by score; refused where the row has no scored assessment. */
  merit: endpoint({
    method: 'GET',
    path: `${path}/merit`,
    access: [staff('admissionHead', 'principal')],
    ownTransactions: true,
    input: z.object({ seatId: id, as }),
    output: servedFile,
  }),
  /** The waiting list of a row in its order. */
  waiting: endpoint({
    method: 'GET',
    path: `${path}/waiting`,
    access: processReaders,
    ownTransactions: true,
    input: z.object({ seatId: id, as }),
    output: servedFile,
  }),
  /** The children of the slots of a day with a number to call and a column to tick. */
  calls: endpoint({
    method: 'GET',
    path: `${path}/calls`,
    access: [staff('office', 'admissionHead', 'principal')],
    ownTransactions: true,
    input: z.object({ day: calendarDay(text`Day`), as }),
    output: servedFile,
  }),
};
