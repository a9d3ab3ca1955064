import * as z from 'zod/mini';
import { admin, derivedSets, grantedSets, permissionSets, roles, signedIn, staff } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  chosenId,
  freeText,
  id,
  optionalBirthDate,
  optionalEmail,
  optionalFreeText,
  optionalMobile,
  optionalOneOf,
  rule,
  tick,
} from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, neededId, wholeNumber } from '#kit/contract/shell-fields.ts';
import { anyText, options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';

const path = '/staff';
/** Who keeps the staff records: every branch for an Admin, the branches of their account for HR. */
export const staffKeepers = [admin(), staff('hr')] as const;
/** Who reads the staff list; office, accountant and principal read it without personal data. */
export const staffReaders = [admin(), staff('hr', 'principal', 'office', 'accountant')] as const;
const shows = ['staff', 'staff-record', 'department', 'designation', 'branch'];
const changes = ['staff', 'staff-record'];

export const genders = options('Female', 'Male', 'Other');
export const maritalStatuses = options('Single', 'Married', 'Widowed', 'Divorced');
export const bloodGroups = options('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-');
export const documentStatuses = options('Waiting', 'Verified', 'Rejected');
/** Derived from the spells of employment and, later, from leave; never stored. */
export const staffStatuses = options('Active', 'Joining', 'Left');

const lastFour = { like: /^[0-9]{4}$/, unlike: text`Enter the last 4 digits only.` };

/** The person, apart from employment. */
export const personFields = {
  name: freeText(text`Name`, 100),
  employeeNumber: optionalFreeText(text`Employee number`, 30, { like: /^[A-Za-z0-9 /._-]+$/ }),
  mobile: optionalMobile(text`Mobile number`),
  email: optionalEmail(text`Email address`),
  gender: optionalOneOf(text`Gender`, genders),
  birthDate: optionalBirthDate(text`Birth date`),
  bloodGroup: optionalOneOf(text`Blood group`, bloodGroups),
  maritalStatus: optionalOneOf(text`Marital status`, maritalStatuses),
  personalEmail: optionalEmail(text`Personal email address`),
  address: optionalFreeText(text`Address`, 300),
  emergencyName: optionalFreeText(text`Emergency contact`, 100),
  emergencyRelation: optionalFreeText(text`Relation`, 60),
  emergencyMobile: optionalMobile(text`Emergency mobile number`),
  aadhaarLast4: optionalFreeText(text`Aadhaar, last 4 digits`, 4, lastFour),
  panLast4: optionalFreeText(text`PAN, last 4 characters`, 4, {
    like: /^[0-9A-Za-z]{4}$/,
    unlike: text`Enter the last 4 characters only.`,
  }),
};

/** What a person works as from a day on. */
export const postFields = {
  designationId: neededId(text`Designation`),
  departmentId: neededId(text`Department`),
  branchId: neededId(text`Branch`),
  staffCategoryId: chosenId(text`Staff category`),
  employmentTypeId: chosenId(text`Employment type`),
  reportsToId: chosenId(text`Reports to`),
};

export const needsContact = text`Enter a mobile number or an email address.`;
const checkContact = rule<{ mobile: string; email: string }>(({ mobile, email }, say) => {
  if (mobile === '' && email === '') say('mobile', needsContact);
});

export const newStaffFields = {
  name: personFields.name,
  mobile: personFields.mobile,
  email: personFields.email,
  gender: personFields.gender,
  joinedOn: calendarDay(text`Joining date`),
  ...postFields,
  /** The next of the series if empty. */
  employeeNumber: personFields.employeeNumber,
};

const person = z.object({
  name: z.string(),
  employeeNumber: z.string(),
  mobile: z.string(),
  email: z.string(),
  gender: z.string(),
  birthDate: z.string(),
  bloodGroup: z.string(),
  maritalStatus: z.string(),
  personalEmail: z.string(),
  address: z.string(),
  emergencyName: z.string(),
  emergencyRelation: z.string(),
  emergencyMobile: z.string(),
  aadhaarLast4: z.string(),
  panLast4: z.string(),
});

const named = z.nullable(z.object({ id: z.number(), name: z.string() }));
const post = z.object({
  id: z.number(),
  from: z.string(),
  /** '' without an end. */
  until: z.string(),
  designation: z.string(),
  department: z.string(),
  branch: z.string(),
  staffCategory: z.string(),
  employmentType: z.string(),
  reportsTo: named,
  /** The fields' values, for the form. */
  values: z.object({
    designationId: z.number(),
    departmentId: z.number(),
    branchId: z.number(),
    staffCategoryId: z.nullable(z.number()),
    employmentTypeId: z.nullable(z.number()),
    reportsToId: z.nullable(z.number()),
  }),
});
export type StaffPost = z.infer<typeof post>;

const spell = z.object({
  id: z.number(),
  joinedOn: z.string(),
  lastDay: z.string(),
  probationEndsOn: z.string(),
  confirmedOn: z.string(),
  separationReason: z.string(),
  remark: z.string(),
});

/** The head of a person's page, as its reader may see it: colleagues get `card` alone. */
const record = z.object({
  id: z.number(),
  version: z.number(),
  card: z.object({
    name: z.string(),
    picture: z.string(),
    designation: z.string(),
    department: z.string(),
    email: z.string(),
  }),
  isOwn: z.boolean(),
  /** The reader keeps this record. */
  isKept: z.boolean(),
  /** Null for colleagues. */
  status: z.nullable(z.enum(staffStatuses)),
  /** The last day of work, once it is known. */
  lastDay: z.string(),
  person: z.nullable(person),
});
export type StaffRecord = z.infer<typeof record>;

const qualification = z.object({
  id: z.number(),
  version: z.number(),
  qualificationId: z.number(),
  name: z.string(),
  isTeacherTraining: z.boolean(),
  subject: z.string(),
  institute: z.string(),
  year: z.nullable(z.number()),
  result: z.string(),
});
const qualificationFields = {
  qualificationId: neededId(text`Qualification`),
  subject: optionalFreeText(text`Subject`, 100),
  institute: optionalFreeText(text`Institute`, 100),
  year: wholeNumber(text`Year`, { least: 1940, most: 2100, optional: true }),
  result: optionalFreeText(text`Result`, 20),
};

const experience = z.object({
  id: z.number(),
  version: z.number(),
  employer: z.string(),
  jobTitle: z.string(),
  fromDay: z.string(),
  untilDay: z.string(),
});
const experienceFields = {
  employer: freeText(text`Employer`, 100),
  jobTitle: freeText(text`Designation`, 100),
  fromDay: calendarDay(text`From`),
  untilDay: calendarDay(text`Until`, true),
};

export const staffDocumentRule: UploadRule = {
  label: text`File`,
  kinds: ['png', 'jpeg', 'pdf'],
  maxBytes: 4 * megabyte,
  wrongType: text`Select a JPG, PNG or PDF file.`,
  tooLarge: text`File size exceeds 4MB`,
};

const document = z.object({
  id: z.number(),
  version: z.number(),
  type: z.string(),
  fileId: z.string(),
  issuedOn: z.string(),
  expiresOn: z.string(),
  status: z.enum(documentStatuses),
  decidedBy: z.string(),
  remark: z.string(),
  addedAt: z.iso.datetime(),
});
export type StaffDocument = z.infer<typeof document>;

/** A permission set that follows from the mapping, and its source: "Class teacher of Grade 5, A from 1 Jun 2026". */
const derivedRight = z.object({ set: z.enum(derivedSets), source: anyText });

const account = z.object({
  /** Null without an account. */
  account: z.nullable(
    z.object({
      id: z.number(),
      version: z.number(),
      userName: z.string(),
      roles: z.array(z.enum(roles)),
      isActive: z.boolean(),
      sets: z.array(z.enum(permissionSets)),
      branches: z.array(z.object({ id: z.number(), name: z.string() })),
      /** '' before the first sign-in. */
      lastSignInAt: z.string(),
      devices: z.number(),
    }),
  ),
  derived: z.array(derivedRight),
});
export type StaffAccount = z.infer<typeof account>;

export const channels = options('Email', 'SMS');
const known = { id, version: id };
const done = z.object({ id: z.number(), version: z.number() });

/** What relieving a person ends, each with a sentence; without a confirm token it only lists them. */
const relieved = previewed({ ends: z.array(anyText), blocks: z.array(anyText) });

export const staffRecordApi = {
  create: endpoint({
    method: 'POST',
    path,
    access: staffKeepers,
    changes,
    input: z.object(newStaffFields).check(checkContact),
    output: done,
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/record`,
    access: signedIn,
    shows,
    input: z.object({ id }),
    output: record,
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: staffKeepers,
    changes,
    input: z.object({ ...known, ...personFields }).check(checkContact),
    output: done,
  }),
  history: historyOf(path, staffKeepers, ['staff', 'staff-record', 'account']),
  employment: endpoint({
    method: 'GET',
    path: `${path}/:id/employment`,
    access: signedIn,
    shows,
    input: z.object({ id }),
    output: z.object({ posts: z.array(post), spells: z.array(spell) }),
  }),
  /** Designation, department and the rest from a day on; the previous post ends the day before. */
  savePost: endpoint({
    method: 'POST',
    path: `${path}/:id/post`,
    access: staffKeepers,
    changes,
    input: z.object({ id, from: calendarDay(text`From`), ...postFields }),
    output: z.object({}),
  }),
  /** The last day of work, after a preview of the mappings and the account that end with it (as-built 1.14). */
  relieve: endpoint({
    method: 'POST',
    path: `${path}/:id/relieve`,
    access: staffKeepers,
    changes: [...changes, 'account', 'session', 'section-teacher'],
    isReported: true,
    input: z.object({
      id,
      lastDay: calendarDay(text`Last day`),
      separationReasonId: neededId(text`Reason`),
      remark: optionalFreeText(text`Remark`, 500),
      endsAccessNow: tick(text`End access now`),
      /** Relieves a class teacher without a replacement. */
      isOverridden: tick(text`Relieve without a replacement`),
      confirmToken,
    }),
    output: relieved,
  }),
  rejoin: endpoint({
    method: 'POST',
    path: `${path}/:id/rejoin`,
    access: staffKeepers,
    changes,
    input: z.object({ id, joinedOn: calendarDay(text`Joining date`), ...postFields }),
    output: z.object({}),
  }),
  education: endpoint({
    method: 'GET',
    path: `${path}/:id/education`,
    access: signedIn,
    shows: [...shows, 'qualification'],
    input: z.object({ id }),
    output: z.object({ qualifications: z.array(qualification), experience: z.array(experience) }),
  }),
  addQualification: endpoint({
    method: 'POST',
    path: `${path}/:id/qualification`,
    access: staffKeepers,
    changes,
    input: z.object({ id, ...qualificationFields }),
    output: z.object({}),
  }),
  removeQualification: endpoint({
    method: 'DELETE',
    path: `${path}/:id/qualification/:qualification`,
    access: staffKeepers,
    changes,
    input: z.object({ id, qualification: id }),
    output: z.object({}),
  }),
  addExperience: endpoint({
    method: 'POST',
    path: `${path}/:id/experience`,
    access: staffKeepers,
    changes,
    input: z.object({ id, ...experienceFields }).check(
      rule<{ fromDay: string; untilDay: string }>(({ fromDay, untilDay }, say) => {
        if (fromDay && untilDay && untilDay < fromDay) say('untilDay', text`Enter a day on or after the first day.`);
      }),
    ),
    output: z.object({}),
  }),
  removeExperience: endpoint({
    method: 'DELETE',
    path: `${path}/:id/experience/:experience`,
    access: staffKeepers,
    changes,
    input: z.object({ id, experience: id }),
    output: z.object({}),
  }),
  documents: endpoint({
    method: 'GET',
    path: `${path}/:id/document`,
    access: signedIn,
    shows: [...shows, 'document-type'],
    input: z.object({ id }),
    output: z.object({ documents: z.array(document), missing: z.array(z.string()) }),
  }),
  /** One's own documents wait for HR; HR's are verified at once. */
  addDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document`,
    access: signedIn,
    changes,
    input: z.object({
      id,
      documentTypeId: neededId(text`Document`),
      issuedOn: calendarDay(text`Issued on`, true),
      expiresOn: calendarDay(text`Expires on`, true),
    }),
    output: z.object({}),
    files: { file: staffDocumentRule },
  }),
  /** Each view is audited. */
  viewDocument: endpoint({
    method: 'GET',
    path: `${path}/:id/document/:document/file`,
    access: signedIn,
    input: z.object({ id, document: id }),
    output: servedFile,
  }),
  decideDocument: endpoint({
    method: 'POST',
    path: `${path}/:id/document/:document/decide`,
    access: staffKeepers,
    changes,
    input: z
      .object({
        id,
        document: id,
        version: id,
        isVerified: z.boolean(),
        remark: optionalFreeText(text`Remark`, 500),
      })
      .check(
        rule<{ isVerified: boolean; remark: string }>(({ isVerified, remark }, say) => {
          if (isVerified === false && remark === '') say('remark', text`Say why, so that it can be corrected.`);
        }),
      ),
    output: z.object({}),
  }),
  removeDocument: endpoint({
    method: 'DELETE',
    path: `${path}/:id/document/:document`,
    access: staffKeepers,
    changes,
    input: z.object({ id, document: id }),
    output: z.object({}),
  }),
  account: endpoint({
    method: 'GET',
    path: `${path}/:id/account`,
    access: [admin()],
    shows: [...shows, 'account', 'session', 'section-teacher'],
    input: z.object({ id }),
    output: account,
  }),
  /** Makes the person's account and sends an invitation; again, sends another one. */
  invite: endpoint({
    method: 'POST',
    path: `${path}/:id/invite`,
    access: [admin()],
    changes: [...changes, 'account'],
    isConfirmed: true,
    input: z.object({
      id,
      channel: z.enum(channels),
      sets: z._default(listOf(z.enum(grantedSets), { most: grantedSets.length }), []),
      branchIds: z._default(listOf(id, { most: 100 }), []),
    }),
    output: z.object({}),
  }),
  /** Suspends or restores sign-in; suspending ends every session. */
  suspend: endpoint({
    method: 'POST',
    path: `${path}/:id/suspend`,
    access: [admin()],
    changes: [...changes, 'account', 'session'],
    isConfirmed: true,
    input: z.object({ id, version: id, isSuspended: z.boolean() }),
    output: z.object({}),
  }),
  /** Sets and branches of the person's account. */
  grant: endpoint({
    method: 'POST',
    path: `${path}/:id/grant`,
    access: [admin()],
    changes: [...changes, 'account'],
    isConfirmed: true,
    input: z.object({
      id,
      version: id,
      sets: z._default(listOf(z.enum(grantedSets), { most: grantedSets.length }), []),
      branchIds: z._default(listOf(id, { most: 100 }), []),
    }),
    output: z.object({}),
  }),
};
