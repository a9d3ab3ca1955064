// Runs in a child process of `npm start` and makes the demo school, without the time limits of a served request.
import { seedDemo } from '../src/app/demo.ts';
import { withEmptySchool } from '../src/app/make-demo.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { openLog } from '../src/kit/server/log.ts';
import { workApart } from './apart.ts';
import { say } from './say.ts';

process.umask(0o077);

await workApart(() =>
  withEmptySchool({ config: readConfig(process.env), log: openLog('error'), say }, async (app, services) => {
    if (await seedDemo(app, services, { say })) say('Made the demo school');
  }),
);
