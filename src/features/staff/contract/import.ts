import * as z from 'zod/mini';
import { staffKeepers } from '#access/contract/grants.ts';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { importApi } from '#kit/contract/import.ts';
import { field, type MasterField, namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { changes, checkContact, genders, newStaffFields, personFields, postLabels } from './record.ts';

/** The columns of a file of staff. */
export const staffFile = {
  employeeNumber: field.text(text`Employee number`, {
    max: 30,
    optional: true,
    alsoNamed: [
      'Emp No',
      'Emp Number',
      'Emp ID',
      'Emp Code',
      'Employee No',
      'Employee ID',
      'Employee Code',
      'Staff No',
      'Staff ID',
      'Staff Code',
    ],
  }),
  name: field.text(text`Name`, { max: 100, alsoNamed: ['Full name', 'Staff name', 'Employee name', 'Teacher name'] }),
  mobile: field.text(text`Mobile number`, {
    max: 20,
    optional: true,
    alsoNamed: ['Mobile', 'Mobile No', 'Phone', 'Phone No', 'Phone number', 'Contact No', 'Contact number', 'Cell'],
  }),
  email: field.text(text`Email address`, { max: 100, optional: true, alsoNamed: ['Email', 'Email ID', 'Mail ID'] }),
  gender: field.oneOf(text`Gender`, { options: genders, optional: true, alsoNamed: ['Sex'] }),
  birthDate: field.date(text`Birth date`, { optional: true, alsoNamed: ['DOB', 'Date of birth'] }),
  joinedOn: field.date(text`Joining date`, { alsoNamed: ['DOJ', 'Date of joining', 'Joined on'] }),
  designationId: field.ref(postLabels.designation, {
    to: namedBy(designationMaster),
    alsoNamed: ['Job title', 'Post', 'Position'],
  }),
  departmentId: field.ref(postLabels.department, { to: namedBy(departmentMaster), alsoNamed: ['Dept'] }),
  branchId: field.ref(postLabels.branch, { to: namedBy(branchMaster), optional: true, alsoNamed: ['Campus'] }),
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
export const staffImportApi = importApi({
  path: '/staff/import',
  access: staffKeepers,
  changes,
  columns: staffFile,
  needed: ['name'],
});
