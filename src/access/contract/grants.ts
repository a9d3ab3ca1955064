import { options, type Text, text } from '#kit/contract/text.ts';

/** The roles of a session: Admin by password, Staff by a one-time code or Google. */
export const roles = options('Staff', 'Admin');
export type Role = (typeof roles)[number];

/** Permissions of a Staff member that an Admin grants. */
export const grantedSets = [
  'office',
  'admissionHead',
  'accountant',
  'financeApprover',
  'transportIncharge',
  'hr',
  'principal',
  'ticketAgent',
  'nurse',
  'counsellor',
] as const;
export type GrantedSet = (typeof grantedSets)[number];

/** Permissions that follow from the work of the day: class and subject teachers, substitutes, heads of departments, assessors. */
export const derivedSets = ['classTeacher', 'subjectTeacher', 'substitute', 'headOfDepartment', 'assessor'] as const;
export type DerivedSet = (typeof derivedSets)[number];

/** Permissions of a Staff member, beyond those of all Staff. */
export const permissionSets = [...grantedSets, ...derivedSets] as const;
export type PermissionSet = (typeof permissionSets)[number];

/** The name of each set, and what it gives access to. */
export const setWords: Record<PermissionSet, { name: Text; opens: Text }> = {
  office: { name: text`Office`, opens: text`Inquiries, reviews, student data, announcements` },
  admissionHead: { name: text`Admission head`, opens: text`Decisions, offers, seats` },
  accountant: { name: text`Accountant`, opens: text`Fees, receipts, cheques` },
  financeApprover: { name: text`Finance approver`, opens: text`Approves concessions, refunds, cancelled receipts` },
  transportIncharge: { name: text`Transport incharge`, opens: text`Vehicles, routes, stop changes` },
  hr: { name: text`HR`, opens: text`Staff documents, leave` },
  principal: { name: text`Principal`, opens: text`Reads and approves everything; staff observation` },
  ticketAgent: { name: text`Ticket agent`, opens: text`Tickets of their department` },
  nurse: { name: text`Nurse`, opens: text`Health notes of any student, with a reason` },
  counsellor: { name: text`Counsellor`, opens: text`Restricted notes of any student, with a reason` },
  classTeacher: { name: text`Class teacher`, opens: text`Attendance, homework, observation of their section` },
  subjectTeacher: { name: text`Subject teacher`, opens: text`Attendance, homework, observation in their subject` },
  substitute: { name: text`Substitute`, opens: text`The register of another section on its day` },
  headOfDepartment: { name: text`Head of department`, opens: text`Reports and observation of their department` },
  assessor: { name: text`Assessor`, opens: text`Interactions with children and parents` },
};

/** Staff who hold one of these sets; without any, all Staff. */
export const staff = (...sets: PermissionSet[]) => ({ role: 'Staff' as const, sets });

export const admin = () => ({ role: 'Admin' as const, sets: [] });

/** Every signed-in user. */
export const signedIn = [staff(), admin()] as const;

/** Who keeps the staff records: every branch for an Admin, the branches of their account for HR. */
export const staffKeepers = [admin(), staff('hr')] as const;
/** Who reads the staff list; office, accountant and principal read it without personal data. */
export const staffReaders = [admin(), staff('hr', 'principal', 'office', 'accountant')] as const;

/** Who keeps the students' records: every branch for an Admin, the branches of their account for the office. */
export const studentKeepers = [admin(), staff('office')] as const;
/** Who reads the students' list and the heads of their records; teachers those of the sections they teach today. */
export const studentReaders = [
  admin(),
  staff(
    'office',
    'principal',
    'accountant',
    'transportIncharge',
    'nurse',
    'counsellor',
    'classTeacher',
    'subjectTeacher',
  ),
] as const;

/** Who sets up vehicles, routes and riders. */
export const transportKeepers = [staff('transportIncharge')] as const;
/** Who reads routes, vehicles and trips. */
export const transportReaders = [staff('transportIncharge', 'principal')] as const;
/** Who reads the riders and their stops. */
export const riderReaders = [staff('transportIncharge', 'principal', 'office', 'accountant', 'hr')] as const;
/** Those of them who read students, and so choose one. */
export const studentRiderReaders = [staff('transportIncharge', 'principal', 'office', 'accountant')] as const;

/** Who sets prices and makes plans. Admins see no amounts. */
export const feeWriters = [staff('accountant')] as const;
/** Who reads prices and plans; teachers see no amounts. */
export const feeReaders = [staff('accountant', 'financeApprover', 'office', 'principal')] as const;
/** Who publishes prices and decides on concessions; the accountant proposes them. */
export const feeDeciders = [staff('financeApprover', 'principal')] as const;

/** Who writes announcements: a class teacher to the sections led today, the others within the branches of their account. */
export const announcementWriters = [staff('office', 'principal', 'classTeacher')] as const;
/** Who reads every announcement of their branches, and writes to anybody there. */
export const announcementKeepers = [staff('office', 'principal')] as const;
