import { admin } from '#features/account/contract/access.ts';
import { staffNames } from '#features/staff/contract.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';

const access = [admin()];

export const branchMaster = defineMaster({
  table: 'academic_branch',
  path: '/academic/branch',
  singular: 'branch',
  plural: 'branches',
  description: 'The places where the school teaches.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    code: field.text('Code', { max: 6 }),
    address: field.longText('Address', { max: 300, optional: true }),
  },
});

export const roomMaster = defineMaster({
  table: 'academic_room',
  path: '/academic/room',
  singular: 'room',
  plural: 'rooms',
  description: 'Where sections sit, and where tests and meetings are held.',
  access,
  fields: {
    branchId: field.ref('Branch', { to: namedBy(branchMaster) }),
    name: field.text('Name', { max: 30 }),
    building: field.text('Building', { max: 60, optional: true }),
    capacity: field.number('Seats', { least: 1, most: 2000, optional: true }),
    kind: field.oneOf('Kind', { options: ['Classroom', 'Laboratory', 'Library', 'Hall', 'Office', 'Other'] }),
  },
  labelFields: ['branchId', 'name'],
});

export const departmentMaster = defineMaster({
  table: 'academic_department',
  path: '/academic/department',
  singular: 'department',
  plural: 'departments',
  description: 'How the staff are grouped, and who leads each group.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    code: field.text('Code', { max: 10, optional: true }),
    staffId: field.ref('Head', { to: staffNames, optional: true }),
    parentId: field.ref('Parent department', { to: 'self', optional: true }),
  },
  constraintMessages: {
    academic_department_circle: { field: 'parentId', message: 'This department would be a part of itself.' },
  },
});

export const designationMaster = defineMaster({
  table: 'academic_designation',
  path: '/academic/designation',
  singular: 'designation',
  plural: 'designations',
  description: 'What people are employed as: Principal, Teacher, Clerk.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    level: field.number('Level', { least: 1, most: 20, optional: true, hint: '1 is the highest.' }),
  },
});

export const careerMaster = defineMaster({
  table: 'academic_career',
  path: '/academic/career',
  singular: 'career',
  plural: 'careers',
  description: 'Sectors of work and the specialties within each, as parents choose them on the form.',
  access,
  fields: {
    sectorId: field.ref('Sector', { to: 'self', optional: true, hint: 'Of a specialty. A sector has none.' }),
    name: field.text('Name', { max: 60 }),
  },
  labelFields: ['sectorId', 'name'],
  constraintMessages: {
    academic_career_levels: { field: 'sectorId', message: 'A specialty belongs to a sector, and a sector to nothing.' },
  },
});

/** Lists of words that records choose from and no page of its own is kept for. */
export const lookupKinds = [
  'Language',
  'Nationality',
  'Religion',
  'Caste category',
  'Blood group',
  'Lead source',
  'Relation',
  'Document',
] as const;

const lookupStays = 'The admission form counts on this choice, so it stays as it is.';

export const lookupMaster = defineMaster({
  table: 'academic_lookup',
  path: '/academic/lookup',
  singular: 'choice',
  plural: 'choices',
  description: 'What records choose from: languages, religions, caste categories, where families heard of the school.',
  access,
  fields: {
    kind: field.oneOf('List', { options: lookupKinds }),
    name: field.text('Choice', { max: 60 }),
    isSystem: field.yesNo('Fixed', { isReadOnly: true, hint: 'The admission form counts on it.' }),
  },
  labelFields: ['kind', 'name'],
  fixedBy: 'isSystem',
  constraintMessages: { academic_lookup_system: { field: 'name', message: lookupStays } },
});

/** The tabs of the Organizational Master that are lists. */
export const organizationalMasters = [
  branchMaster,
  departmentMaster,
  designationMaster,
  careerMaster,
  lookupMaster,
] as const;

export const schoolMasters = [...organizationalMasters, roomMaster] as const;
