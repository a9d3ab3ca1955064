import { admin, signedIn, staff, staffReaders } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];

export const branchMaster = defineMaster({
  table: 'academic_branch',
  path: '/academic/branch',
  singular: text`branch`,
  plural: text`branches`,
  access,
  optionAccess: signedIn,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    code: field.text(text`Code`, { max: 6 }),
    address: field.longText(text`Address`, { max: 300, optional: true }),
  },
});

export const roomMaster = defineMaster({
  table: 'academic_room',
  path: '/academic/room',
  singular: text`room`,
  plural: text`rooms`,
  access,
  // The rooms of interactions with children who apply.
  optionAccess: [admin(), staff('office', 'admissionHead')],
  fields: {
    branchId: field.ref(text`Branch`, { to: namedBy(branchMaster) }),
    name: field.text(text`Name`, { max: 30 }),
    building: field.text(text`Building`, { max: 60, optional: true }),
    capacity: field.number(text`Seats`, { least: 1, most: 2000, optional: true }),
    kind: field.oneOf(text`Kind`, {
      options: options('Classroom', 'Laboratory', 'Library', 'Hall', 'Office', 'Other'),
    }),
  },
  labelFields: ['branchId', 'name'],
});

export const departmentMaster = defineMaster({
  table: 'academic_department',
  path: '/academic/department',
  singular: text`department`,
  plural: text`departments`,
  access,
  optionAccess: staffReaders,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    code: field.text(text`Code`, { max: 10, optional: true }),
    staffId: field.ref(text`Head`, { to: staffNames, optional: true }),
    parentId: field.ref(text`Parent department`, { to: 'self', optional: true }),
  },
  constraintMessages: {
    academic_department_circle: {
      field: 'parentId',
      message: text`This leads back to the entry you are editing. Choose another one.`,
    },
  },
});

export const designationMaster = defineMaster({
  table: 'academic_designation',
  path: '/academic/designation',
  singular: text`designation`,
  plural: text`designations`,
  access,
  optionAccess: staffReaders,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    level: field.number(text`Level`, { least: 1, most: 20, optional: true, hint: text`1 is the highest.` }),
  },
});

export const careerMaster = defineMaster({
  table: 'academic_career',
  path: '/academic/career',
  singular: text`career`,
  plural: text`careers`,
  description: text`Sectors of work and their specialties, which parents choose on the admission form.`,
  access,
  fields: {
    sectorId: field.ref(text`Sector`, {
      to: 'self',
      optional: true,
      hint: text`For a specialty. Leave empty for a sector.`,
    }),
    name: field.text(text`Name`, { max: 60 }),
  },
  labelFields: ['sectorId', 'name'],
  constraintMessages: {
    academic_career_levels: {
      field: 'sectorId',
      message: text`Choose a sector, or leave this empty if the entry has specialties.`,
    },
  },
});

/** The lists that share one table of choices. */
export const lookupKinds = options(
  'Language',
  'Nationality',
  'Religion',
  'Caste category',
  'Blood group',
  'Lead source',
  'Relation',
  'Document',
  'Student category',
  'Leaving reason',
  'Reason lost',
  'Reason withdrawn',
  'Reason not offered',
  'Notice category',
);

const fixedLookup = text`The admission form uses this choice, so it can’t be changed or deleted.`;

export const lookupMaster = defineMaster({
  table: 'academic_lookup',
  path: '/academic/lookup',
  singular: text`choice`,
  plural: text`choices`,
  description: text`Lists to choose from, such as languages, religions and lead sources.`,
  access,
  fields: {
    kind: field.oneOf(text`List`, { options: lookupKinds }),
    name: field.text(text`Choice`, { max: 60 }),
    isSystem: field.yesNo(text`Fixed`, { isReadOnly: true, hint: fixedLookup }),
  },
  labelFields: ['kind', 'name'],
  fixedBy: 'isSystem',
  groupedBy: 'kind',
  constraintMessages: { academic_lookup_system: { field: 'name', message: fixedLookup } },
});

export const organizationalMasters = [
  branchMaster,
  departmentMaster,
  designationMaster,
  careerMaster,
  lookupMaster,
] as const;

export const schoolMasters = [...organizationalMasters, roomMaster] as const;
