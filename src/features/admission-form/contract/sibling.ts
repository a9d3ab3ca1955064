import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { optionalFreeText } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

const sibling = z.object({
  siblingName: z.string(),
  admissionID: z.number(),
  inquiryNo: z.string(),
  ...stamps,
  createdDateTime: z.string(),
  updatedDateTime: z.string(),
});

const output = envelope('lstStudentAdmissionSiblingDetailsModel', sibling);
const url = `${path}/siblings`;
const draft = z.object({ ...formKeys, siblingName: optionalFreeText(text`Sibling Name`, 200) });

export const siblingApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  save: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: draft, output }),
};
