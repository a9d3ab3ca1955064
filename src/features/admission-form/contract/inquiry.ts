import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/fields.ts';
import { noInput, path } from './form.ts';

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

const openInquiry = z.object({
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
  /** Parents whose details the school does not ask of this family (A9). */
  detailsNotApplicable: z.array(z.enum(['father', 'mother'])),
  /** Documents this family need not bring (A40). */
  waivedDocuments: z.array(z.string()),
  /** The form stays closed until the parent has agreed to the notice (decision 12). */
  isConsentRequired: z.boolean(),
  /** Years a child should have completed on that day for this grade; null where nothing is usual. */
  gradeAge: z.nullable(z.object({ years: z.number(), on: z.string() })),
  /** Seals what this family's devices keep of their typing; it stays when the link is replaced. */
  deviceKey: z.string(),
});

/** Nothing personal: whoever finds an old link learns only that a form was handed in. */
const submittedInquiry = z.object({
  inquiryNo: z.string(),
  admissionID: z.number(),
  isFormSubmitted: z.literal(true),
  academicYear: z.string(),
  submittedDateTime: z.string(),
  status: z.string(),
});

export type OpenInquiry = z.infer<typeof openInquiry>;
export type SubmittedInquiry = z.infer<typeof submittedInquiry>;
export type Inquiry = OpenInquiry | SubmittedInquiry;

/** The child's fields a parent cannot change: those the inquiry has a value for (A7). */
export const lockedChildFields = ['firstName', 'lastName', 'birthDate'] as const;
/** The parents' fields that are locked when the inquiry has a value for them (A8). */
export const lockedParentFields = Object.keys(parents) as (keyof typeof parents)[];

// As loose as an address of the fields: only a message sent there proves more.
const contactShape = {
  test: (value: string) => /^[+0-9 .()-]{10,20}$/.test(value) || /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(value),
};

export const newLinkDraft = z.object({
  contact: text('Mobile number or e-mail address', 100, {
    like: contactShape,
    unlike: 'Enter the mobile number or e-mail address you gave the school.',
  }),
});

export const newLinkAnswer =
  'If this is the mobile number or e-mail address the school has, a new link is on its way to it.';

export const inquiryApi = {
  inquiry: endpoint({
    method: 'GET',
    path: `${path}/inquiry`,
    access: 'link',
    envelope: true,
    input: noInput,
    output: z.array(z.discriminatedUnion('isFormSubmitted', [openInquiry, submittedInquiry])),
  }),
  newLink: endpoint({
    method: 'POST',
    path: `${path}/new-link`,
    access: 'public',
    envelope: true,
    input: newLinkDraft,
    output: z.object({ isSuccess: z.boolean(), message: z.string() }),
  }),
};
