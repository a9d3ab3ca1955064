import { admin, signedIn } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';
import { closedYearAt } from './closed-year.ts';

const access = [admin()];

export const yearMaster = defineMaster({
  table: 'academic_year',
  path: '/academic/year',
  singular: text`academic year`,
  plural: text`academic years`,
  description: text`Terms, sections and the calendar belong to an academic year. A year begins on its first day.`,
  access,
  optionAccess: signedIn,
  isRemovalReported: true,
  fields: {
    name: field.text(text`Name`, {
      max: 9,
      hint: text`Enter a name such as 2026-27.`,
      like: /^[0-9]{4}-([0-9]{2}|[0-9]{4})$/,
      message: text`Enter a name such as 2026-27.`,
    }),
    startsOn: field.date(text`First day`),
    endsOn: field.date(text`Last day`),
    ageCutoffOn: field.date(text`Age cut-off date`, {
      hint: text`A child must have reached the age for the grade by this date.`,
    }),
    phase: field.oneOf(text`Year status`, {
      options: options('Planned', 'Current', 'Ended', 'Closed'),
      isReadOnly: true,
    }),
  },
  constraintMessages: {
    academic_year_is_closed: {
      field: 'phase',
      message: text`This year is closed. To change it, reopen it.`,
    },
    academic_year_days: { field: 'endsOn', message: text`Enter a later last day.` },
    academic_year_length: { field: 'endsOn', message: text`An academic year can be at most two years long.` },
    academic_year_overlap: { field: 'startsOn', message: text`These days overlap another entry.` },
    academic_year_of_today: {
      field: 'isActive',
      message: text`This is the current year. It can’t be inactive or deleted.`,
    },
    academic_year_people: {
      field: 'startsOn',
      message: text`Students or teachers have section dates outside the year. Change their dates first.`,
    },
    academic_term_inside_year: {
      field: 'startsOn',
      message: text`A term or calendar day would be outside the year. Change it first.`,
    },
    academic_calendar_inside_year: {
      field: 'startsOn',
      message: text`A term or calendar day would be outside the year. Change it first.`,
    },
  },
});

export const termMaster = defineMaster({
  table: 'academic_term',
  path: '/academic/term',
  singular: text`term`,
  plural: text`terms`,
  access,
  fields: {
    academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
    name: field.text(text`Name`, { max: 30 }),
    startsOn: field.date(text`First day`),
    endsOn: field.date(text`Last day`),
  },
  labelFields: ['academicYearId', 'name'],
  constraintMessages: {
    ...closedYearAt('academicYearId'),
    academic_term_days: { field: 'endsOn', message: text`Enter a later last day.` },
    academic_term_overlap: { field: 'startsOn', message: text`These days overlap another entry.` },
    academic_term_inside_year: { field: 'startsOn', message: text`Enter dates within the academic year.` },
  },
});

export const calendarMasters = [yearMaster, termMaster] as const;
