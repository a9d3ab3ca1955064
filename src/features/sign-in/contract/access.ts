/** What a session is: Admin by password, Staff by a one-time code or Google (decision 2). */
export const roles = ['Staff', 'Admin'] as const;
export type Role = (typeof roles)[number];

/** What a Staff member may do, beyond what all Staff may (areas.md 0.2). */
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

/** Staff who hold one of these sets; without any, all Staff. */
export const staff = (...sets: PermissionSet[]) => ({ role: 'Staff' as const, sets });

export const admin = () => ({ role: 'Admin' as const, sets: [] });

/** Everybody who is signed in. */
export const signedIn = [staff(), admin()] as const;
