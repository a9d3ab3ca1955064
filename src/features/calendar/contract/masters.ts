import { admin } from '#features/account/contract/access.ts';
import { defineMaster, field, namedBy } from '#kit/contract/master.ts';

const access = [admin()];

export const closedYearMessage = 'This academic year is closed. It can only be read.';

/** The refusal by the database of a change within a closed year, for the `constraintMessages` of whatever belongs to a year. */
export const closedYearAt = (field: string) => ({ academic_year_is_closed: { field, message: closedYearMessage } });

export const yearMaster = defineMaster({
  table: 'academic_year',
  path: '/academic/year',
  singular: 'academic year',
  plural: 'academic years',
  description: 'Everything that is dated belongs to an academic year; exactly one is current.',
  access,
  isRemovalReported: true,
  fields: {
    name: field.text('Name', {
      max: 9,
      hint: 'As 2026-27.',
      like: /^[0-9]{4}-([0-9]{2}|[0-9]{4})$/,
      message: 'Write the name as 2026-27.',
    }),
    startsOn: field.date('First day'),
    endsOn: field.date('Last day'),
    ageCutoffOn: field.date('Age counts on', {
      hint: 'The day on which a child must have reached the age for a grade.',
    }),
    status: field.oneOf('Status', { options: ['Planned', 'Current', 'Closed'], isReadOnly: true }),
    isAdmissionOpen: field.yesNo('Open for admission'),
  },
  constraintMessages: {
    academic_year_is_closed: {
      field: 'status',
      message: 'This year is closed. It can only be read, or made current again.',
    },
    academic_year_days: { field: 'endsOn', message: 'The last day must come after the first.' },
    academic_year_length: { field: 'endsOn', message: 'An academic year lasts two years at most.' },
    academic_year_overlap: { field: 'startsOn', message: 'These days overlap another academic year.' },
    academic_year_current_is_active: { field: 'isActive', message: 'The current year stays active.' },
    academic_year_some_current: {
      field: 'status',
      message: 'This is the current year. Make another one current first.',
    },
    academic_year_people: {
      field: 'startsOn',
      message: 'Teachers or students are in sections on days that would lie outside the year.',
    },
    academic_term_inside_year: {
      field: 'startsOn',
      message: 'A term of this year would lie outside it. Change the term first.',
    },
    academic_calendar_inside_year: {
      field: 'startsOn',
      message: 'A day of this year’s calendar would lie outside it. Change the calendar first.',
    },
  },
});

export const termMaster = defineMaster({
  table: 'academic_term',
  path: '/academic/term',
  singular: 'term',
  plural: 'terms',
  description: 'The parts of an academic year, for reports and marks.',
  access,
  fields: {
    academicYearId: field.ref('Academic year', { to: namedBy(yearMaster) }),
    name: field.text('Name', { max: 30 }),
    startsOn: field.date('First day'),
    endsOn: field.date('Last day'),
  },
  labelFields: ['academicYearId', 'name'],
  constraintMessages: {
    ...closedYearAt('academicYearId'),
    academic_term_days: { field: 'endsOn', message: 'The last day cannot come before the first.' },
    academic_term_overlap: { field: 'startsOn', message: 'These days overlap another term of the year.' },
    academic_term_inside_year: { field: 'startsOn', message: 'A term lies inside its academic year.' },
  },
});

export const calendarMasters = [yearMaster, termMaster] as const;
