import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { branchMaster } from '#features/school/contract/masters.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { idAndVersion } from '#kit/contract/fields.ts';
import { namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { grNoField } from './add.ts';
import { changes, path } from './record.ts';

/** Only the principal corrects the general register. */
export const grCorrectors = [staff('principal')] as const;

export const correctionFields = {
  ...grNoField,
  branchId: field.ref(text`Register of another branch`, {
    to: namedBy(branchMaster),
    optional: true,
    hint: text`If empty: the present one.`,
  }),
  reason: field.text(text`Reason`, { max: 300 }),
};

export const grNumberApi = {
  /** Gives another number; the earlier one is never given again. */
  correct: endpoint({
    method: 'PUT',
    path: `${path}/:id/gr-number`,
    access: grCorrectors,
    opens: 'student',
    changes,
    isConfirmed: true,
    input: z.object({ ...idAndVersion, ...inputOf(correctionFields) }),
    output: z.object({ grNo: z.string() }),
  }),
};
