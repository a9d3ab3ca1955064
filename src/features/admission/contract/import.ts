import * as z from 'zod/mini';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { type Field, field } from '#kit/contract/field.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { checkMobile, genders, inquiryApi, inquiryFields, inquiryKeepers, quotas } from './inquiry.ts';

const leadSourceNames = {
  table: 'academic_lookup',
  labelFields: ['name'],
  fields: { name: field.text(text`Name`, { max: 60 }) },
  options: inquiryApi.leadSources,
};

/** The usual headings of a parent's contact, such as "Father contact no". */
const contactsOf = (parent: string) => [
  `${parent} mobile`,
  `${parent} mobile no`,
  `${parent} mobile number`,
  `${parent} contact`,
  `${parent} contact no`,
  `${parent} contact number`,
  `${parent} phone`,
  `${parent} phone no`,
];
const emailsOf = (parent: string) => [`${parent} email`, `${parent} email ID`, `${parent} email address`];

/** The columns of a file of inquiries. */
export const inquiryFile = {
  firstName: field.text(text`Child’s first name`, {
    max: 50,
    alsoNamed: [
      'First name',
      'Name',
      'Child name',
      'Child first name',
      'Name of child',
      'Student name',
      'Student first name',
      'Name of student',
    ],
  }),
  lastName: field.text(text`Child’s last name`, {
    max: 50,
    alsoNamed: ['Last name', 'Surname', 'Child last name', 'Child surname', 'Student last name', 'Student surname'],
  }),
  gender: field.oneOf(text`Gender`, { options: genders, alsoNamed: ['Sex'] }),
  birthDate: field.date(text`Birth date`, { alsoNamed: ['DOB', 'Date of birth', 'Child DOB', 'Student DOB'] }),
  academicYearId: field.ref(text`Academic year`, {
    to: namedBy(yearMaster),
    alsoNamed: ['Year', 'Session', 'Academic session', 'Admission year', 'AY'],
  }),
  programId: field.ref(text`Program`, {
    to: namedBy(programMaster),
    optional: true,
    alsoNamed: ['Programme', 'Course'],
  }),
  gradeId: field.ref(text`Grade`, {
    to: namedBy(gradeMaster),
    alsoNamed: ['Class', 'Std', 'Standard', 'Class applied for', 'Grade applied for', 'Admission class'],
  }),
  fatherFirstName: field.text(text`Father’s first name`, {
    max: 50,
    optional: true,
    alsoNamed: ['Father name', 'Father first name', 'Name of father', 'Parent name'],
  }),
  fatherLastName: field.text(text`Father’s last name`, {
    max: 50,
    optional: true,
    alsoNamed: ['Father last name', 'Father surname'],
  }),
  fatherMobile: field.text(text`Father’s mobile number`, {
    max: 20,
    optional: true,
    alsoNamed: [
      ...contactsOf('Father'),
      'Mobile',
      'Mobile No',
      'Mobile number',
      'Contact',
      'Contact No',
      'Contact number',
      'Phone',
      'Phone No',
      'Phone number',
    ],
  }),
  fatherEmail: field.text(text`Father’s email address`, {
    max: 100,
    optional: true,
    alsoNamed: [...emailsOf('Father'), 'Email', 'Email ID', 'Email address', 'Mail ID'],
  }),
  motherFirstName: field.text(text`Mother’s first name`, {
    max: 50,
    optional: true,
    alsoNamed: ['Mother name', 'Mother first name', 'Name of mother'],
  }),
  motherLastName: field.text(text`Mother’s last name`, {
    max: 50,
    optional: true,
    alsoNamed: ['Mother last name', 'Mother surname'],
  }),
  motherMobile: field.text(text`Mother’s mobile number`, {
    max: 20,
    optional: true,
    alsoNamed: [...contactsOf('Mother'), 'Alternate mobile', 'Alternate number', 'Mobile 2'],
  }),
  motherEmail: field.text(text`Mother’s email address`, { max: 100, optional: true, alsoNamed: emailsOf('Mother') }),
  leadSourceId: field.ref(text`Lead source`, {
    to: leadSourceNames,
    alsoNamed: ['Source', 'Source of inquiry', 'Source of enquiry', 'Inquiry source', 'Reference'],
  }),
  quota: field.oneOf(text`Quota`, {
    options: quotas,
    optional: true,
    alsoNamed: ['Seat quota', 'Admission quota'],
  }),
  assignedToId: field.ref(text`Assigned to`, {
    to: staffNames,
    optional: true,
    alsoNamed: ['Assigned', 'Owner', 'Counsellor', 'Counselor', 'Handled by'],
  }),
  nextFollowUpOn: field.date(text`Next follow-up`, {
    optional: true,
    alsoNamed: ['Follow up', 'Follow up date', 'Next follow up date'],
  }),
  remark: field.longText(text`Remark`, {
    max: 1000,
    optional: true,
    alsoNamed: ['Remarks', 'Note', 'Notes', 'Comment', 'Comments'],
  }),
  ageReason: field.text(text`Reason for this age`, { max: 300, optional: true, alsoNamed: ['Age reason'] }),
} satisfies Record<string, Field>;

/** A row of the file as a new inquiry; the same rules as the form's. */
export const importedInquiry = z.object(inquiryFields).check(checkMobile as never);

/** Adds the inquiries of a file; a child that has one in the year is left as it is. */
export const inquiryImportApi = importApi({
  path: '/inquiry/import',
  access: inquiryKeepers,
  changes: ['inquiry'],
  columns: inquiryFile,
  needed: ['firstName'],
});
