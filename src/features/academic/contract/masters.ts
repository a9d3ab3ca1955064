import { admin } from '#features/account/contract/access.ts';
import { closedYearAt, termMaster, yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster, roomMaster } from '#features/school/contract/masters.ts';
import { staffNames } from '#features/staff/contract.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';

const access = [admin()];

/** The four stages of the National Education Policy 2020. */
export const stages = ['Foundational', 'Preparatory', 'Middle', 'Secondary'] as const;

export const boardMaster = defineMaster({
  table: 'academic_board',
  path: '/academic/board',
  singular: 'board',
  plural: 'boards',
  description: 'The examination boards the school follows, such as CBSE or GSEB.',
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
  singular: 'program',
  plural: 'programs',
  description: 'How a board is taught: General, Science, Commerce, day boarding.',
  access,
  fields: {
    boardId: field.ref('Board', { to: namedBy(boardMaster) }),
    name: field.text('Name', { max: 60 }),
    shortName: field.text('Short name', { max: 12, optional: true }),
  },
  labelFields: ['boardId', 'name'],
});

export const gradeMaster = defineMaster({
  table: 'academic_grade',
  path: '/academic/grade',
  singular: 'grade',
  plural: 'grades',
  description: 'From Nursery to Grade 12, in the order in which children move up.',
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
  constraintMessages: {
    academic_grade_ages: { field: 'maxAgeMonths', message: 'The oldest age cannot be below the youngest.' },
    academic_grade_circle: { field: 'nextGradeId', message: 'This grade would lead back to itself.' },
  },
});

export const houseMaster = defineMaster({
  table: 'academic_house',
  path: '/academic/house',
  singular: 'house',
  plural: 'houses',
  description: 'The teams that children of all grades belong to.',
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
  singular: 'section',
  plural: 'sections',
  description: 'The classes of an academic year: Grade 1 A, Grade 1 B.',
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
  labelFields: ['gradeId', 'name'],
  key: ['academicYearId', 'branchId', 'programId', 'gradeId', 'name'],
  constraintMessages: {
    ...closedYearAt('academicYearId'),
    academic_section_capacity_held: { field: 'capacity', message: 'More students than that are in this section.' },
    student_section_of_section: { field: 'gradeId', message: sectionStays },
    academic_section_teacher_of_section: { field: 'gradeId', message: sectionStays },
  },
});

export const academicMasters = [boardMaster, programMaster, gradeMaster, sectionMaster, houseMaster] as const;

/** The tabs of the Academic Master that are lists, in their order. */
export const academicMasterTabs = [
  yearMaster,
  termMaster,
  boardMaster,
  programMaster,
  gradeMaster,
  sectionMaster,
  roomMaster,
  houseMaster,
] as const;
