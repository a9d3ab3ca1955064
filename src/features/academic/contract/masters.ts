import * as z from 'zod/mini';
import { admin } from '#features/sign-in/contract/access.ts';
import { staffNames } from '#features/staff/contract.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id } from '#kit/contract/fields.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';

const access = [admin()];

/** The four stages of the National Education Policy 2020. */
export const stages = ['Foundational', 'Preparatory', 'Middle', 'Secondary'] as const;

const closedYear = {
  academic_year_is_closed: { field: 'academicYearId', says: 'This academic year is closed. It can only be read.' },
};

export const yearMaster = defineMaster({
  table: 'academic_year',
  path: '/academic/year',
  one: 'academic year',
  many: 'academic years',
  what: 'Everything that is dated belongs to an academic year; exactly one is current.',
  access,
  isRemovalReported: true,
  fields: {
    name: field.text('Name', {
      max: 9,
      hint: 'As 2026-27.',
      like: /^[0-9]{4}-([0-9]{2}|[0-9]{4})$/,
      says: 'Write the name as 2026-27.',
    }),
    startsOn: field.date('First day'),
    endsOn: field.date('Last day'),
    ageCutoffOn: field.date('Age counts on', {
      hint: 'The day on which a child must have reached the age for a grade.',
    }),
    status: field.oneOf('Status', { options: ['Planned', 'Current', 'Closed'], isReadOnly: true }),
    isAdmissionOpen: field.yesNo('Open for admission'),
  },
  refusals: {
    academic_year_is_closed: {
      field: 'status',
      says: 'This year is closed. It can only be read, or made current again.',
    },
    academic_year_days: { field: 'endsOn', says: 'The last day must come after the first.' },
    academic_year_length: { field: 'endsOn', says: 'An academic year lasts two years at most.' },
    academic_year_overlap: { field: 'startsOn', says: 'These days overlap another academic year.' },
    academic_year_current_is_active: { field: 'isActive', says: 'The current year stays active.' },
    academic_year_some_current: { field: 'status', says: 'This is the current year. Make another one current first.' },
    academic_year_people: {
      field: 'startsOn',
      says: 'Teachers or students are in sections on days that would lie outside the year.',
    },
    academic_term_inside_year: {
      field: 'startsOn',
      says: 'A term of this year would lie outside it. Change the term first.',
    },
    academic_calendar_inside_year: {
      field: 'startsOn',
      says: 'A day of this year’s calendar would lie outside it. Change the calendar first.',
    },
  },
});

export const termMaster = defineMaster({
  table: 'academic_term',
  path: '/academic/term',
  one: 'term',
  many: 'terms',
  what: 'The parts of an academic year, for reports and marks.',
  access,
  fields: {
    academicYearId: field.ref('Academic year', { to: namedBy(yearMaster) }),
    name: field.text('Name', { max: 30 }),
    startsOn: field.date('First day'),
    endsOn: field.date('Last day'),
  },
  called: ['academicYearId', 'name'],
  refusals: {
    ...closedYear,
    academic_term_days: { field: 'endsOn', says: 'The last day cannot come before the first.' },
    academic_term_overlap: { field: 'startsOn', says: 'These days overlap another term of the year.' },
    academic_term_inside_year: { field: 'startsOn', says: 'A term lies inside its academic year.' },
  },
});

export const boardMaster = defineMaster({
  table: 'academic_board',
  path: '/academic/board',
  one: 'board',
  many: 'boards',
  what: 'The examination boards the school follows, such as CBSE or GSEB.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    shortName: field.text('Short name', { max: 12, optional: true }),
    affiliationNo: field.text('Affiliation number', { max: 30, optional: true }),
  },
});

export const programMaster = defineMaster({
  table: 'academic_program',
  path: '/academic/program',
  one: 'program',
  many: 'programs',
  what: 'How a board is taught: General, Science, Commerce, day boarding.',
  access,
  fields: {
    boardId: field.ref('Board', { to: namedBy(boardMaster) }),
    name: field.text('Name', { max: 60 }),
    shortName: field.text('Short name', { max: 12, optional: true }),
  },
  called: ['boardId', 'name'],
});

export const gradeMaster = defineMaster({
  table: 'academic_grade',
  path: '/academic/grade',
  one: 'grade',
  many: 'grades',
  what: 'From Nursery to Grade 12, in the order in which children move up.',
  access,
  fields: {
    name: field.text('Name', { max: 30 }),
    code: field.text('Code', { max: 6 }),
    stage: field.oneOf('Stage', { options: stages }),
    minAgeMonths: field.number('Youngest (months)', {
      least: 24,
      most: 300,
      optional: true,
      hint: 'On the day the age counts. 72 months are 6 years.',
    }),
    maxAgeMonths: field.number('Oldest (months)', { least: 24, most: 300, optional: true, isAside: true }),
    nextGradeId: field.ref('Next grade', { to: 'self', optional: true, hint: 'Where children are promoted to.' }),
    isInternshipOpen: field.yesNo('Internships', { isAside: true, hint: 'From Grade 8 on.' }),
  },
  isOrdered: true,
  refusals: {
    academic_grade_ages: { field: 'maxAgeMonths', says: 'The oldest age cannot be below the youngest.' },
    academic_grade_circle: { field: 'nextGradeId', says: 'This grade would lead back to itself.' },
  },
});

export const branchMaster = defineMaster({
  table: 'academic_branch',
  path: '/academic/branch',
  one: 'branch',
  many: 'branches',
  what: 'The places where the school teaches.',
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
  one: 'room',
  many: 'rooms',
  what: 'Where sections sit, and where tests and meetings are held.',
  access,
  fields: {
    branchId: field.ref('Branch', { to: namedBy(branchMaster) }),
    name: field.text('Name', { max: 30 }),
    building: field.text('Building', { max: 60, optional: true }),
    capacity: field.number('Seats', { least: 1, most: 2000, optional: true }),
    kind: field.oneOf('Kind', { options: ['Classroom', 'Laboratory', 'Library', 'Hall', 'Office', 'Other'] }),
  },
  called: ['branchId', 'name'],
});

export const houseMaster = defineMaster({
  table: 'academic_house',
  path: '/academic/house',
  one: 'house',
  many: 'houses',
  what: 'The teams that children of all grades belong to.',
  access,
  fields: {
    name: field.text('Name', { max: 30 }),
    colour: field.oneOf('Colour', { options: colours }),
    staffId: field.ref('House master', { to: staffNames, optional: true }),
  },
});

const sectionStays = 'Teachers or students are in this section, so its year, branch, program and grade stay.';

export const sectionMaster = defineMaster({
  table: 'academic_section',
  path: '/academic/section',
  one: 'section',
  many: 'sections',
  what: 'The classes of an academic year: Grade 1 A, Grade 1 B.',
  access,
  fields: {
    academicYearId: field.ref('Academic year', { to: namedBy(yearMaster) }),
    branchId: field.ref('Branch', { to: namedBy(branchMaster) }),
    programId: field.ref('Program', { to: namedBy(programMaster) }),
    gradeId: field.ref('Grade', { to: namedBy(gradeMaster) }),
    name: field.text('Name', { max: 10, hint: 'As A, or Lotus.' }),
    capacity: field.number('Capacity', { least: 1, most: 80 }),
    roomId: field.ref('Room', { to: namedBy(roomMaster), optional: true }),
    medium: field.oneOf('Medium', { options: ['English', 'Gujarati', 'Hindi'] }),
  },
  called: ['gradeId', 'name'],
  key: ['academicYearId', 'branchId', 'programId', 'gradeId', 'name'],
  refusals: {
    ...closedYear,
    academic_section_capacity_held: { field: 'capacity', says: 'More students than that are in this section.' },
    student_section_of_section: { field: 'gradeId', says: sectionStays },
    academic_section_teacher_of_section: { field: 'gradeId', says: sectionStays },
  },
});

export const departmentMaster = defineMaster({
  table: 'academic_department',
  path: '/academic/department',
  one: 'department',
  many: 'departments',
  what: 'How the staff are grouped, and who leads each group.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    code: field.text('Code', { max: 10, optional: true }),
    staffId: field.ref('Head', { to: staffNames, optional: true }),
    parentId: field.ref('Parent department', { to: 'self', optional: true }),
  },
  refusals: { academic_department_circle: { field: 'parentId', says: 'This department would be a part of itself.' } },
});

export const designationMaster = defineMaster({
  table: 'academic_designation',
  path: '/academic/designation',
  one: 'designation',
  many: 'designations',
  what: 'What people are employed as: Principal, Teacher, Clerk.',
  access,
  fields: {
    name: field.text('Name', { max: 60 }),
    level: field.number('Level', { least: 1, most: 20, optional: true, hint: '1 is the highest.' }),
  },
});

export const careerMaster = defineMaster({
  table: 'academic_career',
  path: '/academic/career',
  one: 'career',
  many: 'careers',
  what: 'Sectors of work and the specialties within each, as parents choose them on the form.',
  access,
  fields: {
    sectorId: field.ref('Sector', { to: 'self', optional: true, hint: 'Of a specialty. A sector has none.' }),
    name: field.text('Name', { max: 60 }),
  },
  called: ['sectorId', 'name'],
  refusals: {
    academic_career_levels: { field: 'sectorId', says: 'A specialty belongs to a sector, and a sector to nothing.' },
  },
});

/** Lists of words that records choose from and no page of its own is kept for (areas.md K2). */
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
  one: 'choice',
  many: 'choices',
  what: 'What records choose from: languages, religions, caste categories, where families heard of the school.',
  access,
  fields: {
    kind: field.oneOf('List', { options: lookupKinds }),
    name: field.text('Choice', { max: 60 }),
    isSystem: field.yesNo('Fixed', { isReadOnly: true, hint: 'The admission form counts on it.' }),
  },
  called: ['kind', 'name'],
  fixedBy: 'isSystem',
  refusals: { academic_lookup_system: { field: 'name', says: lookupStays } },
});

/** Which year is the current one is decided for all at once. */
export const yearApi = {
  /** The one that was is closed when it lies before, and planned when it lies behind. */
  makeCurrent: endpoint({
    method: 'POST',
    path: '/academic/year/:id/make-current',
    access,
    isConfirmed: true,
    isReported: true,
    input: z.object({ id, version: id }),
    output: z.object({}),
  }),
};

/** The tabs of the Academic Master, in their order. */
export const academicMasters = [
  yearMaster,
  termMaster,
  boardMaster,
  programMaster,
  gradeMaster,
  sectionMaster,
  roomMaster,
  houseMaster,
] as const;

/** The tabs of the Organizational Master that are lists. */
export const organizationalMasters = [
  branchMaster,
  departmentMaster,
  designationMaster,
  careerMaster,
  lookupMaster,
] as const;
