/** What a session is: Admin by password, Staff by a one-time code or Google (decision 2). */
export const roles = ['Staff', 'Admin'] as const;
export type Role = (typeof roles)[number];

/** What a Staff member may do, beyond what all Staff may. */
export const permissionSets = [
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
  'classTeacher',
  'subjectTeacher',
  'headOfDepartment',
  'assessor',
] as const;
export type PermissionSet = (typeof permissionSets)[number];

/** What people call a set, and what it opens. */
export const setWords: Record<PermissionSet, { name: string; opens: string }> = {
  office: { name: 'Office', opens: 'Inquiries, reviews, student data, announcements' },
  admissionHead: { name: 'Admission head', opens: 'Decisions, offers, seats' },
  accountant: { name: 'Accountant', opens: 'Fees, receipts, cheques' },
  financeApprover: { name: 'Finance approver', opens: 'Approves concessions, refunds, cancelled receipts' },
  transportIncharge: { name: 'Transport incharge', opens: 'Vehicles, routes, stop changes' },
  hr: { name: 'HR', opens: 'Staff documents, leave' },
  principal: { name: 'Principal', opens: 'Reads and approves everything; staff observation' },
  ticketAgent: { name: 'Ticket agent', opens: 'Tickets of their department' },
  nurse: { name: 'Nurse', opens: 'Health notes of any student, with a reason' },
  counsellor: { name: 'Counsellor', opens: 'Restricted notes of any student, with a reason' },
  classTeacher: { name: 'Class teacher', opens: 'Attendance, homework, observation of their section' },
  subjectTeacher: { name: 'Subject teacher', opens: 'Attendance, homework, observation in their subject' },
  headOfDepartment: { name: 'Head of department', opens: 'Reports and observation of their department' },
  assessor: { name: 'Assessor', opens: 'Interactions with children and parents' },
};

/** Staff who hold one of these sets; without any, all Staff. */
export const staff = (...sets: PermissionSet[]) => ({ role: 'Staff' as const, sets });

export const admin = () => ({ role: 'Admin' as const, sets: [] });

/** Everybody who is signed in. */
export const signedIn = [staff(), admin()] as const;
