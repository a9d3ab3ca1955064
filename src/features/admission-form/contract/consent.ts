import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { freeText, oneOf, rule, tick } from '#kit/contract/fields.ts';
import { type Language, languageKeys } from '#kit/contract/languages.ts';
import { options, text } from '#kit/contract/text.ts';
import { formKeys, noInput, path, spoken } from './form.ts';

/** Of the notice in each language; changes with every word of it and of the two ticks, and a test checks that. */
export const noticeVersions = { en: '2026-11-24', gu: '2026-12-01', hi: '2026-12-01' } as const satisfies Record<
  Language,
  string
>;
export const consentRelations = options('Father', 'Mother', 'Guardian');

const guardianRequired = text`Tick this box to continue.`;
const agreementRequired = text`Tick “I agree” to fill in the form here.`;
const outdated = text`The notice has changed. Open this page again and read the new notice.`;
export const consentRequired = text`Read the notice about your data and agree to it first.`;
export const consentWithdrawn = text`Your consent is withdrawn.`;
export const tooManyAgreements = text`Too many attempts. Try again later.`;

const consentDraft = z
  .object({
    ...formKeys,
    noticeVersion: z.string(),
    language: z.enum(languageKeys),
    consentName: freeText(text`Your full name`, 100),
    consentRelation: oneOf(text`Your relation to the child`, consentRelations),
    isParentOrGuardian: tick(text`I am the child’s parent or lawful guardian and am over 18`),
    isAgreed: tick(text`I agree`),
  })
  .check(
    rule((draft, say) => {
      if (draft.language && draft.noticeVersion !== noticeVersions[draft.language]) say('isAgreed', outdated);
      if (draft.isParentOrGuardian !== true) say('isParentOrGuardian', guardianRequired);
      if (draft.isAgreed !== true) say('isAgreed', agreementRequired);
    }),
  );

const consent = z.object({
  noticeVersion: z.string(),
  language: z.enum(languageKeys),
  name: z.string(),
  relation: z.string(),
  givenDateTime: z.string(),
  /** The school recorded it, for instance from a signed paper. */
  isRecordedBySchool: z.boolean(),
});

const output = z.object({
  ...spoken,
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
