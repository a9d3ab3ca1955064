import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { languageKeys } from '#kit/contract/languages.ts';
import { correction } from './correction.ts';
import { noInput, path } from './form.ts';
import { siblingOffer } from './sibling-offer.ts';

const textOrNull = z.nullable(z.string());

/** The parents as the inquiry knows them, under the names of page 2. */
const parents = {
  fatherFirstName: textOrNull,
  fatherLastName: textOrNull,
  fatherMobileNo: textOrNull,
  fatherEmailID: textOrNull,
  motherFirstName: textOrNull,
  motherLastName: textOrNull,
  motherMobileNo: textOrNull,
  motherEmailID: textOrNull,
};

/** The language in which the family reads, as far as the school knows it. */
const language = z.nullable(z.enum(languageKeys));

const openInquiry = z.object({
  language,
  inquiryNo: z.string(),
  admissionID: z.number(),
  isFormSubmitted: z.literal(false),
  firstName: textOrNull,
  lastName: textOrNull,
  birthDate: textOrNull,
  gender: z.nullable(z.boolean()),
  admissionAcademicYearID: z.number(),
  academicYear: z.string(),
  admissionBoardID: z.number(),
  board: z.string(),
  admissionProgramID: z.number(),
  program: z.string(),
  admissionGradeID: z.number(),
  grade: z.string(),
  ...parents,
  /** Parents whose details the school has waived (A9). */
  detailsNotApplicable: z.array(z.enum(['father', 'mother'])),
  /** Documents that the school has waived (A40). */
  waivedDocuments: z.array(z.string()),
  /** The form stays closed until the parent has agreed to the notice. */
  isConsentRequired: z.boolean(),
  /** The usual age for this grade on that day, in years; null where the grade has none. */
  gradeAge: z.nullable(z.object({ years: z.number(), on: z.string() })),
  /** What the school has asked to correct; null while the form was never submitted. */
  correction: z.nullable(correction),
  /** The form of a brother or sister, linked by the office, whose family details can be filled in. */
  sibling: z.nullable(siblingOffer),
  /** The steps that are saved, of the first four. */
  savedSteps: z.array(z.number()),
  /** Encrypts drafts on this family's devices; a new link keeps it. */
  deviceKey: z.string(),
});

/** Nothing personal: an old link tells only that a form was submitted. */
const submittedInquiry = z.object({
  language,
  inquiryNo: z.string(),
  admissionID: z.number(),
  isFormSubmitted: z.literal(true),
  academicYear: z.string(),
  submittedDateTime: z.string(),
  status: z.string(),
  /** The names of the documents that were handed in. */
  documentNames: z.array(z.string()),
});

export type OpenInquiry = z.infer<typeof openInquiry>;
export type SubmittedInquiry = z.infer<typeof submittedInquiry>;
export type Inquiry = OpenInquiry | SubmittedInquiry;

/** The child's fields a parent cannot change: those the inquiry has a value for (A7). */
export const lockedChildFields = ['firstName', 'lastName', 'birthDate'] as const;
/** The parents' fields that are locked when the inquiry has a value for them (A8). */
export const lockedParentFields = Object.keys(parents) as (keyof typeof parents)[];

export const inquiryApi = {
  inquiry: endpoint({
    method: 'GET',
    path: `${path}/inquiry`,
    access: 'link',
    envelope: true,
    input: noInput,
    output: z.array(z.discriminatedUnion('isFormSubmitted', [openInquiry, submittedInquiry])),
  }),
};
