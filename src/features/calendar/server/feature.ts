import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { closedYearOf } from '../contract/closed-year.ts';
import { calendarMasters } from '../contract/masters.ts';
import { auditWords } from './audit-words.ts';
import days from './calendar.ts';
import { calendarCell, readComingDays } from './coming-days.ts';
import { copiedParts } from './copied-parts.ts';
import { findNoNextYear } from './next-year-warning.ts';
import rollOver from './roll-over.ts';
import { calendarSteps } from './set-up.ts';
import year from './year.ts';
import { calendarYearEnd } from './year-end.ts';

export const calendar = serverFeature({
  routes: [...year, ...rollOver, ...days],
  masters: calendarMasters,
  constraintMessages: { academic_year_is_closed: closedYearOf },
  rollOver: copiedParts,
  dayCells: [calendarCell],
  readComingDays,
  seed: () => import('../seed.ts'),
  findWarnings: findNoNextYear,
  setUp: calendarSteps,
  yearEnd: calendarYearEnd,
  auditArea: text`Classes and calendar`,
  auditWords,
});
