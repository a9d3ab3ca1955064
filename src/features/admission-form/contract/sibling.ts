import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { because, fieldInfo, freeText, oneOf, optionalFreeText } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { envelope, formKeys, noInput, path, spoken, stamps } from './form.ts';
import { codeReceivers } from './sibling-offer.ts';

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

const codeLabel = text`Code`;
const halfCode = text`Enter the five letters and digits of the newest message.`;
const code = freeText(codeLabel, 20, { isCode: true })
  .check(z.refine((typed) => typed === '' || typed.replace(/[\s-]/g, '').length === 5, because(halfCode)))
  .register(fieldInfo, { label: codeLabel, optional: false });

export const siblingApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  save: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: draft, output }),
  /** Sends a code to a mobile number that the school holds: who has only the link learns nothing of the family (B25). */
  sendCode: endpoint({
    method: 'POST',
    path: `${url}/code`,
    access: 'link',
    envelope: true,
    input: z.object({ ...formKeys, parent: oneOf(text`Send the code to`, codeReceivers) }),
    output: z.object(spoken),
  }),
  /** Fills in the family's details on the pages that are not saved yet; each stays a draft until the family saves it. */
  useDetails: endpoint({
    method: 'POST',
    path: `${url}/details`,
    access: 'link',
    envelope: true,
    ownTransactions: true,
    input: z.object({ ...formKeys, code }),
    output: z.object(spoken),
  }),
};
