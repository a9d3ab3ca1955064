import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { awayApi } from '../contract/away.ts';
import { workdayCard } from '../contract/cards.ts';
import { carryApi } from '../contract/carry.ts';
import { creditApi } from '../contract/credit.ts';
import { staffLeaveApi } from '../contract/leave.ts';
import { workdayMasters } from '../contract/masters.ts';
import { monthMessages, staffMonthApi } from '../contract/month.ts';
import { workdayPages } from '../contract/pages.ts';
import { personShiftApi } from '../contract/person-shift.ts';
import { presenceApi } from '../contract/presence.ts';
import { usualApi } from '../contract/usual.ts';
import { auditWords } from './audit-words.ts';
import { awayToday, readAway } from './away-month.ts';
import { answerCalendar } from './calendar-answer.ts';
import { carry } from './carry.ts';
import { addCredit } from './credit.ts';
import { grantedChange, ownLeaveCard } from './dashboard-card.ts';
import { ask, cancel, enter, estimate, shorten } from './leave.ts';
import { leaveApproval } from './leave-approval.ts';
import { endLeave } from './leaving.ts';
import { staffLeaveListRoutes } from './list.ts';
import { closeMonth, exportMonth, keptMonth, readMonth, reopenMonth } from './month.ts';
import { openingRoutes } from './opening.ts';
import { readPaper, savePaper } from './paper.ts';
import { ofPerson, own } from './person.ts';
import { answerPost, setShift } from './person-shift.ts';
import { mark, readDay } from './presence.ts';
import { punchRoutes } from './punch.ts';
import { workdaySettings } from './settings.ts';
import { weighAfterShift } from './shift-guard.ts';
import { staffToday } from './today.ts';
import { monthTodo, paperTodo } from './todo.ts';
import { emptyLists, usual } from './usual.ts';
import { copiedRules, workdayYearEnd } from './year-end.ts';

export const workday = serverFeature({
  pages: workdayPages,
  routes: [
    ...staffLeaveListRoutes,
    ...routes(staffLeaveApi, { ofPerson, own, estimate, ask, enter, cancel, shorten, savePaper, paper: readPaper }),
    ...routes(presenceApi, { read: readDay, mark }),
    ...routes(staffMonthApi, {
      read: readMonth,
      export: exportMonth,
      close: closeMonth,
      reopen: reopenMonth,
      kept: keptMonth,
    }),
    ...punchRoutes,
    ...openingRoutes,
    ...routes(carryApi, { run: carry }),
    ...routes(awayApi, { read: readAway }),
    ...routes(personShiftApi, { set: setShift }),
    ...routes(creditApi, { add: addCredit }),
    ...routes(usualApi, { read: emptyLists, add: usual }),
  ],
  masters: workdayMasters,
  masterGuard: weighAfterShift,
  settings: workdaySettings,
  constraintMessages: { workday_month_is_closed: monthMessages.isClosed },
  cards: [ownLeaveCard],
  dayChanges: [grantedChange],
  todos: [paperTodo, monthTodo],
  listConditions: [awayToday],
  recordCards: [{ card: workdayCard, today: staffToday }],
  approvals: [leaveApproval],
  answers: [answerCalendar, answerPost, endLeave],
  rollOver: [copiedRules],
  yearEnd: workdayYearEnd,
  seed: () => import('../seed.ts'),
  auditArea: text`HRIS`,
  auditWords,
});
