import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  birthDate,
  freeText,
  isRequired,
  mobile,
  oneOf,
  optionalFreeText,
  rule,
  tick,
  yesNo,
} from '#kit/contract/fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';
import { envelope, formKeys, noInput, path, stamps } from './form.ts';

export const bloodGroups = options('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-');
export const foodOptions = options('Veg. Food', 'Jain. Food');

/** Refuses a mask for which no number was ever entered. */
export const maskAlone = text`Enter the full number. Each X is a hidden digit.`;
export const photoRequired = text`Child Photo is required. Please upload Child Photo.`;
export const permanentAddressRequired = text`Permanent Residential Address is required.`;
export const permanentAddressHelp = text`Please select each value.`;
export const pictureTooLarge = text`File size exceeds 2MB`;

export const childPhoto: UploadRule = {
  label: text`Child Photo`,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: pictureTooLarge,
  longestSide: 1200,
};

/** The seven parts of an address, by the ending of their wire names. */
export const addressParts = ['StreetNo', 'Address1', 'Address2', 'City', 'State', 'Country', 'PinCode'] as const;

const permanentLabels = {
  permanentStreetNo: text`Permanent Street No`,
  permanentAddress1: text`Permanent Address 1`,
  permanentAddress2: text`Permanent Address 2`,
  permanentCity: text`Permanent City`,
  permanentState: text`Permanent State`,
  permanentCountry: text`Permanent Country`,
  permanentPinCode: text`Permanent Pin Code`,
} as const;

export const basicInfoDraft = z
  .object({
    ...formKeys,
    firstName: freeText(text`First Name`, 50),
    lastName: freeText(text`Last Name`, 50),
    birthDate: birthDate(text`Birth Date`),
    bloodGroup: oneOf(text`Blood Group`, bloodGroups),
    // A10: an Aadhaar number, an enrolment or passport number, or "Applied for"; never a reason to turn a child away.
    aadharCardNo: freeText(text`Aadhar Card No`, 100, { isCode: true }),
    nationality: freeText(text`Nationality`, 50),
    caste: freeText(text`Caste`, 50),
    subCaste: freeText(text`Sub Caste`, 50),
    religion: freeText(text`Religion`, 50),
    emergencyMobileNo: mobile(text`Emergency (Mobile) Number`, {
      required: text`Emergency (Mobile) Number is required`,
    }),
    foodOption: oneOf(text`Food Option`, foodOptions),
    isTransportServiceOpted: yesNo(text`Transport Service`),
    studentUID: freeText(text`Student UID`, 20, { isCode: true }),
    schoolDISECode: freeText(text`School DISE Code`, 20, { isCode: true }),
    currentStreetNo: freeText(text`Street No`, 12),
    currentAddress1: freeText(text`Address 1`, 200),
    currentAddress2: freeText(text`Address 2`, 200),
    currentCity: freeText(text`City`, 100),
    currentState: freeText(text`State`, 100),
    currentCountry: freeText(text`Country`, 100),
    currentPinCode: freeText(text`Pin Code`, 10, { isCode: true }),
    sameAsPresentAddress: tick(text`Same as present address`),
    permanentStreetNo: optionalFreeText(permanentLabels.permanentStreetNo, 20),
    permanentAddress1: optionalFreeText(permanentLabels.permanentAddress1, 200),
    permanentAddress2: optionalFreeText(permanentLabels.permanentAddress2, 200),
    permanentCity: optionalFreeText(permanentLabels.permanentCity, 100),
    permanentState: optionalFreeText(permanentLabels.permanentState, 100),
    permanentCountry: optionalFreeText(permanentLabels.permanentCountry, 100),
    permanentPinCode: optionalFreeText(permanentLabels.permanentPinCode, 10, { isCode: true }),
  })
  .check(
    rule((draft, say) => {
      if (draft.sameAsPresentAddress === true) return;
      for (const part of addressParts) {
        const name = `permanent${part}` as const;
        if (!draft[name]) say(name, isRequired(permanentLabels[name]));
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
