import * as z from 'zod/mini';
import { staff } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { gradeMaster, programMaster } from '#features/academic/contract/masters.ts';
import { lookupsAt } from '#features/school/contract/lookup.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field, nameOptions, optionsInput } from '#kit/contract/field.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineRecord } from '#kit/contract/record.ts';
import { options, text } from '#kit/contract/text.ts';

/** Who captures inquiries and follows them up. */
export const inquiryKeepers = [staff('office', 'admissionHead')] as const;
export const inquiryReaders = [staff('office', 'admissionHead', 'principal')] as const;

const genders = options('Female', 'Male', 'Other');
export const quotas = options('General', 'RTE', 'Staff', 'Management', 'Sibling');

export const leadSources = lookupsAt('/inquiry/lead-source', inquiryReaders, 'Lead source');
/** Why families are lost. */
export const lostReasons = lookupsAt('/inquiry/lost-reason', inquiryReaders, 'Reason lost');
/** Academic years that are open for admission. */
export const openYears = endpoint({
  method: 'GET',
  path: '/inquiry/open-year',
  access: inquiryKeepers,
  shows: ['year'],
  input: z.object(optionsInput),
  output: nameOptions,
});

/** The branches whose inquiries the user reaches. */
export const inquiryBranches = endpoint({
  method: 'GET',
  path: '/inquiry/branch',
  access: inquiryReaders,
  shows: ['branch'],
  input: z.object(optionsInput),
  output: nameOptions,
});

const nameOf = { labelFields: ['name'], fields: { name: field.text(text`Name`, { max: 60 }) } };

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

/** What a family says at its first contact. A record that a command created may lack what the form requires. */
export const inquiryRecord = defineRecord({
  table: 'admission_inquiry',
  read: inquiryReaders,
  change: inquiryKeepers,
  groups: {
    parents: {
      title: text`Parents`,
      fields: {
        fatherMobile: field.mobile(text`Father’s mobile number`, {
          optional: true,
          isNullable: true,
          hint: text`One mobile number is required.`,
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
        motherMobile: field.mobile(text`Mother’s mobile number`, {
          optional: true,
          isNullable: true,
          alsoNamed: [...contactsOf('Mother'), 'Alternate mobile', 'Alternate number', 'Mobile 2'],
        }),
        fatherFirstName: field.text(text`Father’s first name`, {
          max: 50,
          optional: true,
          isNullable: true,
          alsoNamed: ['Father name', 'Father first name', 'Name of father', 'Parent name'],
        }),
        fatherLastName: field.text(text`Father’s last name`, {
          max: 50,
          optional: true,
          isNullable: true,
          alsoNamed: ['Father last name', 'Father surname'],
        }),
        fatherEmail: field.email(text`Father’s email address`, {
          optional: true,
          isNullable: true,
          alsoNamed: [...emailsOf('Father'), 'Email', 'Email ID', 'Email address', 'Mail ID'],
        }),
        motherFirstName: field.text(text`Mother’s first name`, {
          max: 50,
          optional: true,
          isNullable: true,
          alsoNamed: ['Mother name', 'Mother first name', 'Name of mother'],
        }),
        motherLastName: field.text(text`Mother’s last name`, {
          max: 50,
          optional: true,
          isNullable: true,
          alsoNamed: ['Mother last name', 'Mother surname'],
        }),
        motherEmail: field.email(text`Mother’s email address`, {
          optional: true,
          isNullable: true,
          alsoNamed: emailsOf('Mother'),
        }),
      },
    },
    child: {
      title: text`Child`,
      fields: {
        firstName: field.text(text`Child’s first name`, {
          max: 50,
          isNullable: true,
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
          optional: true,
          isNullable: true,
          alsoNamed: [
            'Last name',
            'Surname',
            'Child last name',
            'Child surname',
            'Student last name',
            'Student surname',
          ],
        }),
        gender: field.oneOf(text`Gender`, {
          options: genders,
          // As UDISE+ has them.
          codes: { Female: 'F', Male: 'M', Other: 'T' },
          isRadio: true,
          isNullable: true,
          alsoNamed: ['Sex'],
        }),
        birthDate: field.birthDate(text`Birth date`, {
          isNullable: true,
          alsoNamed: ['DOB', 'Date of birth', 'Child DOB', 'Student DOB'],
        }),
        academicYearId: field.ref(text`Academic year`, {
          to: { ...nameOf, table: 'academic_year', options: openYears },
          hint: text`Only years that are open for admission.`,
          alsoNamed: ['Year', 'Session', 'Academic session', 'Admission year', 'AY'],
        }),
        branchId: field.ref(text`Branch`, {
          to: { ...nameOf, table: 'academic_branch', options: inquiryBranches },
          alsoNamed: ['Campus', 'School branch'],
        }),
        programId: field.ref(text`Program`, { to: namedBy(programMaster), alsoNamed: ['Programme', 'Course'] }),
        gradeId: field.ref(text`Grade`, {
          to: namedBy(gradeMaster),
          alsoNamed: ['Class', 'Std', 'Standard', 'Class applied for', 'Grade applied for', 'Admission class'],
        }),
        ageReason: field.text(text`Reason for this age`, {
          max: 300,
          optional: true,
          hint: text`The admission head accepts another age with a reason.`,
          alsoNamed: ['Age reason'],
        }),
      },
    },
    office: {
      title: text`Office`,
      fields: {
        leadSourceId: field.ref(text`Lead source`, {
          to: leadSources,
          isNullable: true,
          alsoNamed: ['Source', 'Source of inquiry', 'Source of enquiry', 'Inquiry source', 'Reference'],
        }),
        quota: field.oneOf(text`Quota`, {
          isLegal: true,
          options: quotas,
          isRadio: true,
          alsoNamed: ['Seat quota', 'Admission quota'],
        }),
        assignedToId: field.ref(text`Assigned to`, {
          to: staffNames,
          optional: true,
          alsoNamed: ['Assigned', 'Owner', 'Counsellor', 'Counselor', 'Handled by'],
        }),
        nextFollowUpOn: field.date(text`Next follow-up`, {
          toward: 'future',
          hasQuickDays: true,
          optional: true,
          alsoNamed: ['Follow up', 'Follow up date', 'Next follow up date'],
        }),
        remark: field.longText(text`Remark`, {
          max: 1000,
          optional: true,
          alsoNamed: ['Remarks', 'Note', 'Notes', 'Comment', 'Comments'],
        }),
      },
    },
  },
});
export const parentFields = inquiryRecord.groups.parents.fields;
export const childFields = inquiryRecord.groups.child.fields;
export const officeFields = inquiryRecord.groups.office.fields;
export const inquiryFields = inquiryRecord.fields;
