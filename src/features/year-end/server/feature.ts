import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { yearEndPages } from '../contract/pages.ts';
import { closeYearTodo } from './todo.ts';
import { yearEndRoutes } from './year-end.ts';

/** Closing a school year, and reopening the last closed one. */
export const yearEnd = serverFeature({
  pages: yearEndPages,
  routes: yearEndRoutes,
  todos: [closeYearTodo],
  auditArea: text`Classes and calendar`,
  auditWords: {
    actions: {
      'academic-year.closed': { verb: 'Ended', words: text`Closed the academic year` },
      'academic-year.reopened': { verb: 'Restored', words: text`Reopened the academic year` },
    },
    records: {},
  },
});
