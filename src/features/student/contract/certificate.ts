import * as z from 'zod/mini';
import { admin, staff, studentKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fieldInfo, freeText, id, oneOf, optionalFreeText, optionalId, rule } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { leavingReaders } from './leaving.ts';
import { changes, path, shows } from './record.ts';

export const certificateKinds = options('Leaving', 'Bonafide', 'Character', 'Study');
export type CertificateWord = (typeof certificateKinds)[number];
/** In which language a certificate is issued. */
export const certificateLanguages = options('English', 'Gujarati', 'English and Gujarati', 'Hindi');
export type CertificateLanguage = (typeof certificateLanguages)[number];
/** The principal too: something owed blocks a leaving certificate for everyone else. */
const certificateMakers = [admin(), staff('office', 'principal')] as const;
/** The most certificates of one act: the leavers of a large school. */
export const mostCertificates = 1000;
/** The most pages of one PDF: a minute's work on a slow machine. */
export const mostPages = 200;

export const certificate = z.object({
  id: z.number(),
  kind: z.enum(certificateKinds),
  number: z.string(),
  issuedOn: z.string(),
  purpose: z.string(),
  language: z.enum(certificateLanguages),
  by: z.string(),
  /** '' while the school has it. */
  handedOutOn: z.string(),
  handedTo: z.string(),
  isVoid: z.boolean(),
  voidReason: z.string(),
  /** The number of the one issued in its place; '' without one. */
  replacedBy: z.string(),
  /** The duplicates that were issued. */
  copies: z.number(),
  may: z.object({ handOut: z.boolean(), copy: z.boolean(), void: z.boolean() }),
});
export type Certificate = z.infer<typeof certificate>;

const one = { id, certificate: id };
const nothing = z.object({});

/** What is typed for a certificate. */
const detailFields = {
  purpose: optionalFreeText(text`Purpose`, 120),
  conduct: optionalFreeText(text`Conduct`, 60),
};
const kindField = oneOf(text`Certificate`, certificateKinds);
const languageInfo = { label: text`Language`, optional: false, options: certificateLanguages };
export const languageField = z
  ._default(oneOf(languageInfo.label, certificateLanguages), 'English')
  .register(fieldInfo, languageInfo);

const hasConduct = rule<{ kind: string; conduct: string }>(({ kind, conduct }, say) => {
  if (kind === 'Character' && conduct === '') say('conduct', text`Enter the conduct, such as “Good”.`);
});

/** A page as it would be printed, without its signatures and code. */
const page = z.object({
  /** Of its words; of two the one that is not English. */
  language: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
  entries: z.array(z.object({ label: z.string(), value: z.string() })),
  closing: z.array(z.string()),
});
export type CertificatePage = z.infer<typeof page>;

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
      /** The kinds that the reader may issue; `why` says what is in the way. */
      kinds: z.array(z.object({ kind: z.enum(certificateKinds), why: z.nullable(anyText) })),
      /** The conduct of the leaving; '' without one. */
      conduct: z.string(),
      /** Proposed by the medium of the class. */
      language: z.enum(certificateLanguages),
    }),
  }),
  /** Without a token shows the page and draws no number; with it draws the number and keeps what the certificate says. */
  make: endpoint({
    method: 'POST',
    path: `${path}/:id/certificate`,
    access: certificateMakers,
    opens: 'student',
    changes,
    input: z
      .object({
        id,
        kind: kindField,
        language: languageField,
        ...detailFields,
        /** Names without a writing in the paper’s script may be printed in English letters. */
        englishLetters: z._default(z.boolean(), false),
        overrideReason: optionalFreeText(text`Reason to issue it before dues are paid`, 300),
        confirmToken,
      })
      .check(hasConduct),
    output: previewed({
      /** Null in a preview. */
      id: z.nullable(z.number()),
      /** The number drawn; in a preview the one that would be drawn now. */
      number: z.string(),
      page,
      /** What the record lacks and the paper leaves out, with the part of the record that has it. */
      empty: z.array(z.object({ label: anyText, part: z.string() })),
      owes: z.array(anyText),
      blocks: z.array(anyText),
      /** The principal enters why it is issued although something is owed. */
      needsReason: z.boolean(),
      /** What the last one of this kind said otherwise. */
      differs: z.array(anyText),
      /** The names that the register has in English letters alone, though the paper is in another script. */
      inEnglishLetters: z.array(anyText),
    }),
  }),
  /** Certificates of one kind for the selected students: a preview of who can get one, then a run. */
  makeMany: endpoint({
    method: 'POST',
    path: `${path}/certificate-many`,
    access: certificateMakers,
    changes,
    input: z
      .object({ selection, kind: kindField, language: languageField, ...detailFields, confirmToken })
      .check(hasConduct),
    output: z.extend(bulkAnswer, {
      runId: z.nullable(z.number()),
      firstNumber: z.string(),
      /** Certificates with a name in English letters, though the paper is in another script. */
      inEnglishLetters: z.number(),
    }),
  }),
  /** All certificates of a run as one PDF, in the order of their numbers. */
  runFile: endpoint({
    method: 'GET',
    path: `${path}/certificate-run/:run/file`,
    access: certificateMakers,
    input: z.object({ run: id }),
    output: servedFile,
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
