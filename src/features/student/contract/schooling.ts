import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, inputOf, outputOf } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { changes, path, shows, studentRecord } from './record.ts';

export const schoolingReaders = studentRecord.groups.identity.read;

/** Years at a school before this one; the last of them goes on the leaving certificate. */
export const schoolingFields = {
  school: field.text(text`School`, { max: 300 }),
  city: field.text(text`City`, { max: 100, optional: true }),
  board: field.text(text`Board`, { max: 100, optional: true }),
  fromClass: field.text(text`From class`, { max: 50, optional: true }),
  toClass: field.text(text`To class`, { max: 50, optional: true }),
  certificateNo: field.text(text`Number of the leaving certificate`, { max: 40, optional: true }),
  certificateOn: field.date(text`Issued on`, { optional: true }),
};

const schooling = z.object({ id: z.number(), version: z.number(), saved: z.object(outputOf(schoolingFields)) });
export type Schooling = z.infer<typeof schooling>;

const ofChild = { id, schooling: id, version: id };

export const schoolingApi = {
  schoolings: endpoint({
    method: 'GET',
    path: `${path}/:id/schooling`,
    access: schoolingReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({ schoolings: z.array(schooling) }),
  }),
  addSchooling: endpoint({
    method: 'POST',
    path: `${path}/:id/schooling`,
    access: studentKeepers,
    changes,
    input: z.object({ id, ...inputOf(schoolingFields) }),
    output: z.object({}),
  }),
  saveSchooling: endpoint({
    method: 'PUT',
    path: `${path}/:id/schooling/:schooling`,
    access: studentKeepers,
    changes,
    input: z.object({ ...ofChild, ...inputOf(schoolingFields) }),
    output: z.object({}),
  }),
  removeSchooling: endpoint({
    method: 'DELETE',
    path: `${path}/:id/schooling/:schooling`,
    access: studentKeepers,
    changes,
    input: z.object(ofChild),
    output: z.object({}),
  }),
};
