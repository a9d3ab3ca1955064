import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { coverApi, coverMessages } from '../contract/cover.ts';
import { auditWords } from './audit-words.ts';
import { answerCalendar } from './calendar-answer.ts';
import { answerAtWork, cancel, give } from './give.ts';
import { answerLeaving } from './leaving.ts';
import { read, teachers } from './open.ts';
import { printSheet } from './sheet.ts';
import { coverFigure, coverTodo } from './todo.ts';

export const cover = serverFeature({
  routes: routes(coverApi, { read, sheet: printSheet, teachers, give, cancel }),
  constraintMessages: { cover_once: coverMessages.taken, cover_other: coverMessages.away },
  answers: [answerAtWork, answerCalendar, answerLeaving],
  dayFigures: [coverFigure],
  todos: [coverTodo],
  seed: () => import('../seed.ts'),
  auditArea: text`Attendance`,
  auditWords,
});
