import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { routes } from '#kit/server/http/routes.ts';
import { systemPages } from '../contract/pages.ts';
import { versionApi } from '../contract/version.ts';
import { workApi } from '../contract/work.ts';
import { alertMessages } from './alert.ts';
import { version } from './version.ts';
import { findWarnings } from './warnings.ts';
import { giveUp, read, tryNow } from './work.ts';

/** What runs this school, for Admins. */
export const system = serverFeature({
  pages: systemPages,
  routes: [...routes(versionApi, { version }), ...routes(workApi, { read, tryNow, giveUp })],
  messages: alertMessages,
  findWarnings,
  auditArea: text`System`,
  auditWords: {
    actions: {
      'system.job-tried': { verb: 'Changed', words: text`Tried a failed job again` },
      'system.job-given-up': { verb: 'Ended', words: text`Gave up a failed job` },
    },
    records: {},
  },
});
