import * as z from 'zod/mini';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { importApi } from '#kit/contract/import.ts';
import { field, type MasterField, namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { changes, checkContact, genders, newStaffFields, personFields, postLabels, staffKeepers } from './record.ts';

/** The columns of a file of staff. */
export const staffFile = {
  employeeNumber: field.text(text`Employee number`, { max: 30, optional: true }),
  name: field.text(text`Name`, { max: 100 }),
  mobile: field.text(text`Mobile number`, { max: 20, optional: true }),
  email: field.text(text`Email address`, { max: 100, optional: true }),
  gender: field.oneOf(text`Gender`, { options: genders, optional: true }),
  birthDate: field.date(text`Birth date`, { optional: true }),
  joinedOn: field.date(text`Joining date`),
  designationId: field.ref(postLabels.designation, { to: namedBy(designationMaster) }),
  departmentId: field.ref(postLabels.department, { to: namedBy(departmentMaster) }),
  branchId: field.ref(postLabels.branch, { to: namedBy(branchMaster), optional: true }),
  staffCategoryId: field.ref(postLabels.staffCategory, { to: namedBy(staffCategoryMaster), optional: true }),
  employmentTypeId: field.ref(postLabels.employmentType, { to: namedBy(employmentTypeMaster), optional: true }),
} satisfies Record<string, MasterField>;

/** A row of the file as a new member of staff. */
export const importedStaff = z
  .object({ ...newStaffFields, birthDate: personFields.birthDate })
  .check(checkContact as never);

/**
 * Adds staff, and changes those that have the row's employee number, or without one its mobile number or email address.
 * An empty cell changes nothing; posts, and the contacts of somebody with an account, are not changed by a file.
 */
export const staffImportApi = importApi({ path: '/staff/import', access: staffKeepers, changes });
