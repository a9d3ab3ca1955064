import * as z from 'zod/mini';
import { type Access, endpoint } from '#kit/contract/endpoint.ts';
import { field, nameOptions, optionsInput } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { lookupKinds } from './masters.ts';

type Kind = (typeof lookupKinds)[number];

/** The choices of one kind, as a target of other records' fields; `lookupRoutes` of this feature's `api.ts` serves them. */
export const lookupsAt = <const Path extends string>(path: Path, access: Access, kind: Kind) => ({
  table: 'academic_lookup',
  kind,
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
export type Lookups = ReturnType<typeof lookupsAt>;
