import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';
import { dailyApi } from '../contract/daily.ts';
import { attendanceMasters } from '../contract/masters.ts';
import { monthApi } from '../contract/month.ts';
import { attendancePages } from '../contract/pages.ts';
import { registerApi } from '../contract/register.ts';
import { enterGate, readDaily } from './daily.ts';
import { ownSectionCard, schoolCard } from './dashboard-card.ts';
import { readMonth } from './month.ts';
import { exportMonth } from './month-file.ts';
import { attendanceSettings } from './settings.ts';
import { readSheet } from './sheet.ts';
import { attendanceCard } from './student-card.ts';
import { constraintMessages, submit, undo } from './submit.ts';

const auditWords: AuditWords = {
  actions: {
    'attendance.submitted': text`Submitted the register`,
    'attendance.mark-changed': text`Changed the mark of a student`,
    'attendance.gate-entered': text`Entered a late arrival`,
    'attendance.month-exported': text`Exported the register of a month`,
    'attendance.undone': text`Undid the submission of the register`,
  },
  records: {
    attendance_register: { kind: text`Register` },
  },
};

export const attendance = serverFeature({
  pages: attendancePages,
  routes: [
    ...routes(registerApi, { read: readSheet, submit, undo }),
    ...routes(monthApi, { read: readMonth, export: exportMonth }),
    ...routes(dailyApi, { read: readDaily, enter: enterGate }),
  ],
  cards: [ownSectionCard, schoolCard],
  recordCards: [attendanceCard],
  masters: attendanceMasters,
  settings: attendanceSettings,
  constraintMessages,
  seed: () => import('../seed.ts'),
  auditWords,
});
