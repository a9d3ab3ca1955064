import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf } from '#kit/contract/field.ts';
import { idAndVersion } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { changes, path } from './record.ts';

export const removeFields = {
  reason: field.text(text`Reason`, {
    max: 250,
    optional: true,
    hint: text`Kept in the register with the GR number. Not needed on the day on which you added the student.`,
  }),
  sameGrNo: field.text(text`Entered twice, see GR number`, {
    max: 20,
    optional: true,
    hint: text`Of the same child’s other record, if there is one.`,
  }),
};

export const removeApi = {
  /** Removes a student who was entered by mistake, after a preview of what goes and what stands in the way. */
  remove: endpoint({
    method: 'POST',
    path: `${path}/:id/remove`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section'],
    input: z.object({ ...idAndVersion, ...inputOf(removeFields), confirmToken }),
    output: previewed({
      goes: z.array(anyText),
      blocks: z.array(anyText),
      /** Something hangs on the record, so two records of one child are merged instead. */
      isUsed: z.boolean(),
    }),
  }),
};
