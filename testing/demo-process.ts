// A process of a test: makes the demo school as `npm start` does, but with a tenth of its students.
import { demoSize, planOf } from '#database/seed/plan.ts';
import { readConfig } from '#kit/server/config.ts';
import { openLog } from '#kit/server/log.ts';
import { seedDemo } from '../src/app/demo.ts';
import { withEmptySchool } from '../src/app/make-demo.ts';

const say = (words: string) => process.stdout.write(`${words}\n`);

await withEmptySchool({ config: readConfig(process.env), log: openLog('error'), say }, async (app, services) => {
  const plan = planOf({ ...demoSize, students: 90 }, new Date());
  if (await seedDemo(app, services, { plan, say })) say('Made the demo school');
});
process.exit(0);
