import * as z from 'zod/mini';
import { admin, staff, studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, id, oneOf, optionalFreeText, optionalId } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { leavingReaders } from './leaving.ts';
import { changes, path, shows } from './record.ts';

export const certificateKinds = options('Leaving', 'Bonafide');
export type CertificateKind = (typeof certificateKinds)[number];
/** The principal too: something owed blocks a leaving certificate for everyone else. */
const certificateMakers = [admin(), staff('office', 'principal')] as const;

export const certificate = z.object({
  id: z.number(),
  kind: z.enum(certificateKinds),
  number: z.string(),
  issuedOn: z.string(),
  purpose: z.string(),
  by: z.string(),
  /** '' while the school has it. */
  handedOutOn: z.string(),
  handedTo: z.string(),
  isVoid: z.boolean(),
  voidReason: z.string(),
  /** The duplicates that were issued. */
  copies: z.number(),
  may: z.object({ handOut: z.boolean(), copy: z.boolean(), void: z.boolean() }),
});
export type Certificate = z.infer<typeof certificate>;

const one = { id, certificate: id };
const nothing = z.object({});

export const certificateApi = {
  certificates: endpoint({
    method: 'GET',
    path: `${path}/:id/certificate`,
    access: leavingReaders,
    shows,
    opens: 'student',
    input: z.object({ id }),
    output: z.object({
      certificates: z.array(certificate),
      /** What blocks a leaving certificate unless the principal gives a reason. */
      owes: z.array(anyText),
      may: z.object({ makeLeaving: z.boolean(), makeBonafide: z.boolean(), override: z.boolean() }),
    }),
  }),
  /** Draws the number, and keeps what the certificate says. */
  make: endpoint({
    method: 'POST',
    path: `${path}/:id/certificate`,
    access: certificateMakers,
    opens: 'student',
    changes,
    input: z.object({
      id,
      kind: oneOf(text`Certificate`, certificateKinds),
      purpose: optionalFreeText(text`Purpose`, 120),
      overrideReason: optionalFreeText(text`Reason to issue it before dues are paid`, 300),
    }),
    output: z.object({ id: z.number(), number: z.string() }),
  }),
  /** The PDF, stored unchanged when it is first opened; of a duplicate with its count. */
  file: endpoint({
    method: 'GET',
    path: `${path}/:id/certificate/:certificate/file`,
    access: certificateMakers,
    opens: 'student',
    input: z.object({ ...one, copyNo: optionalId }),
    output: servedFile,
  }),
  copy: endpoint({
    method: 'POST',
    path: `${path}/:id/certificate/:certificate/copy`,
    access: studentKeepers,
    changes,
    input: z.object({ ...one, reason: freeText(text`Reason`, 300) }),
    output: z.object({ copyNo: z.number() }),
  }),
  handOut: endpoint({
    method: 'POST',
    path: `${path}/:id/certificate/:certificate/handed-out`,
    access: studentKeepers,
    changes,
    input: z.object({
      ...one,
      handedTo: freeText(text`Handed to`, 100),
      handedOutOn: calendarDay(text`Handed out on`),
    }),
    output: nothing,
  }),
  /** The number stays used. One that was handed out is voided by the principal, once the family has returned it. */
  void: endpoint({
    method: 'POST',
    path: `${path}/:id/certificate/:certificate/void`,
    access: certificateMakers,
    changes,
    input: z.object({ ...one, reason: freeText(text`Reason`, 300) }),
    output: nothing,
  }),
};
