import { admin, signedIn } from '#access/contract/grants.ts';
import { staffNames } from '#access/contract/staff-names.ts';
import { closedYearAt } from '#features/calendar/contract/closed-year.ts';
import { termMaster, yearMaster } from '#features/calendar/contract/masters.ts';
import { branchMaster, roomMaster } from '#features/school/contract/masters.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { options, text } from '#kit/contract/text.ts';

const access = [admin()];

/** The four stages of the National Education Policy 2020. */
export const stages = options('Foundational', 'Preparatory', 'Middle', 'Secondary');

export const boardMaster = defineMaster({
  table: 'academic_board',
  path: '/academic/board',
  singular: text`board`,
  plural: text`boards`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    shortName: field.text(text`Short name`, { max: 12, optional: true }),
    affiliationNo: field.text(text`Affiliation number`, { max: 30, optional: true }),
  },
});

export const programMaster = defineMaster({
  table: 'academic_program',
  path: '/academic/program',
  singular: text`program`,
  plural: text`programs`,
  access,
  optionAccess: signedIn,
  fields: {
    boardId: field.ref(text`Board`, { to: namedBy(boardMaster) }),
    name: field.text(text`Name`, { max: 60 }),
    shortName: field.text(text`Short name`, { max: 12, optional: true }),
  },
  labelFields: ['boardId', 'name'],
});

export const gradeMaster = defineMaster({
  table: 'academic_grade',
  path: '/academic/grade',
  singular: text`grade`,
  plural: text`grades`,
  access,
  optionAccess: signedIn,
  fields: {
    name: field.text(text`Name`, { max: 30 }),
    code: field.text(text`Code`, { max: 6 }),
    stage: field.oneOf(text`Stage`, { options: stages }),
    minAgeMonths: field.number(text`Minimum age (months)`, {
      inYears: text`Minimum age`,
      alsoNamed: ['Age from', 'Minimum age'],
      least: 24,
      most: 300,
      optional: true,
      hint: text`On the age cut-off date.`,
    }),
    maxAgeMonths: field.number(text`Maximum age (months)`, {
      inYears: text`Maximum age`,
      alsoNamed: ['Age to', 'Maximum age'],
      least: 24,
      most: 300,
      optional: true,
      isAside: true,
    }),
    nextGradeId: field.ref(text`Next grade`, { to: 'self', optional: true }),
    isInternshipOpen: field.yesNo(text`Internships`, { isAside: true }),
  },
  isOrdered: true,
  constraintMessages: {
    academic_grade_ages: { field: 'maxAgeMonths', message: text`The maximum can’t be less than the minimum.` },
    academic_grade_circle: {
      field: 'nextGradeId',
      message: text`This leads back to the entry you are editing. Choose another one.`,
    },
  },
});

export const houseMaster = defineMaster({
  table: 'academic_house',
  path: '/academic/house',
  singular: text`house`,
  plural: text`houses`,
  access,
  optionAccess: signedIn,
  fields: {
    name: field.text(text`Name`, { max: 30 }),
    colour: field.oneOf(text`Colour`, { options: colours }),
    staffId: field.ref(text`House master`, { to: staffNames, optional: true }),
  },
});

const sectionInUse = text`This section has students or teachers, so its year, branch, program and grade are fixed.`;

export const sectionMaster = defineMaster({
  table: 'academic_section',
  path: '/academic/section',
  singular: text`section`,
  plural: text`sections`,
  access,
  fields: {
    academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster), alsoNamed: ['Year', 'Session'] }),
    branchId: field.ref(text`Branch`, { to: namedBy(branchMaster), alsoNamed: ['Campus'] }),
    programId: field.ref(text`Program`, { to: namedBy(programMaster), alsoNamed: ['Board', 'Stream'] }),
    gradeId: field.ref(text`Grade`, { to: namedBy(gradeMaster), alsoNamed: ['Class', 'Std', 'Standard'] }),
    name: field.text(text`Name`, { max: 10, alsoNamed: ['Section', 'Sec', 'Division', 'Div'] }),
    capacity: field.number(text`Capacity`, { least: 1, most: 80, alsoNamed: ['Strength', 'Seats'] }),
    roomId: field.ref(text`Room`, { to: namedBy(roomMaster), optional: true }),
    medium: field.oneOf(text`Medium`, { options: options('English', 'Gujarati', 'Hindi') }),
  },
  labelFields: ['gradeId', 'name'],
  key: ['academicYearId', 'branchId', 'programId', 'gradeId', 'name'],
  constraintMessages: {
    ...closedYearAt('academicYearId'),
    academic_section_capacity_held: {
      field: 'capacity',
      message: text`This section already has more students. Enter a higher number.`,
    },
    student_section_of_section: { field: 'gradeId', message: sectionInUse },
    academic_section_teacher_of_section: { field: 'gradeId', message: sectionInUse },
  },
});

export const academicMasters = [boardMaster, programMaster, gradeMaster, sectionMaster, houseMaster] as const;

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
