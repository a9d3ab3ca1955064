import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { ticketMasters } from '../contract/masters.ts';
import { ticketPages } from '../contract/pages.ts';
import { ticketApi } from '../contract/ticket.ts';
import { auditWords } from './audit-words.ts';
import { answerCalendar } from './calendar-answer.ts';
import { choiceHandlers } from './choices.ts';
import { configRoutes } from './config.ts';
import { overdueChange, ticketCard } from './dashboard-card.ts';
import { endHandlers } from './end.ts';
import { handOverTickets } from './leaving.ts';
import { byMeRoutes, countWaiting, toMeRoutes } from './list.ts';
import { manyRoutes } from './many.ts';
import { mergeTickets, ticketMerges } from './merge.ts';
import { ticketMinutes } from './minute.ts';
import { ticketTemplates } from './notices.ts';
import { policyRoutes } from './policy.ts';
import { estimate, raise } from './raise.ts';
import { readHandlers } from './read.ts';
import { staffTickets, staffWork, studentTickets } from './record-card.ts';
import { ticketSearch } from './search.ts';
import { ticketSettings } from './settings.ts';
import { similar } from './similar.ts';
import { comment } from './talk.ts';
import { retimeAll } from './times.ts';
import { ticketTodos } from './todo.ts';
import { undo } from './undo.ts';
import { workHandlers } from './work.ts';
import { ticketYearEnd } from './year-end.ts';

const [, toMePage] = ticketPages;

export const ticket = serverFeature({
  pages: ticketPages,
  routes: [
    ...byMeRoutes,
    ...toMeRoutes,
    ...policyRoutes,
    ...configRoutes,
    ...manyRoutes,
    ...routes(ticketApi, {
      ...choiceHandlers,
      ...readHandlers,
      ...workHandlers,
      ...endHandlers,
      estimate,
      similar,
      raise,
      undo,
      comment,
    }),
  ],
  masters: ticketMasters,
  settings: ticketSettings,
  messages: ticketTemplates,
  cards: [ticketCard],
  dayChanges: [overdueChange],
  todos: ticketTodos,
  constraintMessages: {
    ticket_department_open: text`This department has open tickets. Transfer them first.`,
  },
  recordCards: [studentTickets, staffTickets, staffWork],
  searches: [ticketSearch],
  answers: [handOverTickets, mergeTickets, answerCalendar],
  everyMinute: ticketMinutes,
  badges: [{ path: toMePage.path, roles: ['Staff'], count: countWaiting }],
  series: [{ code: 'ticket', words: text`Tickets` }],
  // The calendar and settings may have changed since.
  tidyUp: (db) => db.transaction().execute((tx) => retimeAll({ db: tx })),
  seed: () => import('../seed.ts'),
  yearEnd: ticketYearEnd,
  auditArea: text`Tickets`,
  auditWords,
  merges: ticketMerges,
});
