import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { oneOf, rule, text, tick } from '#kit/contract/fields.ts';
import { formKeys, noInput, path } from './form.ts';

/** Changes whenever a word of the notice does; a test holds the two together. */
export const noticeVersion = '2026-11-21';
export const noticeLanguages = ['en', 'hi', 'gu'] as const;
export const consentRelations = ['Father', 'Mother', 'Guardian'] as const;

const guardianRequired = 'Please confirm that you are the child’s parent or lawful guardian and over 18.';
const agreementRequired = 'Please tick “I agree” to fill in the form here.';
const outdated = 'The notice has changed. Please open this page once more and read it again.';
export const consentRequired = 'Please read the notice about your data and agree to it first.';
export const consentWithdrawn = 'Your consent is withdrawn.';
export const tooManyAgreements = 'You agreed many times today. Please call the school, or try again tomorrow.';
export const consentMessages = [
  guardianRequired,
  agreementRequired,
  outdated,
  consentRequired,
  consentWithdrawn,
  tooManyAgreements,
];

export const consentDraft = z
  .object({
    ...formKeys,
    noticeVersion: z.string(),
    language: z.enum(noticeLanguages),
    consentName: text('Your full name', 100),
    consentRelation: oneOf('Relation to the child', consentRelations),
    isParentOrGuardian: tick('I am the child’s parent or lawful guardian and am over 18'),
    isAgreed: tick('I agree'),
  })
  .check(
    rule((draft, say) => {
      if (draft.noticeVersion !== noticeVersion) say('isAgreed', outdated);
      if (draft.isParentOrGuardian !== true) say('isParentOrGuardian', guardianRequired);
      if (draft.isAgreed !== true) say('isAgreed', agreementRequired);
    }),
  );

const consent = z.object({
  noticeVersion: z.string(),
  language: z.enum(noticeLanguages),
  name: z.string(),
  relation: z.string(),
  givenDateTime: z.string(),
  /** The school recorded it, for instance from a signed paper. */
  isRecordedBySchool: z.boolean(),
});
export type Consent = z.infer<typeof consent>;

const output = z.object({
  isSuccess: z.boolean(),
  message: z.string(),
  data: z.object({
    /** The form stays closed until consent is given. */
    isRequired: z.boolean(),
    consent: z.nullable(consent),
  }),
});
const url = `${path}/consent`;

export const consentApi = {
  read: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  give: endpoint({ method: 'POST', path: url, access: 'link', envelope: true, input: consentDraft, output }),
  withdraw: endpoint({
    method: 'POST',
    path: `${url}/withdraw`,
    access: 'link',
    envelope: true,
    input: noInput,
    output,
  }),
};
