import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, optionsInput, peopleOptions } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import { signedIn } from './grants.ts';

/** All staff, for the fields that point to a member of staff: colleagues find each other by search too. */
export const staffOptions = endpoint({
  method: 'GET',
  path: '/staff/option',
  access: signedIn,
  shows: ['staff'],
  input: z.object(optionsInput),
  output: peopleOptions,
});

/** The staff, as a target of other records' fields. */
export const staffNames = {
  table: 'staff',
  labelFields: ['name'],
  isPeople: true as const,
  codeField: 'employeeNumber',
  fields: { name: field.text(text`Name`, { max: 100 }) },
  options: staffOptions,
};
