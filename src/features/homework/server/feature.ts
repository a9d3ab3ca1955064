import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { checkApi } from '../contract/check.ts';
import { homeworkApi, loadApi } from '../contract/homework.ts';
import { homeworkPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { cancel, close, move, remove, reopen, update } from './change.ts';
import { endExtension, extend, save } from './check.ts';
import { copy, create, publish } from './give.ts';
import { listRoutes } from './list.ts';
import { load } from './meter.ts';
import { given, history, read } from './read.ts';
import { constraintMessages } from './rules.ts';
import { homeworkSettings } from './settings.ts';

export const homework = serverFeature({
  pages: homeworkPages,
  routes: [
    ...listRoutes,
    ...routes(loadApi, { load }),
    ...routes(homeworkApi, {
      given,
      read,
      history,
      create,
      update,
      publish,
      move,
      copy,
      cancel,
      close,
      reopen,
      remove,
    }),
    ...routes(checkApi, { save, extend, endExtension }),
  ],
  settings: homeworkSettings,
  constraintMessages,
  auditWords,
  seed: () => import('../seed.ts'),
});
