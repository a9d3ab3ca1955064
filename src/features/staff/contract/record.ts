import * as z from 'zod/mini';
import { signedIn, staffKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  chosenId,
  fieldInfo,
  freeText,
  id,
  optionalBirthDate,
  optionalEmail,
  optionalFreeText,
  optionalMobile,
  optionalOneOf,
  rule,
} from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { options, type Text, text, verbatim } from '#kit/contract/text.ts';

const path = '/staff';
/** What the parts of a record show and change. */
export const shows = ['staff', 'staff-record', 'department', 'designation', 'branch'];
export const changes = ['staff', 'staff-record'];

export const genders = options('Female', 'Male', 'Other');
export const maritalStatuses = options('Single', 'Married', 'Widowed', 'Divorced');
export const bloodGroups = options('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-');
/** Derived from the spells of employment and, later, from leave; never stored. */
export const staffStatuses = options('Active', 'Joining', 'Left');

const lastFour = { like: /^[0-9]{4}$/, unlike: text`Enter the last 4 digits only.` };

const numberShape = { like: /^[A-Za-z0-9 /._-]+$/ };

/** The person, apart from employment. */
export const personFields = {
  name: freeText(text`Name`, 100),
  employeeNumber: freeText(text`Employee number`, 30, numberShape),
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

/** What a post says, by its names. */
export const postLabels = {
  designation: text`Designation`,
  department: text`Department`,
  branch: text`Branch`,
  staffCategory: text`Staff category`,
  employmentType: text`Employment type`,
  reportsTo: text`Reports to`,
};

/** What a person works as from a day on. */
export const postFields = {
  designationId: neededId(postLabels.designation),
  departmentId: neededId(postLabels.department),
  branchId: neededId(postLabels.branch),
  staffCategoryId: chosenId(postLabels.staffCategory),
  employmentTypeId: chosenId(postLabels.employmentType),
  reportsToId: chosenId(postLabels.reportsTo),
};

export const needsContact = text`Enter a mobile number or an email address.`;
export const checkContact = rule<{ mobile: string; email: string }>(({ mobile, email }, say) => {
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
  employeeNumber: optionalFreeText(text`Employee number`, 30, numberShape),
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
export type StaffPerson = z.infer<typeof person>;

const labelOf = (name: keyof StaffPerson): Text => fieldInfo.get(personFields[name])?.label ?? verbatim(name);
export const personNames = Object.keys(personFields) as (keyof StaffPerson)[];
export const personLabels = Object.fromEntries(personNames.map((name) => [name, labelOf(name)])) as Record<
  keyof StaffPerson,
  Text
>;

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
export type StaffSpell = z.infer<typeof spell>;

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
  /** The reader may change the person's account. */
  isAccountKept: z.boolean(),
  /** Null for colleagues. */
  status: z.nullable(z.enum(staffStatuses)),
  /** The last day of work, once it is idAndVersion. */
  lastDay: z.string(),
  person: z.nullable(person),
});
export type StaffRecord = z.infer<typeof record>;

const idAndVersion = { id, version: id };
const done = z.object({ id: z.number(), version: z.number() });

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
    input: z.object({ ...idAndVersion, ...personFields }).check(checkContact),
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
  /** The user's own record as a PDF. */
  ownData: endpoint({
    method: 'GET',
    path: `${path}/own-data`,
    access: signedIn,
    input: z.object({}),
    output: servedFile,
  }),
  /** Designation, department and the rest from a day on; the previous post ends the day before. */
  savePost: endpoint({
    method: 'POST',
    path: `${path}/:id/post`,
    access: staffKeepers,
    changes,
    input: z.object({ ...idAndVersion, from: calendarDay(text`From`), ...postFields }),
    output: z.object({}),
  }),
};
