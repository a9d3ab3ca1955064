import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const codePage = {
  path: 'attendance/attendance-code',
  title: text`Attendance Codes`,
  reads: 'GET /attendance/code',
  roles: ['Admin'],
  tabs: [
    { key: 'code', title: text`Attendance codes` },
    { key: 'twice', title: text`Registers a day` },
  ],
} as const satisfies Page;

const takers = ['classTeacher', 'subjectTeacher', 'office', 'principal'] as const;

export const attendancePages = [
  {
    path: 'attendance/student-attendance',
    title: text`Student Attendance`,
    reads: 'GET /attendance/register',
    roles: ['Staff'],
    sets: [...takers, 'substitute'],
    search: ['section', 'day', 'slot', 'act'],
    acts: [{ key: 'take', title: text`Take attendance`, alsoNamed: text`register present absent roll call` }],
  },
  {
    path: 'attendance/month-wise-attendance',
    title: text`Month Wise Attendance`,
    reads: 'GET /attendance/month',
    roles: ['Staff'],
    sets: takers,
    search: ['section', 'month', 'show'],
  },
  {
    path: 'attendance/daily-attendance',
    title: text`Daily Attendance`,
    reads: 'GET /attendance/daily',
    roles: ['Staff'],
    sets: ['office', 'principal', 'transportIncharge', 'hr'],
    search: ['day', 'show', 'act'],
    acts: [
      {
        key: 'gate-pass',
        title: text`Gate pass`,
        alsoNamed: text`leaves early, goes home with a parent, exit`,
        sets: ['office', 'principal'],
      },
      {
        key: 'staff',
        title: text`Mark staff attendance`,
        alsoNamed: text`presence of staff, teachers present absent`,
        sets: ['office', 'principal', 'hr'],
      },
      {
        key: 'substitutes',
        title: text`Give a substitute`,
        alsoNamed: text`cover for an absent teacher, arrangement`,
        sets: ['office', 'principal'],
      },
    ],
  },
  {
    path: 'attendance/student-leave',
    title: text`Student Leave`,
    reads: 'GET /attendance/leave',
    roles: ['Staff'],
    sets: ['classTeacher', 'office', 'principal'],
    search: ['tab'],
  },
  codePage,
] as const satisfies readonly Page[];
