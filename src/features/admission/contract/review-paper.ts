import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';

export const path = '/review';
export const reviewReaders = [staff('office', 'admissionHead', 'principal')] as const;

/** The form as a paper, apart from the review, whose schemas are those of the whole form. */
export const reviewPaperApi = {
  /** The answers of the last submission as a PDF, whatever is being corrected now. Each print is audited. */
  print: endpoint({
    method: 'GET',
    path: `${path}/:id/print`,
    opens: 'inquiry',
    access: reviewReaders,
    input: z.object({ id }),
    output: servedFile,
  }),
};
