import * as z from 'zod/mini';
import { type Access, endpoint } from '#kit/contract/endpoint.ts';
import { field, nameOptions, optionsInput } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';

/** The choices of one kind, as a target of other records' fields; `readLookups` of this feature's `api.ts` answers it. */
export const lookupsAt = <const Path extends string>(path: Path, access: Access) => ({
  table: 'academic_lookup',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 60 }) },
  options: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['lookup'],
    input: z.object(optionsInput),
    output: nameOptions,
  }),
});
