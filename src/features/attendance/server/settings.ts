import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Attendance`;

export const lockHour = setting({
  key: 'attendance.lock-hour',
  group,
  label: text`Registers lock at`,
  help: text`At this hour of the next working day. Later changes need an approved correction.`,
  kind: 'hour',
  default: 18,
  least: 8,
  most: 22,
});

export const lateHour = setting({
  key: 'attendance.late-hour',
  group,
  label: text`Registers count as late from`,
  help: text`Until then a missing register is only not taken yet. Those of the afternoon count as late from 14:00.`,
  kind: 'hour',
  default: 9,
  least: 7,
  most: 12,
});

export const subjectTeachersTake = setting({
  key: 'attendance.subject-teachers',
  group,
  label: text`Subject teachers may take the register`,
  help: text`On the same day, for the sections that they teach.`,
  kind: 'yesNo',
  default: true,
});

export const tellsFamilies = setting({
  key: 'attendance.tell-families',
  group,
  label: text`Tell families of an absence`,
  help: text`One message a day to the guardian who is called first.`,
  kind: 'yesNo',
  default: true,
});

export const tellAfter = setting({
  key: 'attendance.tell-after',
  group,
  label: text`Tell families after`,
  help: text`If the mark is corrected before then, no message is sent.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {minute} other {minutes}}' }),
  default: 20,
  least: 0,
  most: 240,
});

export const alertDays = setting({
  key: 'attendance.alert-days',
  group,
  label: text`Alert the class teacher after`,
  help: text`Days absent in a row. The alert comes again after as many more days.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: 3,
  least: 2,
  most: 30,
});

export const teacherLeaveDays = setting({
  key: 'attendance.teacher-leave-days',
  group,
  label: text`Class teachers grant leave up to`,
  help: text`Longer leave of a student is granted by the principal. Leave without a school day in between is added.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {school day} other {school days}}' }),
  default: 3,
  least: 0,
  most: 60,
});

const percent = text({ message: '%' });

export const lowPercent = setting({
  key: 'attendance.low-percent',
  group,
  label: text`Attendance is low below`,
  help: text`Percentages below it are red.`,
  kind: 'number',
  unit: percent,
  default: 75,
  least: 1,
  most: 99,
});

export const nearPercent = setting({
  key: 'attendance.near-percent',
  group,
  label: text`Attendance needs attention below`,
  help: text`Percentages below it are amber.`,
  kind: 'number',
  unit: percent,
  default: 80,
  least: 1,
  most: 99,
});

export const exitHalvesDay = setting({
  key: 'attendance.exit-halves-day',
  group,
  label: text`Leaving early makes half a day`,
  help: text`The mark of a child who leaves before the hour below becomes Half day.`,
  kind: 'yesNo',
  default: false,
});

export const exitHour = setting({
  key: 'attendance.exit-hour',
  group,
  label: text`Leaving before this time is half a day`,
  help: text`Only where leaving early makes half a day. A locked register asks for a correction.`,
  kind: 'hour',
  default: 12,
  least: 8,
  most: 18,
});

export const leaveBackDays = setting({
  key: 'attendance.leave-back-days',
  group,
  label: text`Families ask for leave of earlier school days`,
  help: text`So many school days back on the family page; the office enters leave of earlier days.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: 3,
  least: 0,
  most: 30,
});

export const attendanceSettings = [
  exitHalvesDay,
  exitHour,
  lateHour,
  lockHour,
  subjectTeachersTake,
  tellsFamilies,
  tellAfter,
  alertDays,
  teacherLeaveDays,
  leaveBackDays,
  lowPercent,
  nearPercent,
] as const;
