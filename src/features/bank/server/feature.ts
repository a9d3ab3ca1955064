import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { bankPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { dayTickRoutes, untickedFigure } from './day-tick.ts';
import { depositRoutes } from './deposit.ts';
import { statementRoutes } from './import-statement.ts';
import { lineRoutes } from './line.ts';
import { tallyRoutes } from './tally.ts';
import { lineTodo, slipTodo } from './todo.ts';
import { unseenRoutes } from './unseen.ts';

export const bank = serverFeature({
  pages: bankPages,
  routes: [...depositRoutes, ...statementRoutes, ...lineRoutes, ...unseenRoutes, ...dayTickRoutes, ...tallyRoutes],
  dayFigures: [untickedFigure],
  todos: [slipTodo, lineTodo],
  seed: () => import('../seed.ts'),
  auditArea: text`Fees`,
  auditWords,
});
