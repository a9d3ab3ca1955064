import * as z from 'zod/mini';
import { staffKeepers } from '#access/contract/grants.ts';
import { checkName } from '#features/school/contract/one-name.ts';
import { asOptional, inputOf, namesOf, omit, pick } from '#kit/contract/field.ts';
import { importApi } from '#kit/contract/import.ts';
import type { staffList } from './list.ts';
import { changes, checkContact, employmentFields, newStaffFields, personFields, postFields } from './record.ts';

/** What a file says of the person, and changes of one who is there. */
export const importedPerson = pick(personFields, 'name', 'mobile', 'email', 'gender', 'birthDate');

/** The columns of a file of staff. */
export const staffFile = {
  employeeNumber: asOptional(personFields.employeeNumber),
  ...importedPerson,
  ...employmentFields,
  ...omit(postFields, 'reportsToId'),
  branchId: asOptional(postFields.branchId),
};

/** The same columns in the staff list. */
export const listedColumns = namesOf(staffFile).map(
  (name) => name.replace(/Id$/, '') as keyof typeof staffList.columns,
);

/** A row of the file as a new member of staff. */
export const importedStaff = z.object(inputOf({ ...newStaffFields, ...importedPerson })).check(checkContact, checkName);

/**
 * Adds staff, and changes those that have the row's employee number, or without one its mobile number or email address.
 * An empty cell changes nothing; posts, and the contacts of somebody with an account, are not changed by a file.
 */
export const staffImportApi = importApi({
  path: '/staff/import',
  access: staffKeepers,
  changes,
  columns: staffFile,
  needed: ['name'],
});
