import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  chosenId,
  isRequired,
  optionalBirthDate,
  optionalEmail,
  optionalFreeText,
  optionalMobile,
  optionalOneOf,
  optionalYesNo,
  prefixed,
  rule,
  tick,
} from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { options, type Text, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { pictureTooLarge } from './basic-info.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

export const occupations = options('Service/Job', 'Business', 'Homemaker');
export const internshipAnswers = options('Yes', 'No', 'May Be');
/** Why there is no father or no mother to name. */
export const absenceReasons = options(
  'Not alive',
  'Single parent',
  'Adopted',
  'Not known',
  'Prefer to tell the school',
);

export const divorceDocumentRequired = text`Divorce document is required. Please upload the divorce document before proceeding.`;
export const adoptionDocumentRequired = text`Adoption document is required. Please upload the adoption document before proceeding.`;
export const familyPhotoRequired = text`Family Photo is required. Please upload Family Photo.`;

const picture = { maxBytes: 2 * megabyte, tooLarge: pictureTooLarge };
const certificate = {
  ...picture,
  kinds: ['png', 'jpeg'],
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
} as const;

export const familyPhoto: UploadRule = {
  ...picture,
  label: text`Family Photo`,
  kinds: ['png', 'jpeg', 'gif'],
  wrongType: text`Select a PNG, JPG, JPEG or GIF picture.`,
};
export const divorceDocument: UploadRule = { ...certificate, label: text`Divorce document` };
export const adoptionDocument: UploadRule = { ...certificate, label: text`Adoption document` };

const sectorRequired = text`Which sector do you work with is  Required`;
const specialtyRequired = text`Choose the specialty closest to your work is  Required`;
const mobileWords = { required: text`Mobile No is required` };
const guardianLabel = text`Will your child live with you in this town?`;
const reasonRequired = text`Choose one from the list.`;
const nobodyNamed = text`Answer No and name a guardian: no parent is named above.`;

// Each may be empty: the rule below decides which of them the family must give.
const name = {
  FirstName: optionalFreeText(text`First Name`, 50),
  LastName: optionalFreeText(text`Last Name`, 50),
  MobileNo: optionalMobile(text`Mobile No`, mobileWords),
  EmailID: optionalEmail(text`Email ID`),
};
const work = {
  Qualification: optionalFreeText(text`Qualification`, 100),
  Occupation: optionalOneOf(text`Employment Status`, occupations),
  OccupationDtl: optionalFreeText(text`Occupational Profile`, 500),
  CareerClusterID: chosenId(text`Which sector do you work with?`),
  CareePathwayID: chosenId(text`Choose the specialty closest to your work`),
  CanOfferInternship: optionalOneOf(text`Internship answer`, internshipAnswers),
  CanVisitWorkplace: optionalYesNo(text`Field trip answer`),
  WorkplaceInfo: optionalFreeText(text`Field trip details`, 1000),
};

/** In the order of the page, which "Check your answers" uses too. */
const parent = {
  ...name,
  BirthDate: optionalBirthDate(text`Birth Date`),
  ...work,
  OccupationOrganization: optionalFreeText(text`Organization`, 100),
  Hobbies: optionalFreeText(text`Hobbies`, 100),
};

const guardian = {
  ...name,
  ...work,
  OrganizationName: optionalFreeText(text`Organization`, 100),
  RelationwithChild: optionalFreeText(text`Relationship with the child`, 50),
  ChildLivingReason: optionalFreeText(text`Reason for living with the guardian`, 250),
  StreetNo: optionalFreeText(text`Street No`, 20),
  Address1: optionalFreeText(text`Address 1`, 200),
  Address2: optionalFreeText(text`Address 2`, 200),
  City: optionalFreeText(text`City`, 100),
  State: optionalFreeText(text`State`, 100),
  Country: optionalFreeText(text`Country`, 100),
  PinCode: optionalFreeText(text`Pin Code`, 10, { isCode: true }),
};

/** The required fields of father and mother, with the message for each. */
const requiredOfParent = {
  FirstName: isRequired(text`First Name`),
  LastName: isRequired(text`Last Name`),
  MobileNo: mobileWords.required,
  EmailID: isRequired(text`Email ID`),
  BirthDate: isRequired(text`Birth Date`),
  Qualification: isRequired(text`Qualification`),
  Occupation: isRequired(text`Employment Status`),
  OccupationOrganization: isRequired(text`Organization`),
  OccupationDtl: isRequired(text`Occupational Profile`),
  CanOfferInternship: isRequired(text`Internship answer`),
  CanVisitWorkplace: isRequired(text`Field trip answer`),
  Hobbies: isRequired(text`Hobbies`),
};

/** The required fields of a guardian when the parents are not the local guardians (A28). */
const requiredOfGuardian = {
  FirstName: isRequired(text`First Name`),
  LastName: isRequired(text`Last Name`),
  MobileNo: mobileWords.required,
  EmailID: isRequired(text`Email ID`),
  ChildLivingReason: isRequired(text`Reason for living with the guardian`),
  StreetNo: isRequired(text`Street No`),
  Address1: isRequired(text`Address 1`),
  City: isRequired(text`City`),
  State: isRequired(text`State`),
  Country: isRequired(text`Country`),
  PinCode: isRequired(text`Pin Code`),
  Occupation: isRequired(text`Employment Status`),
};

/** The fields that say that a parent cannot be named; nothing else is then asked of that parent. */
export const absence = {
  father: { isAbsent: 'hasNoFather', reason: 'noFatherReason' },
  mother: { isAbsent: 'hasNoMother', reason: 'noMotherReason' },
} as const;

/** The parents of whom these answers say that they cannot be named. */
export const absentParents = (answers: { hasNoFather: boolean; hasNoMother: boolean } | undefined) =>
  (['father', 'mother'] as const).filter((who) => answers?.[absence[who].isAbsent] === true);

export const parentInfoDraft = z
  .object({
    ...formKeys,
    parentWorkingatFS: optionalYesNo(text`Does a parent work at this school?`),
    staffHRISEmployeeID: optionalFreeText(text`Employee ID`, 50, { isCode: true }),
    hasNoFather: tick(text`There is no father to name`),
    noFatherReason: optionalOneOf(text`Why is there no father to name?`, absenceReasons),
    ...prefixed('father', parent),
    hasNoMother: tick(text`There is no mother to name`),
    noMotherReason: optionalOneOf(text`Why is there no mother to name?`, absenceReasons),
    ...prefixed('mother', parent),
    isParentDivorced: optionalYesNo(text`Are the parents divorced?`),
    divorceDocumentPath: z.optional(z.unknown()),
    isChildAdopted: optionalYesNo(text`Is your child adopted?`),
    adoptionDocumentPath: z.optional(z.unknown()),
    otherFamilyIssueDtl: optionalFreeText(text`Other family information the school should know`, 1000),
    isParentLocalGuardian: optionalYesNo(guardianLabel),
    ...prefixed('guardian', guardian),
    /** Not sent: the server and the page add what the inquiry says. */
    detailsNotApplicable: z._default(listOf(z.enum(['father', 'mother']), { most: 2 }), []),
  })
  .check(
    rule((draft, say) => {
      for (const who of ['father', 'mother'] as const) {
        const { isAbsent, reason } = absence[who];
        if (draft[isAbsent] === true) {
          if (draft[reason] === '') say(reason, reasonRequired);
        } else if (!draft.detailsNotApplicable?.includes(who)) requireAll(who, requiredOfParent, draft, say);
      }
      if (draft.hasNoFather === true && draft.hasNoMother === true && draft.isParentLocalGuardian === true) {
        say('isParentLocalGuardian', nobodyNamed);
      }
      if (draft.isParentLocalGuardian === null) say('isParentLocalGuardian', isRequired(guardianLabel));
      if (draft.isParentLocalGuardian === false) requireAll('guardian', requiredOfGuardian, draft, say);
    }),
  );

type Draft = z.output<typeof parentInfoDraft>;

function requireAll(
  who: 'father' | 'mother' | 'guardian',
  required: Record<string, Text>,
  draft: object,
  say: (field: keyof Draft, message: Text) => void,
) {
  const values = draft as Record<string, unknown>;
  const isEmpty = (name: string) => values[name] === '' || values[name] === null;
  for (const [part, message] of Object.entries(required)) {
    if (isEmpty(`${who}${part}`)) say(`${who}${part}` as keyof Draft, message);
  }
  if (isEmpty(`${who}Occupation`) || values[`${who}Occupation`] === 'Homemaker') return;
  if (isEmpty(`${who}CareerClusterID`)) say(`${who}CareerClusterID`, sectorRequired);
  if (isEmpty(`${who}CareePathwayID`)) say(`${who}CareePathwayID`, specialtyRequired);
}

const [textOut, idOut, answerOut] = [z.string(), z.nullable(z.number()), z.nullable(z.boolean())];

const personOut = {
  FirstName: textOut,
  LastName: textOut,
  MobileNo: textOut,
  EmailID: textOut,
  Qualification: textOut,
  Occupation: textOut,
  OccupationDtl: textOut,
  CareerClusterID: idOut,
  CareePathwayID: idOut,
  CanOfferInternship: textOut,
  CanVisitWorkplace: answerOut,
  WorkplaceInfo: textOut,
};
const parentOut = { ...personOut, OccupationOrganization: textOut, BirthDate: z.nullable(textOut), Hobbies: textOut };
const guardianOut = {
  ...personOut,
  OrganizationName: textOut,
  RelationwithChild: textOut,
  ChildLivingReason: textOut,
  StreetNo: textOut,
  Address1: textOut,
  Address2: textOut,
  City: textOut,
  State: textOut,
  Country: textOut,
  PinCode: textOut,
};

export const parentInfo = z.object({
  admissionID: z.number(),
  inquiryNo: z.string(),
  parentWorkingatFS: answerOut,
  staffHRISEmployeeID: textOut,
  hasNoFather: z.boolean(),
  noFatherReason: textOut,
  ...prefixed('father', parentOut),
  hasNoMother: z.boolean(),
  noMotherReason: textOut,
  ...prefixed('mother', parentOut),
  ...prefixed('guardian', guardianOut),
  isParentDivorced: z.boolean(),
  divorceDocumentPath: z.nullable(textOut),
  isChildAdopted: z.boolean(),
  adoptionDocumentPath: z.nullable(textOut),
  isParentLocalGuardian: z.boolean(),
  otherFamilyIssueDtl: textOut,
  familyImagePath: z.nullable(textOut),
  ...stamps,
});
export type ParentInfo = z.infer<typeof parentInfo>;

const output = envelope('lstStudentAdmissionParentInfo', parentInfo);
const url = `${path}/parent-info`;

export const parentInfoApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  save: endpoint({
    method: 'POST',
    path: url,
    access: 'link',
    envelope: true,
    input: parentInfoDraft,
    output,
    files: {
      FamilyImageIFormFile: familyPhoto,
      DivorceDocumentIFormFile: divorceDocument,
      AdoptionDocumentIFormFile: adoptionDocument,
    },
  }),
};
