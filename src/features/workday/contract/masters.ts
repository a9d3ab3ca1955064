import { signedIn } from '#access/contract/grants.ts';
import { closedYearAt } from '#features/calendar/contract/closed-year.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster, namedBy } from '#kit/contract/master.ts';
import { options, text } from '#kit/contract/text.ts';
import { workdayMasterAccess as access } from './access.ts';

const weekdays = options('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday');

/** How the days of a leave are counted. */
const countings = options('Working days', 'Working days and days between', 'Calendar days');
const usedType = text`Leave of this type exists, so its kind and how it counts can’t change. Add another type instead.`;

export const shiftMaster = defineMaster({
  table: 'workday_shift',
  path: '/workday/shift',
  singular: text`shift`,
  plural: text`shifts`,
  description: text`The days and hours of groups of staff. The school’s calendar says which days are off.`,
  access,
  fields: {
    name: field.text(text`Name`, { max: 60 }),
    staffCategoryId: field.ref(text`Staff category`, {
      to: namedBy(staffCategoryMaster),
      optional: true,
      hint: text`Its staff have this shift.`,
    }),
    weekdays: field.someOf(text`Days`, { options: weekdays, isSequence: true }),
    starts: field.time(text`Starts`),
    ends: field.time(text`Ends`, { hint: text`An earlier time than the start is one of the next day.` }),
    saturdayStarts: field.time(text`Starts on Saturdays`, { optional: true, isAside: true }),
    saturdayEnds: field.time(text`Ends on Saturdays`, { optional: true, isAside: true }),
    graceMin: field.number(text`Minutes of grace`, {
      least: 0,
      most: 120,
      initial: '0',
      isAside: true,
      hint: text`A punch within these minutes after the start is not late.`,
    }),
    halfBelowMin: field.number(text`Half a day below (minutes)`, {
      least: 0,
      most: 720,
      initial: '0',
      isAside: true,
      hint: text`A day with fewer minutes at school counts as half a day. 0: never.`,
    }),
    hasOwnDaysOff: field.yesNo(text`Own days off`, {
      hint: text`Works on the school’s weekly off where it is one of the days above, as guards do.`,
      isAside: true,
    }),
    worksVacation: field.yesNo(text`Works in vacations`),
    worksHalfDays: field.yesNo(text`Works half days in full`, {
      hint: text`Otherwise a half day of the school is the first half.`,
      isAside: true,
    }),
    isDefault: field.yesNo(text`For everybody else`, { hint: text`Staff without another shift have this one.` }),
  },
  constraintMessages: {
    workday_shift_saturday: { field: 'saturdayEnds', message: text`Enter both times of Saturdays, or none.` },
    workday_shift_whose: {
      field: 'isDefault',
      message: text`A shift for one staff category can’t be the one for everybody else.`,
    },
    workday_shift_one_default: { field: 'isDefault', message: text`Another active shift is for everybody else.` },
    workday_shift_one_category: {
      field: 'staffCategoryId',
      message: text`Another active shift is for this staff category.`,
    },
  },
});

export const leaveTypeMaster = defineMaster({
  table: 'workday_leave_type',
  path: '/workday/leave-type',
  singular: text`leave type`,
  plural: text`leave types`,
  description: text`Kinds of leave of staff, such as casual leave. How much each person gets is a leave rule.`,
  access,
  // Staff choose a type for their own leave.
  optionAccess: signedIn,
  fields: {
    code: field.text(text`Code`, { max: 5, width: 'short' }),
    name: field.text(text`Name`, { max: 60 }),
    counts: field.oneOf(text`Counts`, {
      options: countings,
      hint: text`With days between, a weekend between two days of leave counts too.`,
    }),
    accrual: field.oneOf(text`Given`, { options: options('At once', 'Monthly') }),
    mostHalvesInARow: field.number(text`Most in a row (half days)`, {
      least: 1,
      most: 800,
      optional: true,
      isAside: true,
    }),
    carryHalves: field.number(text`Carried to the next year (half days)`, {
      least: 0,
      most: 800,
      initial: '0',
      isAside: true,
    }),
    noticeDays: field.number(text`Days of notice`, { least: 0, most: 365, initial: '0', isAside: true }),
    backDays: field.number(text`Can be asked for days back`, {
      least: 0,
      most: 365,
      optional: true,
      isAside: true,
      hint: text`Empty: the setting for all types.`,
    }),
    paperAfterHalves: field.number(text`Needs a paper above (half days)`, {
      least: 0,
      most: 800,
      optional: true,
      isAside: true,
    }),
    isHalfAllowed: field.yesNo(text`Half days`),
    isPaid: field.yesNo(text`Paid`),
    mayGoBelow: field.yesNo(text`May go below zero`, { isAside: true }),
    gender: field.oneOf(text`Only for`, { options: options('Female', 'Male', 'Other'), optional: true, isAside: true }),
  },
  key: ['code'],
  constraintMessages: { workday_leave_type_used: { field: 'code', message: usedType } },
});

const leaveRuleMaster = defineMaster({
  table: 'workday_leave_rule',
  path: '/workday/leave-rule',
  singular: text`leave rule`,
  plural: text`leave rules`,
  description: text`How much leave of a type staff get in a year. The most specific rule for a person counts.`,
  access,
  fields: {
    academicYearId: field.ref(text`Academic year`, { to: namedBy(yearMaster) }),
    leaveTypeId: field.ref(text`Leave type`, { to: namedBy(leaveTypeMaster) }),
    staffCategoryId: field.ref(text`Staff category`, { to: namedBy(staffCategoryMaster), optional: true }),
    employmentTypeId: field.ref(text`Employment type`, { to: namedBy(employmentTypeMaster), optional: true }),
    halves: field.number(text`Half days a year`, { least: 0, most: 800, hint: text`24 for 12 days.` }),
  },
  labelFields: ['academicYearId', 'leaveTypeId', 'staffCategoryId', 'employmentTypeId'],
  constraintMessages: {
    ...closedYearAt('academicYearId'),
    workday_leave_rule_once: { field: 'leaveTypeId', message: text`This rule exists already.` },
  },
});

export const workdayMasters = [shiftMaster, leaveTypeMaster, leaveRuleMaster] as const;
