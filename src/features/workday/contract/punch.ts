import { staffNames } from '#access/contract/staff-names.ts';
import { field } from '#kit/contract/field.ts';
import { importApi } from '#kit/contract/import.ts';
import { text } from '#kit/contract/text.ts';
import { leaveKeepers } from './access.ts';

/** The columns of a file of an attendance device: a day and its times, or one moment. */
export const punchFile = {
  staffId: field.ref(text`Employee number or device code`, {
    to: staffNames,
    alsoNamed: [
      'Employee number',
      'Employee Code',
      'Emp Code',
      'EmpCode',
      'Emp ID',
      'E. Code',
      'Enroll No',
      'EnNo',
      'AC-No.',
      'Card No',
      'User ID',
      'Device code',
      'PIN',
    ],
  }),
  day: field.date(text`Day`, { optional: true, alsoNamed: ['Date', 'Attendance Date', 'Punch Date', 'Log Date'] }),
  times: field.text(text`Times`, {
    max: 500,
    optional: true,
    alsoNamed: ['Time', 'Punch Time', 'Punches', 'Punch Records', 'In', 'In Time', 'InTime', 'First In'],
  }),
  out: field.text(text`Out`, { max: 40, optional: true, alsoNamed: ['Out Time', 'OutTime', 'Last Out'] }),
  moment: field.text(text`Day and time`, {
    max: 60,
    optional: true,
    alsoNamed: ['Date and time', 'DateTime', 'Date/Time', 'Punch DateTime', 'Log DateTime', 'Timestamp'],
  }),
  device: field.text(text`Device`, {
    max: 60,
    optional: true,
    alsoNamed: ['Device Name', 'Machine', 'Terminal', 'Location'],
  }),
};

export const punchMessages = {
  person: text`Choose the person of this code.`,
  moment: text`Enter a day and a time, such as 2 Dec 2026 09:05 or 02/12/2026 9:05 PM.`,
  day: text`Enter the day, such as 02/12/2026.`,
  times: text`Enter times such as 09:05, 9:05 PM or 09:05, 13:00, 17:10.`,
  none: text`Enter a time.`,
  later: text`This is later than now.`,
  notEmployed: text`The person is not employed on this day.`,
};

export const punchImportApi = importApi({
  path: '/workday/punch',
  access: leaveKeepers,
  changes: ['workday'],
  columns: punchFile,
  needed: ['staffId'],
});
