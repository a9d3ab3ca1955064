import * as z from 'zod/mini';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion, optionalId } from '#kit/contract/fields.ts';
import { inquiryShows } from './inquiry.ts';
import { inquiryKeepers, inquiryReaders } from './record.ts';

const path = '/inquiry/:id/sibling';

const sibling = z.object({
  id: z.number(),
  inquiryNo: z.string(),
  child: z.string(),
  grade: z.string(),
  academicYear: z.string(),
  state: z.enum(inquiryStates),
  isLinked: z.boolean(),
  /** The form was submitted, so that its family details can be offered. */
  isSubmitted: z.boolean(),
});

/** Brothers and sisters of an inquiry's child: inquiries with a mobile number of the same parents. */
export const siblingApi = {
  list: endpoint({
    method: 'GET',
    path,
    opens: 'inquiry',
    access: inquiryReaders,
    shows: inquiryShows,
    input: z.object({ id }),
    output: z.object({ rows: z.array(sibling), isUsed: z.boolean() }),
  }),
  /** Links one of them, whose family details the family is then offered; without one it ends the link. */
  link: endpoint({
    method: 'PUT',
    path,
    access: inquiryKeepers,
    changes: ['inquiry'],
    input: z.object({ ...idAndVersion, siblingId: optionalId }),
    output: z.object({}),
  }),
};
