// `npm run bench`: what the form and the server promise of speed, measured. Prints a table, writes bench/results, and
// ends with 1 when a budget is broken. --seconds shortens the load, --only form or --only load leaves the other out,
// --profile writes the server's CPU profile beside the results.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBroken, tableOf } from '../bench/budgets.ts';
import { startChild } from '../bench/child.ts';
import { measureFormPage } from '../bench/form-page.ts';
import { measureLoad, uploadersOf } from '../bench/load.ts';
import { openBenchSchool } from '../bench/school.ts';
import { measureSizes } from '../bench/sizes.ts';
import { buildFolder } from '../src/app/server.ts';
import { stopOnSignal } from '../src/kit/server/signals.ts';
import { buildPages } from './build.ts';
import { provideChromium } from './chromium.ts';
import { say } from './say.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const inquiries = 10_000;
/** Processors of this machine that others may use before the figures are about them. */
const crowded = 0.2;
const results = join(import.meta.dirname, '../bench/results');
const undo: (() => Promise<void>)[] = [];
const tidyUp = async () => {
  for (const act of undo.splice(0).reverse()) await act();
};
stopOnSignal(tidyUp);

try {
  await buildPages();
  const school = await openBenchSchool(inquiries, uploadersOf(seconds));
  undo.push(school.close);
  const env = {
    ...school.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: '',
    LOG_LEVEL: 'info',
  };
  const profiling = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${results}`] : [];
  // As `npm start` has it.
  const server = startChild('server.ts', env, ['--max-semi-space-size=32', ...profiling]);
  undo.push(server.stop);

  const form =
    values.only === 'load' ? undefined : await benchForm(await server.ask<number>('port'), school.halfFilled);
  const load = values.only === 'form' ? undefined : await benchLoad(server, school);
  const figures = [...measureSizes(buildFolder), ...(form?.figures ?? []), ...(load?.figures ?? [])];
  process.stdout.write(tableOf(figures));
  const isCrowded = figures.some(({ name, value }) => name.includes('busy') && value > crowded);
  if (isCrowded) say('Other programs took processor time meanwhile: times and ratios say little. Measure again alone.');
  write({ when: new Date().toISOString(), machine: machine(), seconds, inquiries, figures, form, load });
  const broken = figures.filter(isBroken).length;
  say(broken > 0 ? `${broken} budgets are broken` : 'Every budget is kept');
  process.exitCode = broken > 0 ? 1 : 0;
} catch (error) {
  say(`The measuring did not come to an end: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await tidyUp();
}

function benchForm(port: number, link: string) {
  const executablePath = provideChromium();
  if (!executablePath) throw new Error('There is no Chromium.');
  say('Opening the form on a slow phone, five times');
  return measureFormPage({ origin: `http://127.0.0.1:${port}`, link, executablePath });
}

async function benchLoad(server: ReturnType<typeof startChild>, school: Awaited<ReturnType<typeof openBenchSchool>>) {
  const generator = startChild('generator.ts');
  const bare = startChild('bare.ts', school.env);
  undo.push(generator.stop, bare.stop);
  say(`Fifty parents at work, four times ${seconds} s`);
  return measureLoad({
    server,
    generator,
    bare,
    links: school.links,
    specialty: school.specialty,
    admins: school.admins,
    password: school.password,
    seconds,
  });
}

function machine() {
  return { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version };
}

function write(measured: object) {
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.json'), `${JSON.stringify(measured, null, 2)}\n`);
}
