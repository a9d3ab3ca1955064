import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { text } from '#kit/contract/text.ts';

/** The most demand slips of one file. */
export const mostSlips = 200;

export const followUpFields = {
  note: field.longText(text`Note of the call`, { max: 500 }),
  promisedOn: field.date(text`Promised to pay on`, { optional: true }),
};

export const followUpMessages = {
  notPast: text`Enter today or a later day.`,
};

const followUp = z.object({
  id: z.number(),
  note: z.string(),
  promisedOn: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
});

export const followUpApi = {
  /** The calls about a student’s fees, the latest first. */
  list: endpoint({
    method: 'GET',
    path: '/fee/student/:id/follow-up',
    access: feeReaders,
    opens: 'student',
    shows: ['fee-follow-up'],
    input: z.object({ id }),
    output: z.object({ rows: z.array(followUp), remindedOn: z.string() }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/fee/student/:id/follow-up',
    access: feeWriters,
    changes: ['fee-follow-up'],
    input: z.object({ id, ...inputOf(followUpFields) }),
    output: z.object({}),
  }),
  /** Reminds the families of the selected students of what they owe, once a child and day, as a run. */
  remind: endpoint({
    method: 'POST',
    path: '/fee/remind',
    access: feeWriters,
    changes: ['fee-follow-up', 'run'],
    input: z.object({ selection, confirmToken }),
    output: z.extend(bulkAnswer, { runId: z.nullable(z.number()) }),
  }),
  /** Demand slips of the selected students as a PDF, with a QR code where the receipt series has a UPI address. */
  slips: endpoint({
    method: 'POST',
    path: '/fee/demand',
    access: feeReaders,
    changes: [],
    ownTransactions: true,
    input: selection,
    output: servedFile,
  }),
};
