import * as z from 'zod/mini';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { asOptional, inputOf, omit, pick } from '#kit/contract/field.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { checkMobile } from './inquiry.ts';
import { childFields, inquiryFields, inquiryKeepers, officeFields, parentFields } from './record.ts';

/** The columns of a file of inquiries, in the order of its template; a parent’s field that is not named comes last. */
export const inquiryFile = {
  ...omit(childFields, 'ageReason'),
  academicYearId: { ...childFields.academicYearId, to: namedBy(yearMaster) },
  branchId: asOptional(childFields.branchId),
  programId: asOptional(childFields.programId),
  ...pick(parentFields, 'fatherFirstName', 'fatherLastName', 'fatherMobile', 'fatherEmail'),
  ...pick(parentFields, 'motherFirstName', 'motherLastName', 'motherMobile', 'motherEmail'),
  ...parentFields,
  ...officeFields,
  quota: asOptional(officeFields.quota),
  ageReason: childFields.ageReason,
};

/** A row of the file as a new inquiry; the same rules as the form's. */
export const importedInquiry = z.object(inputOf(inquiryFields)).check(checkMobile);

/** Adds the inquiries of a file; a child that has one in the year is left as it is. */
export const inquiryImportApi = importApi({
  path: '/inquiry/import',
  access: inquiryKeepers,
  changes: ['inquiry'],
  columns: inquiryFile,
  needed: ['firstName'],
});
