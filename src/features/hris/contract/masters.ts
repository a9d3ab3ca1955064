import { admin, signedIn, staff, staffReaders } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin(), staff('hr')];

export const employmentTypeMaster = defineMaster({
  table: 'hris_employment_type',
  path: '/hris/employment-type',
  singular: text`employment type`,
  plural: text`employment types`,
  description: text`Terms of employment, such as permanent and contract.`,
  access,
  optionAccess: staffReaders,
  fields: {
    name: field.text(text`Name`, { max: 50 }),
    isPermanent: field.yesNo(text`Permanent`),
    probationMonths: field.number(text`Probation (months)`, {
      least: 0,
      most: 36,
      inYears: text`Probation`,
      optional: true,
    }),
  },
});

export const staffCategoryMaster = defineMaster({
  table: 'hris_staff_category',
  path: '/hris/staff-category',
  singular: text`staff category`,
  plural: text`staff categories`,
  description: text`Groups for reports to the board and the government.`,
  access,
  optionAccess: staffReaders,
  fields: {
    name: field.text(text`Name`, { max: 50 }),
    kind: field.oneOf(text`Kind`, {
      options: options('Teaching', 'Non-teaching', 'Administrative', 'Support', 'Transport'),
    }),
  },
});

export const qualificationMaster = defineMaster({
  table: 'hris_qualification',
  path: '/hris/qualification',
  singular: text`qualification`,
  plural: text`qualifications`,
  description: text`Degrees and certificates of staff.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 80 }),
    level: field.oneOf(text`Level`, {
      options: options('School', 'Diploma', 'Graduate', 'Postgraduate', 'Doctorate', 'Professional'),
    }),
    isTeacherTraining: field.yesNo(text`Teacher training`),
  },
});

/** How many days before a document expires it can be called to mind. */
export const reminderDays = ['90', '60', '30', '15', '7'] as const;

const documentTypeMaster = defineMaster({
  table: 'hris_document_type',
  path: '/hris/document-type',
  singular: text`document type`,
  plural: text`document types`,
  // Staff add documents to their own record.
  optionAccess: signedIn,
  description: text`Documents in staff records, such as police verification.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    staffCategoryId: field.ref(text`Staff category`, {
      to: namedBy(staffCategoryMaster),
      optional: true,
      hint: text`Leave empty for all staff.`,
    }),
    isMandatory: field.yesNo(text`Mandatory`),
    hasExpiry: field.yesNo(text`Expires`),
    remindBefore: field.someOf(text`Days before expiry`, {
      options: reminderDays,
      optional: true,
    }),
  },
});

export const separationReasonMaster = defineMaster({
  table: 'hris_separation_reason',
  path: '/hris/separation-reason',
  singular: text`separation reason`,
  plural: text`separation reasons`,
  description: text`Why staff leave the school.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    isVoluntary: field.yesNo(text`Voluntary`),
  },
});

export const hrisMasters = [
  employmentTypeMaster,
  staffCategoryMaster,
  qualificationMaster,
  documentTypeMaster,
  separationReasonMaster,
] as const;
