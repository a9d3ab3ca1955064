import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { asOptional, type Field, field, inputOf, namesOf, omit, pick } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { importApi } from '#kit/contract/import.ts';
import { servedFile, sheetKinds } from '#kit/contract/served-file.ts';
import { options, text } from '#kit/contract/text.ts';
import { grNoField, newStudentFields, placeFields } from './add.ts';
import { guardianRoles } from './guardian.ts';
import { aadhaarFields, changes, checkAadhaar, identityFields, path, personalFields } from './record.ts';

const also = <One extends object>(one: One, ...alsoNamed: string[]) => ({ ...one, alsoNamed });

/** What a row says of the child; a child who is there already is changed by it. */
export const childColumns = {
  ...pick(personalFields, 'firstName', 'middleName', 'lastName', 'gender', 'birthDate', 'categoryId'),
  ...omit(personalFields, 'alert', 'alertLevel'),
  ...identityFields,
};

/** Sealed, and therefore compared apart from the other columns of the child. */
export const secretColumns = { aadhaar: also(aadhaarFields.aadhaar, 'Aadhaar', 'Aadhar number', 'Aadhar No') };

/** Where a new child sits. */
const placeColumns = {
  admittedOn: also(newStudentFields.admittedOn, 'Admission date', 'Date of admission', 'Adm Date', 'Admn Date'),
  gradeId: also(
    newStudentFields.gradeId,
    'Class',
    'Standard',
    'Std',
    'Std Div',
    'Class Sec',
    'Class Section',
    'Class Div',
  ),
  section: field.text(text`Section`, { max: 20, optional: true, alsoNamed: ['Division', 'Div', 'Sec'] }),
  rollNo: field.number(text`Roll number`, {
    least: 1,
    most: 999,
    optional: true,
    alsoNamed: ['Roll no', 'Roll', 'R No'],
  }),
  ...placeFields,
};

const schoolingColumns = {
  previousSchool: field.text(text`Previous school`, { max: 120, optional: true, alsoNamed: ['Last school'] }),
  previousClass: field.text(text`Class at the previous school`, { max: 30, optional: true }),
};

/** The adults of a row, by the relation of each; that of the third one is a column. */
export const adultNames = ['father', 'mother', 'guardian'] as const;
/** The words for them, in this order. */
export const adultWords = options('Father', 'Mother', 'Guardian');

const adultColumns = {
  father: field.text(text`Father’s name`, { max: 100, optional: true, alsoNamed: ['Father', 'Name of father'] }),
  fatherMobile: field.mobile(text`Father’s mobile number`, {
    optional: true,
    alsoNamed: ['Father mobile', 'Father contact', 'Contact number', 'Mobile', 'Phone'],
  }),
  fatherEmail: field.email(text`Father’s email`, { optional: true }),
  mother: field.text(text`Mother’s name`, { max: 100, optional: true, alsoNamed: ['Mother', 'Name of mother'] }),
  motherMobile: field.mobile(text`Mother’s mobile number`, { optional: true, alsoNamed: ['Mother mobile'] }),
  motherEmail: field.email(text`Mother’s email`, { optional: true }),
  guardian: field.text(text`Guardian’s name`, { max: 100, optional: true, alsoNamed: ['Guardian'] }),
  guardianRelation: field.text(text`Guardian’s relation`, { max: 60, optional: true, alsoNamed: ['Relation'] }),
  guardianMobile: field.mobile(text`Guardian’s mobile number`, { optional: true, alsoNamed: ['Guardian mobile'] }),
  guardianEmail: field.email(text`Guardian’s email`, { optional: true }),
  guardianRole: field.oneOf(text`Guardian’s role`, { options: guardianRoles, optional: true }),
  callFirst: field.oneOf(text`Whom to call`, { options: adultWords, optional: true }),
  deceased: field.someOf(text`Deceased`, { options: adultWords, optional: true }),
  mayNotCollect: field.someOf(text`May not collect`, { options: adultWords, optional: true }),
  noMessages: field.someOf(text`Gets no messages`, { options: adultWords, optional: true }),
  barred: field.someOf(text`Barred`, { options: adultWords, optional: true }),
  restriction: field.text(text`Restriction`, { max: 300, optional: true }),
};

/** The columns of a file of students: a row for each child, with up to three adults. */
export const studentFile = {
  grNo: also(grNoField.grNo, 'GR No', 'GRN', 'G.R.', 'Register number', 'Admission number', 'Adm No', 'Admn No'),
  ...childColumns,
  ...secretColumns,
  ...placeColumns,
  ...schoolingColumns,
  ...adultColumns,
};

/** Columns whose export needs a reason. */
export const sensitiveColumns = namesOf(studentFile).filter((name) => (studentFile[name] as Field).needsReason);

/** A row of the file as it is checked; the place and what a new child needs depend on other rows. */
export const importedStudent = z
  .object(
    inputOf({
      ...studentFile,
      admittedOn: asOptional(placeColumns.admittedOn),
      gradeId: asOptional(placeColumns.gradeId),
    }),
  )
  .check(checkAadhaar);

/**
 * Adds students with their adults in the background, and changes those that have the row's GR number. An empty cell
 * changes nothing.
 */
export const studentImportApi = {
  ...importApi({
    path: `${path}/import`,
    access: studentKeepers,
    changes: [...changes, 'section', 'run'],
    columns: studentFile,
    needed: ['firstName'],
    pair: ['gradeId', 'section'],
    whole: {
      parts: ['firstName', 'middleName', 'lastName'],
      alsoNamed: [
        'Name',
        'Full name',
        'Student name',
        'Name of student',
        'Name of the student',
        'Child name',
        'Pupil name',
      ],
      elder: 'father',
    },
  }),
  /** The rows that an import of one's own refused, as they were sent, with the reasons. */
  refused: endpoint({
    method: 'GET',
    path: `${path}/import/refused`,
    access: studentKeepers,
    input: z.object({ run: id, as: z.enum(sheetKinds) }),
    output: servedFile,
  }),
};
