import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { birthDate, mobile, oneOf, optionalText, rule, text, tick, yesNo } from '#kit/contract/fields.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

export const bloodGroups = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'] as const;
export const foodOptions = ['Veg. Food', 'Jain. Food'] as const;

/** Said of the X of a masked number that stand for nothing which was ever entered. */
export const maskAlone = 'Please enter the whole number. The X only stand for digits that are not shown.';
export const photoRequired = 'Child Photo is required. Please upload Child Photo.';
export const permanentAddressRequired = 'Permanent Residential Address is required.';
export const permanentAddressHelp = 'Please select each value.';
export const pictureTooLarge = 'File size exceeds 2MB';

export const childPhoto: UploadRule = {
  label: 'Child Photo',
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: 'Select a PNG, JPG or JPEG picture.',
  tooLarge: pictureTooLarge,
  longestSide: 1200,
};

/** The seven parts of an address, by the ending of their wire names. */
export const addressParts = ['StreetNo', 'Address1', 'Address2', 'City', 'State', 'Country', 'PinCode'] as const;

export const permanentLabels = {
  permanentStreetNo: 'Permanent Street No',
  permanentAddress1: 'Permanent Address 1',
  permanentAddress2: 'Permanent Address 2',
  permanentCity: 'Permanent City',
  permanentState: 'Permanent State',
  permanentCountry: 'Permanent Country',
  permanentPinCode: 'Permanent Pin Code',
} as const;

export const basicInfoDraft = z
  .object({
    ...formKeys,
    firstName: text('First Name', 50),
    lastName: text('Last Name', 50),
    birthDate: birthDate('Birth Date', 'Birth date'),
    bloodGroup: oneOf('Blood Group', bloodGroups),
    // A10: an Aadhaar number, an enrolment or passport number, or "Applied for"; never a reason to turn a child away.
    aadharCardNo: text('Aadhar Card No', 100),
    nationality: text('Nationality', 50),
    caste: text('Caste', 50),
    subCaste: text('Sub Caste', 50),
    religion: text('Religion', 50),
    emergencyMobileNo: mobile('Emergency (Mobile) Number', {
      required: 'Emergency (Mobile) Number is required',
      invalid: 'Emergency (Mobile) Number is not valid.',
    }),
    foodOption: oneOf('Food Option', foodOptions),
    isTransportServiceOpted: yesNo('Transport Service'),
    studentUID: text('Student UID', 20),
    schoolDISECode: text('School DISE Code', 20),
    currentStreetNo: text('Street No', 12),
    currentAddress1: text('Address 1', 200),
    currentAddress2: text('Address 2', 200),
    currentCity: text('City', 100),
    currentState: text('State', 100),
    currentCountry: text('Country', 100),
    currentPinCode: text('Pin Code', 10),
    sameAsPresentAddress: tick('Same as present address'),
    permanentStreetNo: optionalText(permanentLabels.permanentStreetNo, 20),
    permanentAddress1: optionalText(permanentLabels.permanentAddress1, 200),
    permanentAddress2: optionalText(permanentLabels.permanentAddress2, 200),
    permanentCity: optionalText(permanentLabels.permanentCity, 100),
    permanentState: optionalText(permanentLabels.permanentState, 100),
    permanentCountry: optionalText(permanentLabels.permanentCountry, 100),
    permanentPinCode: optionalText(permanentLabels.permanentPinCode, 10),
  })
  .check(
    rule((draft, say) => {
      if (draft.sameAsPresentAddress === true) return;
      for (const part of addressParts) {
        const name = `permanent${part}` as const;
        if (!draft[name]) say(name, `${permanentLabels[name]} is required.`);
      }
    }),
  );

const textOrNull = z.nullable(z.string());

export const basicInfo = z.object({
  admissionID: z.number(),
  admissionFormEntryDate: z.string(),
  inquiryNo: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  gender: z.nullable(z.boolean()),
  birthDate: z.string(),
  admissionAcademicYearID: z.number(),
  academicYear: z.string(),
  admissionBoardID: z.number(),
  board: z.string(),
  admissionProgramID: z.number(),
  program: z.string(),
  admissionGradeID: z.number(),
  grade: z.string(),
  bloodGroup: z.string(),
  aadharCardNo: z.string(),
  nationality: z.string(),
  caste: z.string(),
  subCaste: z.string(),
  religion: z.string(),
  emergencyMobileNo: z.string(),
  foodOption: z.string(),
  isTransportServiceOpted: z.boolean(),
  studentUID: z.string(),
  schoolDISECode: z.string(),
  sameAsPresentAddress: z.boolean(),
  admissionStudentImagePath: textOrNull,
  currentStreetNo: z.string(),
  currentAddress1: z.string(),
  currentAddress2: z.string(),
  currentCity: z.string(),
  currentState: z.string(),
  currentCountry: z.string(),
  currentPinCode: z.string(),
  permanentStreetNo: z.string(),
  permanentAddress1: z.string(),
  permanentAddress2: z.string(),
  permanentCity: z.string(),
  permanentState: z.string(),
  permanentCountry: z.string(),
  permanentPinCode: z.string(),
  ...stamps,
  createdByName: z.string(),
  updatedByName: z.string(),
});
export type BasicInfo = z.infer<typeof basicInfo>;

const output = envelope('lstStudentAdmissionBasicInfoModel', basicInfo);
const url = `${path}/basic-info`;

export const basicInfoApi = {
  get: endpoint({ method: 'GET', path: url, access: 'link', envelope: true, input: noInput, output }),
  getById: endpoint({
    method: 'GET',
    path: `${url}/:admissionID`,
    access: 'link',
    envelope: true,
    input: noInput,
    output,
  }),
  save: endpoint({
    method: 'POST',
    path: url,
    access: 'link',
    envelope: true,
    input: basicInfoDraft,
    output,
    files: { admissionStudentImageIFormFile: childPhoto },
  }),
};
