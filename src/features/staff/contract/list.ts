import * as z from 'zod/mini';
import { staffReaders } from '#access/contract/grants.ts';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { documentStates } from './document.ts';
import { shows, staffStatuses } from './record.ts';

export const signInStates = options('Signs in', 'Never signed in', 'Suspended', 'No account');

export const staffList = defineList({
  name: 'staff',
  path: '/staff',
  singular: text`staff member`,
  plural: text`staff`,
  access: staffReaders,
  shows: [...shows, 'staff-category', 'account', 'document-type', 'section-teacher'],
  columns: {
    name: { kind: 'text', label: text`Name`, isSorted: true },
    employeeNumber: { kind: 'text', label: text`Employee number`, isSorted: true },
    designation: { kind: 'text', label: text`Designation` },
    department: { kind: 'text', label: text`Department` },
    staffCategory: { kind: 'text', label: text`Staff category`, isAside: true },
    branch: { kind: 'text', label: text`Branch`, isAside: true },
    mobile: { kind: 'text', label: text`Mobile number` },
    email: { kind: 'text', label: text`Email address`, isAside: true },
    joinedOn: { kind: 'date', label: text`Joining date`, isSorted: true },
    sections: { kind: 'someText', label: text`Sections`, isAside: true },
    documentsDue: { kind: 'number', label: text`Documents due`, isAside: true },
    signIn: { kind: 'oneOf', label: text`Account`, options: signInStates },
    status: { kind: 'oneOf', label: text`Status`, options: staffStatuses },
  },
  filters: {
    departmentId: { kind: 'ref', label: text`Department`, options: departmentMaster.api.options },
    designationId: { kind: 'ref', label: text`Designation`, options: designationMaster.api.options },
    branchId: { kind: 'ref', label: text`Branch`, options: branchMaster.api.options },
    staffCategoryId: { kind: 'ref', label: text`Staff category`, options: staffCategoryMaster.api.options },
    employmentTypeId: { kind: 'ref', label: text`Employment type`, options: employmentTypeMaster.api.options },
    signIn: { kind: 'oneOf', label: text`Account`, options: signInStates },
    documents: { kind: 'oneOf', label: text`Documents`, options: documentStates },
  },
  tabs: {
    active: text`Active`,
    joining: text`Joining`,
    due: text`Documents due`,
    left: text`Left`,
    all: text`All`,
  },
  extra: { picture: z.string() },
});
