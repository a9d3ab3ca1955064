import * as z from 'zod/mini';
import { feeWriters } from '#access/contract/grants.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';

/** The most accounts of one act. */
export const mostAccounts = 2000;

export const advanceMessages = {
  nothing: text`There is no advance for the dues of its receipt series.`,
};

const changes = ['fee-payment', 'fee-plan'] as const;
const sums = z.extend(bulkAnswer, { amount: z.number() });

export const advanceApi = {
  /** Pays what a student owes today from the advance. */
  apply: endpoint({
    method: 'POST',
    path: '/fee/advance/apply',
    access: feeWriters,
    changes,
    input: z.object({ studentId: id }),
    output: z.object({ applied: z.number() }),
  }),
  /** As `apply`, for every student of the user's branches. */
  applyAll: endpoint({
    method: 'POST',
    path: '/fee/advance/apply-all',
    access: feeWriters,
    changes,
    input: z.object({ confirmToken }),
    output: sums,
  }),
  /** Posts the late fines of every student of the user's branches until today. */
  postFines: endpoint({
    method: 'POST',
    path: '/fee/fine/post',
    access: feeWriters,
    changes,
    input: z.object({ confirmToken }),
    output: sums,
  }),
};
