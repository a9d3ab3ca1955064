import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  chosenId,
  optionalBirthDate,
  optionalEmail,
  optionalMobile,
  optionalOneOf,
  optionalText,
  optionalYesNo,
  prefixed,
  rule,
} from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { pictureTooLarge } from './basic-info.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

export const occupations = ['Service/Job', 'Business', 'Homemaker'] as const;
export const internshipAnswers = ['Yes', 'No', 'May Be'] as const;

export const divorceDocumentRequired =
  'Divorce document is required. Please upload the divorce document before proceeding.';
export const adoptionDocumentRequired =
  'Adoption document is required. Please upload the adoption document before proceeding.';
export const familyPhotoRequired = 'Family Photo is required. Please upload Family Photo.';

const picture = { maxBytes: 2 * megabyte, tooLarge: pictureTooLarge };
const certificate = { ...picture, kinds: ['png', 'jpeg'], wrongType: 'Select a PNG, JPG or JPEG picture.' } as const;

export const familyPhoto: UploadRule = {
  ...picture,
  label: 'Family Photo',
  kinds: ['png', 'jpeg', 'gif'],
  wrongType: 'Select a PNG, JPG, JPEG or GIF picture.',
};
export const divorceDocument: UploadRule = { ...certificate, label: 'Divorce document' };
export const adoptionDocument: UploadRule = { ...certificate, label: 'Adoption document' };

const sectorRequired = 'Which sector do you work with is  Required';
const specialtyRequired = 'Choose the specialty closest to your work is  Required';
const mobileWords = { required: 'Mobile No is required', invalid: 'Mobile No is not valid.' };
const emailWords = { required: 'Email ID is required.', invalid: 'Email ID is not valid.' };

// Whether one of these must be filled in depends on the family, so each may be empty and the rule below decides.
const name = {
  FirstName: optionalText('First Name', 50),
  LastName: optionalText('Last Name', 50),
  MobileNo: optionalMobile('Mobile No', mobileWords),
  EmailID: optionalEmail('Email ID', emailWords),
};
const work = {
  Qualification: optionalText('Qualification', 100),
  Occupation: optionalOneOf('Employment Status', occupations),
  OccupationDtl: optionalText('Occupational Profile', 500),
  CareerClusterID: chosenId('Which sector do you work with?', sectorRequired),
  CareePathwayID: chosenId('Choose the specialty closest to your work', specialtyRequired),
  CanOfferInternship: optionalOneOf('Internship answer', internshipAnswers),
  CanVisitWorkplace: optionalYesNo('Field trip answer'),
  WorkplaceInfo: optionalText('Field trip details', 1000),
};

/** In the order of the page, in which the answers are shown again before they are handed in. */
const parent = (birthDateOf: string) => ({
  ...name,
  BirthDate: optionalBirthDate('Birth Date', birthDateOf),
  ...work,
  OccupationOrganization: optionalText('Organization', 100),
  Hobbies: optionalText('Hobbies', 100),
});

const guardian = {
  ...name,
  ...work,
  OrganizationName: optionalText('Organization', 100),
  RelationwithChild: optionalText('Relationship with the child', 50),
  ChildLivingReason: optionalText('Reason for living with the guardian', 250),
  StreetNo: optionalText('Street No', 20),
  Address1: optionalText('Address 1', 200),
  Address2: optionalText('Address 2', 200),
  City: optionalText('City', 100),
  State: optionalText('State', 100),
  Country: optionalText('Country', 100),
  PinCode: optionalText('Pin Code', 10),
};

/** What father and mother must give, with the message for a gap. */
const requiredOfParent = {
  FirstName: 'First Name is required.',
  LastName: 'Last Name is required.',
  MobileNo: mobileWords.required,
  EmailID: emailWords.required,
  BirthDate: 'Birth Date is required.',
  Qualification: 'Qualification is required.',
  Occupation: 'Employment Status is required.',
  OccupationOrganization: 'Organization is required.',
  OccupationDtl: 'Occupational Profile is required.',
  CanOfferInternship: 'Internship answer is required.',
  CanVisitWorkplace: 'Field trip answer is required.',
  Hobbies: 'Hobbies is required.',
} as const;

/** What a guardian must give when the parents are not the local guardians (A28). */
const requiredOfGuardian = {
  FirstName: 'First Name is required.',
  LastName: 'Last Name is required.',
  MobileNo: mobileWords.required,
  EmailID: emailWords.required,
  ChildLivingReason: 'Reason for living with the guardian is required.',
  StreetNo: 'Street No is required.',
  Address1: 'Address 1 is required.',
  City: 'City is required.',
  State: 'State is required.',
  Country: 'Country is required.',
  PinCode: 'Pin Code is required.',
  Occupation: 'Employment Status is required.',
} as const;

export const guardianQuestionRequired = 'Parents are local guardians is required.';

/** Every message of this page that a rule gives rather than a field, for the catalogues. */
export const parentInfoMessages = [
  ...Object.values(requiredOfParent),
  ...Object.values(requiredOfGuardian),
  guardianQuestionRequired,
  sectorRequired,
  specialtyRequired,
  divorceDocumentRequired,
  adoptionDocumentRequired,
  familyPhotoRequired,
];

export const parentInfoDraft = z
  .object({
    ...formKeys,
    parentWorkingatFS: optionalYesNo('Does a parent work at this school?'),
    staffHRISEmployeeID: optionalText('Employee ID', 50),
    ...prefixed('father', parent('Father’s birth date')),
    ...prefixed('mother', parent('Mother’s birth date')),
    isParentDivorced: optionalYesNo('Are the parents divorced?'),
    divorceDocumentPath: z.optional(z.unknown()),
    isChildAdopted: optionalYesNo('Is the child adopted?'),
    adoptionDocumentPath: z.optional(z.unknown()),
    otherFamilyIssueDtl: optionalText('Other family information the school should know', 1000),
    isParentLocalGuardian: optionalYesNo('Are the parents the local guardians?'),
    ...prefixed('guardian', guardian),
    /** Not sent: the server and the page put in what the inquiry says. */
    detailsNotApplicable: z._default(listOf(z.enum(['father', 'mother']), { most: 2 }), []),
  })
  .check(
    rule((draft, say) => {
      for (const who of ['father', 'mother'] as const) {
        if (!draft.detailsNotApplicable?.includes(who)) requireAll(who, requiredOfParent, draft, say);
      }
      if (draft.isParentLocalGuardian === null) say('isParentLocalGuardian', guardianQuestionRequired);
      if (draft.isParentLocalGuardian === false) requireAll('guardian', requiredOfGuardian, draft, say);
    }),
  );

type Draft = z.output<typeof parentInfoDraft>;

function requireAll(
  who: 'father' | 'mother' | 'guardian',
  required: Record<string, string>,
  draft: object,
  say: (field: keyof Draft, message: string) => void,
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
  ...prefixed('father', parentOut),
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
