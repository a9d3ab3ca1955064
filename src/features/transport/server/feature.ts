import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { transportMasters } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { answerAway } from './away-answer.ts';
import { busMessages } from './bus-messages.ts';
import { busTexts } from './bus-words.ts';
import { studentsByBus } from './by-bus.ts';
import { chargeRuns } from './charge-run.ts';
import { copiedPrices } from './copied-prices.ts';
import { transportCard } from './dashboard-card.ts';
import { changedBusesFigure } from './day-figure.ts';
import { dutyRoutes } from './duty.ts';
import { rideEvents } from './events.ts';
import { busPart } from './family-part.ts';
import { chargeNewPlans } from './fee-link.ts';
import { fleetRoutes } from './fleet.ts';
import { applyDecided, guardPrices } from './held-terms.ts';
import { endStaffRides, endStudentRides } from './leaving.ts';
import { mergeWaits, transportMerges } from './merge.ts';
import { constraintMessages } from './messages.ts';
import { nextYearRuns } from './next-year.ts';
import { paperListRoutes, paperTodo } from './paper-list.ts';
import { dailyPapers } from './reminder.ts';
import { studentRide } from './ride-card.ts';
import { riderRoutes } from './rider.ts';
import { routeListRoutes, routeRoutes } from './route.ts';
import { routePlanRoutes } from './route-plan.ts';
import { vehicleSearch } from './search.ts';
import { transportSettings } from './settings.ts';
import { todayRoutes } from './stand-in.ts';
import { stopChangeRoutes } from './stop-change.ts';
import { stopChangeApproval } from './stop-change-approval.ts';
import { dailyTelling } from './tell-families.ts';
import { backTodo, lackingTodo } from './todo.ts';
import { seatTodo, waitRoutes } from './wait.ts';
import { transportYearEnd } from './year-end.ts';

export const transport = serverFeature({
  pages: transportPages,
  routes: [
    ...routeListRoutes,
    ...routeRoutes,
    ...routePlanRoutes,
    ...dutyRoutes,
    ...todayRoutes,
    ...riderRoutes,
    ...stopChangeRoutes,
    ...fleetRoutes,
    ...paperListRoutes,
    ...waitRoutes,
  ],
  runs: { ...chargeRuns, ...nextYearRuns },
  masters: transportMasters,
  masterGuard: guardPrices,
  settings: transportSettings,
  dayFigures: [changedBusesFigure],
  cards: [transportCard],
  todos: [lackingTodo, backTodo, paperTodo, seatTodo],
  daily: [dailyPapers, dailyTelling],
  messages: busMessages,
  textMessages: busTexts,
  recordCards: [studentRide],
  familyParts: [busPart],
  events: rideEvents,
  listConditions: [studentsByBus],
  searches: [vehicleSearch],
  approvals: [stopChangeApproval],
  rollOver: [copiedPrices],
  answers: [answerAway, endStudentRides, endStaffRides, chargeNewPlans, applyDecided, mergeWaits],
  series: [{ code: 'stop-change', words: text`Stop changes` }],
  constraintMessages,
  yearEnd: transportYearEnd,
  auditArea: text`Transport`,
  auditWords,
  seed: () => import('../seed.ts'),
  merges: transportMerges,
});
