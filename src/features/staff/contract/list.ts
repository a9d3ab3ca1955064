import * as z from 'zod/mini';
import { staff, staffReaders } from '#access/contract/grants.ts';
import { columnOf, columnsOf } from '#kit/contract/record.ts';
import { defineList, filterBy } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { documentStates } from './document.ts';
import { employmentFields, postFields, shows, staffRecord, staffStatuses } from './record.ts';

export const signInStates = options('Signs in', 'Never signed in', 'Suspended', 'No account');

/** Another feature knows who is away. */
const awayStates = options('Away today');
/** Who reads it. */
export const awayReaders = [staff('office', 'principal', 'hr')] as const;
/** How a person is away today; '' for who is not, and for those who do not read it. */
const awayToday = ['', 'Day', 'First half', 'Second half'] as const;

export const staffList = defineList({
  name: 'staff',
  path: '/staff',
  singular: text`staff member`,
  plural: text`staff`,
  access: staffReaders,
  shows: [...shows, 'workday', 'staff-category', 'account', 'document-type', 'section-teacher'],
  columns: {
    name: columnOf(staffRecord, 'name', { isSorted: true }),
    employeeNumber: columnOf(staffRecord, 'employeeNumber', { head: text`Number`, isSorted: true, onPhone: 'away' }),
    designation: postFields.designationId,
    department: postFields.departmentId,
    staffCategory: { ...postFields.staffCategoryId, isAside: true },
    employmentType: { ...postFields.employmentTypeId, isAside: true },
    branch: { ...postFields.branchId, isAside: true },
    mobile: columnOf(staffRecord, 'mobile', { head: text`Mobile` }),
    ...columnsOf(staffRecord, ['email', 'gender', 'birthDate'], { isAside: true }),
    joinedOn: { ...employmentFields.joinedOn, head: text`Joined`, isSorted: true, onPhone: 'away' },
    sections: { kind: 'someText', label: text`Sections`, isAside: true },
    documentsDue: { kind: 'number', label: text`Documents due`, isAside: true },
    signIn: { kind: 'oneOf', label: text`Account`, options: signInStates, onPhone: 'away' },
    status: { kind: 'oneOf', label: text`Status`, options: staffStatuses, onPhone: 'end' },
  },
  filters: {
    departmentId: filterBy(postFields.departmentId),
    designationId: filterBy(postFields.designationId),
    branchId: filterBy(postFields.branchId),
    staffCategoryId: filterBy(postFields.staffCategoryId),
    employmentTypeId: filterBy(postFields.employmentTypeId),
    signIn: { kind: 'oneOf', label: text`Account`, options: signInStates },
    documents: { kind: 'oneOf', label: text`Documents`, options: documentStates },
    away: { kind: 'oneOf', label: text`Today`, options: awayStates },
  },
  tabs: {
    active: text`Active`,
    joining: text`Joining`,
    due: text`Documents due`,
    left: text`Left`,
    all: text`All`,
  },
  extra: { picture: z.string(), away: z.enum(awayToday) },
});
