import * as z from 'zod/mini';
import { signedIn, staffKeepers } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { checkName } from '#features/school/contract/one-name.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { removeAddedOf } from '#kit/contract/added.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { asOptional, field, inputOf, outputOf, pick, type Stored } from '#kit/contract/field.ts';
import { id, idAndVersion, rule } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineRecord } from '#kit/contract/record.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { options, text } from '#kit/contract/text.ts';

const path = '/staff';
/** What the parts of a record show and change. */
export const shows = ['staff', 'staff-record', 'department', 'designation', 'branch'];
export const changes = ['staff', 'staff-record'];

const genders = options('Female', 'Male', 'Other');
const maritalStatuses = options('Single', 'Married', 'Widowed', 'Divorced');
const bloodGroups = options('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-');
/** Derived from the spells of employment and, later, from leave; never stored. */
export const staffStatuses = options('Active', 'Joining', 'Left');

/** A member of staff: the person, and what they work as from a day on. The person reads the record too. */
export const staffRecord = defineRecord({
  table: 'staff',
  read: staffKeepers,
  change: staffKeepers,
  groups: {
    person: {
      title: text`Personal data`,
      fields: {
        name: field.text(text`Name`, {
          max: 100,
          alsoNamed: ['Full name', 'Staff name', 'Employee name', 'Teacher name'],
        }),
        employeeNumber: field.text(text`Employee number`, {
          max: 30,
          like: /^[A-Za-z0-9 /._-]+$/,
          width: 'medium',
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
        mobile: field.mobile(text`Mobile number`, {
          optional: true,
          isNullable: true,
          alsoNamed: [
            'Mobile',
            'Mobile No',
            'Phone',
            'Phone No',
            'Phone number',
            'Contact',
            'Contact No',
            'Contact number',
            'Cell',
          ],
        }),
        email: field.email(text`Email address`, {
          optional: true,
          isNullable: true,
          alsoNamed: ['Email', 'Email ID', 'Mail ID'],
        }),
      },
    },
    // Those who only read the list do not read these.
    private: {
      title: text`Personal data`,
      read: staffKeepers,
      fields: {
        gender: field.oneOf(text`Gender`, { options: genders, optional: true, alsoNamed: ['Sex'] }),
        birthDate: field.birthDate(text`Birth date`, { optional: true, alsoNamed: ['DOB', 'Date of birth'] }),
        bloodGroup: field.oneOf(text`Blood group`, {
          options: bloodGroups,
          optional: true,
          isUnlogged: true,
          isLegal: true,
        }),
        maritalStatus: field.oneOf(text`Marital status`, { options: maritalStatuses, optional: true }),
        personalEmail: field.email(text`Personal email address`, { optional: true }),
        address: field.longText(text`Address`, { max: 300, optional: true }),
        emergencyName: field.text(text`Emergency contact`, { max: 100, optional: true }),
        emergencyRelation: field.text(text`Relation`, { max: 60, optional: true }),
        emergencyMobile: field.mobile(text`Emergency mobile number`, { optional: true }),
        aadhaarLast4: field.text(text`Aadhaar, last 4 digits`, {
          max: 4,
          like: /^[0-9]{4}$/,
          message: text`Enter the last 4 digits only.`,
          inputMode: 'numeric',
          optional: true,
          isUnlogged: true,
        }),
        panLast4: field.text(text`PAN, last 4 characters`, {
          max: 4,
          like: /^[0-9A-Za-z]{4}$/,
          message: text`Enter the last 4 characters only.`,
          optional: true,
          isUnlogged: true,
        }),
      },
    },
    employment: {
      title: text`Employment`,
      table: 'staff_employment',
      fields: {
        joinedOn: field.date(text`Joining date`, { alsoNamed: ['DOJ', 'Date of joining', 'Joined on'] }),
      },
    },
    post: {
      title: text`Post`,
      table: 'staff_post',
      fields: {
        designationId: field.ref(text`Designation`, {
          to: namedBy(designationMaster),
          alsoNamed: ['Job title', 'Post', 'Position'],
        }),
        departmentId: field.ref(text`Department`, { to: namedBy(departmentMaster), alsoNamed: ['Dept'] }),
        branchId: field.ref(text`Branch`, { to: namedBy(branchMaster), alsoNamed: ['Campus'] }),
        staffCategoryId: field.ref(text`Staff category`, { to: namedBy(staffCategoryMaster), optional: true }),
        employmentTypeId: field.ref(text`Employment type`, { to: namedBy(employmentTypeMaster), optional: true }),
        reportsToId: field.ref(text`Reports to`, { to: staffNames, optional: true }),
      },
    },
  },
});
export const personFields = { ...staffRecord.groups.person.fields, ...staffRecord.groups.private.fields };
export const employmentFields = staffRecord.groups.employment.fields;
export const postFields = staffRecord.groups.post.fields;
export type StaffPerson = Stored<typeof personFields>;

const needsContact = text`Enter a mobile number or an email address.`;
export const checkContact = rule<{ mobile: string; email: string }>(({ mobile, email }, say) => {
  if (mobile === '' && email === '') say('mobile', needsContact);
});

export const newStaffFields = {
  ...pick(personFields, 'name', 'mobile', 'email', 'gender'),
  ...employmentFields,
  ...postFields,
  /** The next of the series if empty. */
  employeeNumber: asOptional(personFields.employeeNumber),
};

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
  values: z.object(outputOf(postFields)),
});
export type StaffPost = z.infer<typeof post>;

export const spell = z.object({
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
  may: abilities('update', 'keepAccount', 'remove'),
  /** Null for colleagues. */
  status: z.nullable(z.enum(staffStatuses)),
  /** The last day of work, once it is known. */
  lastDay: z.string(),
  person: z.nullable(z.object(outputOf(personFields))),
});
export type StaffRecord = z.infer<typeof record>;

const done = z.object({ id: z.number(), version: z.number() });

export const staffRecordApi = {
  create: endpoint({
    method: 'POST',
    path,
    access: staffKeepers,
    changes,
    input: z.object(inputOf(newStaffFields)).check(checkContact, checkName),
    output: done,
  }),
  read: endpoint({
    method: 'GET',
    path: `${path}/:id/record`,
    opens: 'staff',
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
    input: z.object({ ...idAndVersion, ...inputOf(personFields) }).check(checkContact, checkName),
    output: done,
  }),
  /** Removes a member of staff who was entered by mistake within a day, while nothing hangs on the record. */
  remove: removeAddedOf(path, staffKeepers, changes, 'staff'),
  history: historyOf(path, staffKeepers, ['staff', 'staff-record', 'account'], 'staff'),
  employment: endpoint({
    method: 'GET',
    path: `${path}/:id/employment`,
    opens: 'staff',
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
    input: z.object({ ...idAndVersion, from: calendarDay(text`From`), ...inputOf(postFields) }),
    output: z.object({}),
  }),
};
