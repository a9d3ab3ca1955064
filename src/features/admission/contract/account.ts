import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { inquiryStates } from '#features/admission-form/contract/state.ts';
import { oneNameInput } from '#features/school/contract/one-name.ts';
import { genders, identityFields } from '#features/student/contract/record.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { inputOf } from '#kit/contract/field.ts';
import { chosenId, id, idAndVersion, optionalFreeText, optionalOneOf, tick } from '#kit/contract/fields.ts';
import { selection } from '#kit/contract/list-view.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, type Text, text } from '#kit/contract/text.ts';

export const accountPath = '/admission-account';
/** Who creates the accounts of admitted children. */
const accountKeepers = [staff('office', 'admissionHead')] as const;
export const accountReaders = [staff('office', 'admissionHead', 'principal', 'accountant')] as const;
export const accountShows = ['inquiry', 'student', 'section', 'branch', 'grade', 'house'];
const changes = ['inquiry', 'student', 'section', 'student-record'];

/** The adults that a form names; each is a known adult or a new one. */
export const adultParts = ['father', 'mother', 'guardian', 'contact1', 'contact2'] as const;
export type AdultPart = (typeof adultParts)[number];
/** The choice of a new adult. */
export const newAdult = 'new';

const choiceLabels: Record<AdultPart, Text> = {
  father: text`The father is`,
  mother: text`The mother is`,
  guardian: text`The guardian is`,
  contact1: text`The first contact is`,
  contact2: text`The second contact is`,
};
/** Refuses an adult whom the school may know, until someone has decided. */
export const chooseAdult = text`Choose one of these adults, or a new adult.`;
const adultChoice = (part: AdultPart) => optionalFreeText(choiceLabels[part], 10, { like: /^(new|[0-9]{1,9})$/ });

export const adultFields = {
  fatherIs: adultChoice('father'),
  motherIs: adultChoice('mother'),
  guardianIs: adultChoice('guardian'),
  contact1Is: adultChoice('contact1'),
  contact2Is: adultChoice('contact2'),
} satisfies Record<`${AdultPart}Is`, unknown>;

/** A child who was here before and has left. */
export const returningChoices = options('The same child', 'Another child');
/** Of parents who live apart, whom a court bars from contact. */
export const barredChoices = options('Nobody', 'Father', 'Mother', 'Guardian');

export const sectionFull = (section: Text | string) =>
  text`${{ section }} is full. Choose another section, or assign one later.`;

const knownAdult = z.object({
  id: z.number(),
  name: z.string(),
  relation: z.string(),
  /** Children whom the user may see, with their sections. */
  children: z.array(z.string()),
  others: z.number(),
});

const account = z.object({
  id: z.number(),
  version: z.number(),
  inquiryNo: z.string(),
  child: z.string(),
  birthDate: z.string(),
  /** The form repeats the first name as the last one: the papers may carry one name only. */
  repeatsName: z.boolean(),
  /** '' while the inquiry has none. */
  gender: z.string(),
  state: z.enum(inquiryStates),
  academicYear: z.string(),
  branch: z.string(),
  program: z.string(),
  grade: z.string(),
  quota: z.string(),
  /** The days between which the child may join, and the proposed one. */
  firstDay: z.string(),
  lastDay: z.string(),
  joinsOn: z.string(),
  /** The student that was made of this application. */
  student: z.nullable(z.object({ id: z.number(), name: z.string(), grNo: z.string() })),
  adults: z.array(
    z.object({
      part: z.enum(adultParts),
      name: z.string(),
      relation: z.string(),
      mobile: z.string(),
      isFirst: z.boolean(),
      /** This adult, and no other. */
      known: z.nullable(knownAdult),
      /** One of them, or a new adult. */
      likely: z.array(knownAdult),
    }),
  ),
  isDivorced: z.boolean(),
  returning: z.nullable(
    z.object({
      id: z.number(),
      name: z.string(),
      grNo: z.string(),
      /** '' for a student who has not left. */
      leftOn: z.string(),
      /** Found by the Aadhaar number: no other child has it. */
      isSure: z.boolean(),
    }),
  ),
  siblings: z.array(z.string()),
  sections: z.array(z.object({ id: z.number(), name: z.string(), free: z.number() })),
  houses: z.array(z.object({ id: z.number(), name: z.string() })),
  nextGrNo: z.string(),
  udiseUid: z.string(),
  documents: z.array(z.object({ name: z.string(), status: z.string() })),
  schools: z.array(z.string()),
  hasHealth: z.boolean(),
  hasAadhaar: z.boolean(),
  wantsTransport: z.boolean(),
  payment: z.nullable(z.object({ amount: z.number(), slipNo: z.string(), paidOn: z.string() })),
  /** What the child would pay, without concessions; a reason instead where there are no prices. Amounts are paise. */
  plan: z.object({
    reason: z.nullable(anyText),
    structure: z.string(),
    dues: z.array(z.object({ dueOn: z.string(), net: z.number() })),
    total: z.number(),
    /** The concessions that the family or the quota entitles the child to; someone else grants them. */
    suggested: z.array(z.object({ name: z.string(), takesOff: anyText, needsApproval: z.boolean() })),
    /** The total once they are granted. */
    conceded: z.number(),
  }),
  /** What the record of the student will lack. */
  missing: z.array(anyText),
  /** Why the account can't be created at all. */
  blocks: z.array(anyText),
  may: abilities('create'),
});
export type Account = z.infer<typeof account>;

export const accountApi = {
  read: endpoint({
    method: 'GET',
    path: `${accountPath}/:id/record`,
    access: accountReaders,
    shows: accountShows,
    opens: 'inquiry',
    /** With a joining day the sections and the plan of that day, else of the proposed one. */
    input: z.object({ id, joinsOn: z._default(calendarDay(text`Joins on`, true), '') }),
    output: account,
  }),
  /** Makes a student of an application: everything at once, and once. The preview says what is made. */
  create: endpoint({
    method: 'POST',
    path: `${accountPath}/:id`,
    access: accountKeepers,
    opens: 'inquiry',
    changes,
    input: z.object({
      ...idAndVersion,
      joinsOn: calendarDay(text`Joins on`),
      /** Null to assign one later. */
      sectionId: chosenId(text`Section`),
      houseId: chosenId(text`House`),
      /** Asked for where the inquiry has none. */
      gender: optionalOneOf(text`Gender`, genders),
      middleName: optionalFreeText(text`Middle name`, 50),
      ...oneNameInput,
      ...inputOf(identityFields),
      ...adultFields,
      returning: optionalOneOf(text`This child`, returningChoices),
      barred: optionalOneOf(text`Barred from contact`, barredChoices),
      restriction: optionalFreeText(text`Court order`, 300),
      withoutPlan: tick(text`Create the account without a fee plan`),
      confirmToken,
    }),
    output: previewed({
      /** What is made, in sentences; the fee plan last. */
      makes: z.array(anyText),
      missing: z.array(anyText),
      /** The student, once it is made. */
      student: z.nullable(z.object({ id: z.number(), name: z.string(), grNo: z.string(), section: z.string() })),
    }),
  }),
  /** Creates the accounts of the selected applications that need no choice, as a run; sections are assigned afterwards. */
  createMany: endpoint({
    method: 'POST',
    path: `${accountPath}/create-many`,
    access: accountKeepers,
    changes,
    input: z.object({
      selection,
      withoutPlan: tick(text`Create accounts also without a fee plan`),
      confirmToken,
    }),
    output: z.extend(bulkAnswer, { runId: z.nullable(z.number()) }),
  }),
};
