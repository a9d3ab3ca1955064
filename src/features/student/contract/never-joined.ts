import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { changes, path } from './record.ts';

const input = z.object({ id, reason: freeText(text`Reason`, 300), confirmToken });

export const neverJoinedApi = {
  /** Takes a child who never came out of the year, after a preview. It counts nowhere; its record and GR number are kept. */
  cancel: endpoint({
    method: 'POST',
    path: `${path}/:id/never-joined`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section'],
    input,
    output: previewed({ ends: z.array(anyText), blocks: z.array(anyText) }),
  }),
  /** Restores the enrolment, after a preview of what returns. */
  undo: endpoint({
    method: 'POST',
    path: `${path}/:id/never-joined/undo`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section'],
    input,
    output: previewed({ returns: z.array(anyText), blocks: z.array(anyText) }),
  }),
};
