import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';
import { leaveCard } from '../contract/cards.ts';
import { correctionApi } from '../contract/correction.ts';
import { dailyApi } from '../contract/daily.ts';
import { exitApi } from '../contract/exit.ts';
import { leaveApi } from '../contract/leave.ts';
import { attendanceMasters } from '../contract/masters.ts';
import { monthApi } from '../contract/month.ts';
import { attendancePages } from '../contract/pages.ts';
import { registerApi } from '../contract/register.ts';
import { twiceApi } from '../contract/twice.ts';
import { dailyAbsenceAlert } from './absence-alert.ts';
import { answerAway } from './away-answer.ts';
import { answerCalendar } from './calendar-answer.ts';
import { noteCall, remind } from './call.ts';
import { correctionApproval, correctionMessages, request, waiting } from './correction.ts';
import { enterGate, readDaily } from './daily.ts';
import { ownSectionCard, registerTodo, schoolCard } from './dashboard-card.ts';
import { absentFigure, presentChart, presentFigure, registersFigure } from './day-figures.ts';
import { answerEnrolment } from './enrolment-answer.ts';
import { attendanceEvents, exitEvents } from './events.ts';
import { findChild, leave, returned } from './exit.ts';
import { slip } from './exit-slip.ts';
import { familyLeaveRoutes } from './family-leave.ts';
import { monthPart } from './family-part.ts';
import { cancel, leaveConstraintMessages, leaveListRoutes, note, ofStudent } from './leave.ts';
import { leaveApproval } from './leave-approval.ts';
import { readPaper, savePaper } from './leave-paper.ts';
import { attendanceMerges, mergeMarks } from './merge.ts';
import { readMonth } from './month.ts';
import { exportMonth } from './month-file.ts';
import { notSeen } from './not-seen.ts';
import { readOwnSections, registerCell } from './own-sections.ts';
import { registersCard } from './register-card.ts';
import { attendanceSettings } from './settings.ts';
import { readSheet } from './sheet.ts';
import { attendanceCard } from './student-card.ts';
import { constraintMessages, lock, submit, undo } from './submit.ts';
import { exitMessage, exitText } from './tell-exit.ts';
import { familyMessages, familyTexts } from './tell-families.ts';
import { leaveNews, leaveTexts } from './tell-leave.ts';
import { copiedTwice, readTwice, saveTwice } from './twice.ts';
import { attendanceYearEnd } from './year-end.ts';

const auditWords: AuditWords = {
  actions: {
    'attendance.submitted': { verb: 'Created', words: text`Submitted the register` },
    'attendance.mark-changed': { verb: 'Changed', words: text`Changed the mark of a student` },
    'attendance.gate-entered': { verb: 'Changed', words: text`Entered a late arrival` },
    'attendance.exit': { verb: 'Created', words: text`Made a gate pass` },
    'attendance.exit-returned': { verb: 'Changed', words: text`Entered the return of a student` },
    'attendance.pass-printed': { verb: 'Viewed', words: text`Printed a gate pass` },
    'attendance.locked': { verb: 'Locked', words: text`Locked the register` },
    'attendance.called': { verb: 'Sent', words: text`Noted a call to the family` },
    'attendance.reminded': { verb: 'Sent', words: text`Reminded class teachers of registers` },
    'attendance.month-exported': { verb: 'Exported', words: text`Exported the register of a month` },
    'attendance.leave-noted': { verb: 'Created', words: text`Noted the leave of a student` },
    'attendance.leave-asked': { verb: 'Created', words: text`Asked for leave of a student` },
    'attendance.leave-withdrawn': { verb: 'Reversed', words: text`Withdrew the leave of a student` },
    'attendance.leave-cancelled': { verb: 'Reversed', words: text`Cancelled the leave of a student` },
    'attendance.leave-paper-saved': { verb: 'Changed', words: text`Saved a paper of a leave` },
    'attendance.leave-paper-opened': { verb: 'Viewed', words: text`Opened a paper of a leave` },
    'attendance_leave.exported': { verb: 'Exported', words: text`Exported` },
    'attendance.corrected': { verb: 'Changed', words: text`Corrected the mark of a student` },
    'attendance.undone': { verb: 'Reversed', words: text`Undid the submission of the register` },
    'attendance.twice-saved': { verb: 'Changed', words: text`Changed which grades take two registers a day` },
  },
  records: {
    attendance_leave: { kind: text`Leave of students` },
    attendance_register: { kind: text`Register` },
  },
};

export const attendance = serverFeature({
  pages: attendancePages,
  routes: [
    ...routes(registerApi, { read: readSheet, submit, undo, lock }),
    ...routes(monthApi, { read: readMonth, export: exportMonth }),
    ...leaveListRoutes,
    ...routes(leaveApi, { note, ofStudent, savePaper, paper: readPaper, cancel }),
    ...familyLeaveRoutes,
    ...routes(correctionApi, { request, waiting }),
    ...routes(twiceApi, { read: readTwice, save: saveTwice }),
    ...routes(exitApi, { child: findChild, leave, returned, slip }),
    ...routes(dailyApi, { read: readDaily, enter: enterGate, call: noteCall, remind }),
  ],
  cards: [ownSectionCard, schoolCard],
  dayFigures: [presentFigure, absentFigure, registersFigure],
  charts: [presentChart],
  todos: [registerTodo],
  dayCells: [registerCell],
  readOwnSections,
  rollOver: [copiedTwice],
  recordCards: [attendanceCard, { card: leaveCard }, registersCard],
  familyParts: [monthPart],
  events: [attendanceEvents, exitEvents],
  series: [{ code: 'gate-pass', words: text`Gate passes` }],
  listConditions: [notSeen],
  answers: [answerAway, answerCalendar, answerEnrolment, mergeMarks],
  approvals: [correctionApproval, leaveApproval],
  masters: attendanceMasters,
  settings: attendanceSettings,
  messages: { ...familyMessages, ...exitMessage, ...leaveNews },
  textMessages: { ...familyTexts, ...exitText, ...leaveTexts },
  daily: [dailyAbsenceAlert],
  constraintMessages: { ...constraintMessages, ...correctionMessages, ...leaveConstraintMessages },
  seed: () => import('../seed.ts'),
  yearEnd: attendanceYearEnd,
  auditArea: text`Attendance`,
  auditWords,
  merges: attendanceMerges,
});
