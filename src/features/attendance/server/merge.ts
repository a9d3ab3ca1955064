import { text } from '#kit/contract/text.ts';
import type { Merging } from '#kit/server/context.ts';

/** What hangs on a student's record in this feature. */
export const attendanceMerges: readonly Merging[] = [
  { table: 'attendance_mark', words: text`Marks of attendance`, how: 'moves' },
  { table: 'attendance_gate', words: text`Entries at the gate`, how: 'moves' },
  { table: 'attendance_leave', words: text`Leave`, how: 'moves' },
  { table: 'attendance_correction', words: text`Corrections of attendance`, how: 'moves' },
  { table: 'attendance_call', words: text`Calls about absence`, how: 'moves' },
  { table: 'attendance_alert', words: text`Alerts of absence`, how: 'stays' },
  { table: 'attendance_message', words: text`Messages about absence`, how: 'stays' },
];
