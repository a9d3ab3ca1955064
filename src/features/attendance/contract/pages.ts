import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

export const codePage = {
  path: 'attendance/attendance-code',
  title: text`Attendance Codes`,
  reads: 'GET /attendance/code',
  roles: ['Admin'],
  tabs: [{ key: 'code', title: text`Attendance codes` }],
} as const satisfies Page;

export const attendancePages = [codePage] as const satisfies readonly Page[];
