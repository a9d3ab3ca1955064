// Runs in a child process of `npm start` and makes the demo school, without the time limits of a served request.
import { enableCompileCache } from 'node:module';
import { workApart } from './apart.ts';
import { say } from './say.ts';

enableCompileCache();
process.umask(0o077);

const { seedDemo } = await import('../src/app/demo.ts');
const { withEmptySchool } = await import('../src/app/make-demo.ts');
const { readConfig } = await import('../src/kit/server/config.ts');
const { openLog } = await import('../src/kit/server/log.ts');

await workApart(() =>
  withEmptySchool({ config: readConfig(process.env), log: openLog('error'), say }, async (app, services) => {
    if (await seedDemo(app, services, { say })) say('Made the demo school');
  }),
);
