import * as z from 'zod/mini';
import { admin, signedIn, staff } from '#access/contract/grants.ts';
import { staffList } from '#features/staff/contract/list.ts';
import { staffStatuses } from '#features/staff/contract/record.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { todayOf } from '#kit/contract/served-card.ts';
import { text } from '#kit/contract/text.ts';
import { reportOf } from './report.ts';

const path = '/report/staff';
const shows = ['staff', 'staff-record', 'designation', 'department', 'section-teacher', 'attendance'];
/** HR and principals those of their branches, heads those of their departments. */
const staffReportReaders = [admin(), staff('hr', 'principal', 'headOfDepartment')] as const;
const { name, employeeNumber, designation, department, staffCategory, sections, documentsDue, joinedOn, status } =
  staffList.columns;
const { departmentId, designationId, branchId, staffCategoryId, employmentTypeId, documents } = staffList.filters;

/** The finder of the staff report. */
export const staffReportList = defineList({
  name: 'staff-report',
  path,
  singular: text`staff member`,
  plural: text`staff`,
  access: staffReportReaders,
  shows,
  columns: {
    name,
    employeeNumber,
    designation,
    department,
    staffCategory,
    joinedOn,
    sections: { ...sections, isAside: false },
    documentsDue: { ...documentsDue, isAside: false },
    status,
  },
  filters: { departmentId, designationId, branchId, staffCategoryId, employmentTypeId, documents },
  tabs: { active: text`Active`, joining: text`Joining`, left: text`Left`, all: text`All` },
  extra: { picture: z.string() },
});

export const staffReportApi = {
  today: todayOf(path, signedIn, shows, 'staff'),
  ...reportOf({
    path,
    access: signedIn,
    shows,
    record: 'staff',
    head: z.object({
      id: z.number(),
      name: z.string(),
      picture: z.string(),
      employeeNumber: z.string(),
      designation: z.string(),
      department: z.string(),
      mobile: z.string(),
      status: z.enum(staffStatuses),
      lastDay: z.string(),
      isOwn: z.boolean(),
    }),
  }),
};
