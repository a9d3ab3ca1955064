// `npm run bench`: measures the speed of the form and the server. Prints each figure beside the last committed result,
// writes bench/results, and exits with 1 only where it could not measure.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import type { Flip } from '../bench/plan-flips.ts';
import { readCommandLine } from './command-line.ts';

const { values } = readCommandLine({
  command: 'npm run bench',
  does: 'Measures the form and the server, compares them with the last committed result, and writes bench/results.',
  options: {
    seconds: {
      type: 'string',
      value: '<number>',
      accepts: /^[1-9]\d*$/,
      default: '60',
      help: 'How long each load lasts, in seconds.',
    },
    only: {
      type: 'string',
      value: '<form|load|lists|search|student|office|dashboard|fees|runs|growth|morning|year>',
      accepts: /^(form|load|lists|search|student|office|dashboard|fees|runs|growth|morning|year)$/,
      help: 'Leave the others out.',
    },
    profile: { type: 'boolean', help: 'Write the CPU profile of the server beside the results.' },
  },
});
const { lastOf, remarksOn, tableOf } = await import('../bench/budgets.ts');
const { startChild } = await import('../bench/child.ts');
const { openDemo, openDemoServer } = await import('../bench/demo.ts');
const { linesOfBusy, linesOfGrowth, linesOfPages } = await import('../bench/grown.ts');
const { measureGrowth } = await import('../bench/growth.ts');
const { measureFormPage } = await import('../bench/form-page.ts');
const {
  measureAllLists,
  measureDashboards,
  measureFees,
  measureLoad,
  measureOffice,
  measureSearch,
  measureStudents,
  uploadersOf,
} = await import('../bench/load.ts');
const { linesOf } = await import('../bench/plan-flips.ts');
const { openBenchSchool } = await import('../bench/school.ts');
const { measureMorning } = await import('../bench/morning.ts');
const { measureSizes } = await import('../bench/sizes.ts');
const { measureYearEnd } = await import('../bench/year.ts');
const { buildFolder } = await import('../src/app/server.ts');
const { measureRun } = await import('../bench/runs.ts');
const { stopOnSignal } = await import('../src/kit/server/signals.ts');
const { buildPages } = await import('./build.ts');
const { provideChromium } = await import('./chromium.ts');
const { say } = await import('./say.ts');

const seconds = Number(values.seconds);
const isWanted = (part: string) => values.only === undefined || values.only === part;
const hasForms = values.only === undefined || values.only === 'form' || values.only === 'load';
const inquiries = hasForms ? 10_000 : 0;
/** Processors that other programs may use before the figures no longer describe Shala. */
const crowded = 0.2;
const results = join(import.meta.dirname, '../bench/results');
const flips: Flip[] = [];
const undo: (() => Promise<void>)[] = [];
const tidyUp = async () => {
  for (const act of undo.splice(0).reverse()) await act();
};
stopOnSignal(tidyUp);

/** The children of the two schools that are compared. */
const compared = [600, 5000] as const;

try {
  if (values.only === 'growth') await benchGrowth();
  else if (values.only === 'year') process.stdout.write(tableOf(await benchYear(), readLast()));
  else if (values.only === 'morning') process.stdout.write(tableOf(await benchMorning(), readLast()));
  else await benchAll();
} catch (error) {
  say(`The measuring did not come to an end: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await tidyUp();
}

async function benchGrowth() {
  const { pages, statements, busy } = await measureGrowth(compared, (act) => undo.push(act));
  process.stdout.write(linesOfBusy(busy));
  process.stdout.write(linesOfPages(pages));
  process.stdout.write(linesOfGrowth(statements));
  say(`${statements.length} statements cost more than thrice as much at ${compared[1]} children as at ${compared[0]}`);
  const [grew, reads] = ['GREW', 'READS'].map((mark) =>
    pages.filter(({ marks }) => marks.some((one) => one.startsWith(mark))),
  );
  return [
    { name: 'Statements that grow with the school', value: statements.length, unit: '' as const, most: 0 },
    { name: 'Pages that grow by more than half', value: grew?.length ?? 0, unit: '' as const },
    { name: 'Pages that read twenty times what they show', value: reads?.length ?? 0, unit: '' as const },
    { name: 'Pages that take more than 50 ms of processor', value: busy.length, unit: '' as const, most: 0 },
  ];
}

async function benchMorning() {
  const add = (act: () => Promise<void>) => undo.push(act);
  const school = await openDemo(await openDemoServer(add), compared[1], add);
  try {
    return await measureMorning(school, seconds);
  } finally {
    await school.close();
  }
}

/** A school with 3,000 students in 90 sections that keeps fifteen years; making it takes ten minutes, so only by its word. */
async function benchYear() {
  const add = (act: () => Promise<void>) => undo.push(act);
  const size = { sections: 90, years: 15, registerDays: 20 };
  const school = await openDemo(await openDemoServer(add), 3000, add, size);
  try {
    return await measureYearEnd(school);
  } finally {
    await school.close();
  }
}

async function benchAll() {
  await buildPages();
  const school = await openBenchSchool({
    inquiries,
    uploaders: hasForms ? uploadersOf(seconds) : 0,
    hasOffice: isWanted('office') || isWanted('dashboard') || isWanted('runs'),
    hasRegisters: isWanted('student') || isWanted('dashboard'),
    hasFees: isWanted('fees'),
  });
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
  const flags = JSON.parse(readFileSync(join(import.meta.dirname, 'server-flags.json'), 'utf8'));
  const startServer = () => {
    const started = startChild('server.ts', env, [...flags, ...profiling]);
    undo.push(started.stop);
    return started;
  };
  const server = startServer();

  const form = isWanted('form') ? await benchForm(await server.ask<number>('port'), school) : undefined;
  const load = isWanted('load') ? await benchLoad(server, school) : undefined;
  // The load measures the lists too.
  const lists = values.only === 'lists' ? await benchLists(server, school) : [];
  const office = isWanted('office') ? await benchOffice(server, school) : [];
  const search = isWanted('search') ? await benchSearch(server, school) : [];
  const student = isWanted('student') ? await benchStudents(server, school) : [];
  const dashboard = isWanted('dashboard') ? await benchDashboards(server, school) : [];
  const fees = isWanted('fees') ? await benchFees(server, school) : [];
  // The last part: it kills the server.
  const runs = isWanted('runs') ? await benchRuns(server, env, startServer) : [];
  const growth = isWanted('growth') ? await benchGrowth() : [];
  const morning = isWanted('morning') ? await benchMorning() : [];
  const figures = [
    ...measureSizes(buildFolder),
    ...(form?.figures ?? []),
    ...(load?.figures ?? []),
    ...lists,
    ...office,
    ...search,
    ...student,
    ...dashboard,
    ...fees,
    { name: 'Statements that slow down once their plan is kept', value: flips.length, unit: '' as const, most: 0 },
    ...runs,
    ...growth,
    ...morning,
  ];
  const last = readLast();
  process.stdout.write(tableOf(figures, last));
  process.stdout.write(linesOf(flips));
  const isCrowded = figures.some(({ name, value }) => name.includes('busy') && value > crowded);
  if (isCrowded) say('Other programs took processor time: times and ratios say little. Measure again alone.');
  write({ when: new Date().toISOString(), machine: machine(), seconds, inquiries, figures, flips, form, load });
  const marked = figures.filter((figure) => remarksOn(figure, last.get(figure.name)).length > 0);
  say(`${marked.length} of ${figures.length} figures are marked`);
  const missing = figures.filter(({ value }) => Number.isNaN(value)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`not measured: ${missing.join('; ')}`);
}

function benchForm(port: number, { untouched, halfFilled }: { untouched: string; halfFilled: string }) {
  const executablePath = provideChromium();
  if (!executablePath) throw new Error('There is no Chromium.');
  say('Opening the form on a slow phone, five times');
  return measureFormPage({ origin: `http://127.0.0.1:${port}`, untouched, link: halfFilled, executablePath });
}

type Server = ReturnType<typeof startChild>;
type School = Awaited<ReturnType<typeof openBenchSchool>>;

/** The processes that send the requests, and that run their SQL alone. */
function startMeasuring({ env }: Pick<School, 'env'>) {
  const generator = startChild('generator.ts');
  const bare = startChild('bare.ts', env);
  undo.push(generator.stop, bare.stop);
  return { generator, bare, flips };
}

async function benchLoad(server: Server, school: School) {
  const { links, specialty, admins, password } = school;
  say(`Fifty parents at work, four times ${seconds} s`);
  return measureLoad({ server, ...startMeasuring(school), links, specialty, admins, password, seconds });
}

function benchLists(server: Server, school: School) {
  say('Reading pages of lists');
  return measureAllLists({ server, ...startMeasuring(school), admins: school.admins, password: school.password });
}

function benchOffice(server: Server, school: School) {
  say('Reading the lists of the admission office');
  const { admins, password, office, submitted } = school;
  return measureOffice({ server, ...startMeasuring(school), admins, password, office, submitted });
}

function benchSearch(server: Server, school: School) {
  say('Searching people');
  return measureSearch({ server, ...startMeasuring(school), admins: school.admins, password: school.password });
}

function benchStudents(server: Server, school: School) {
  say('Reading lists, records and registers of students');
  const { admins, password, teacher, office } = school;
  return measureStudents({ server, ...startMeasuring(school), admins, password, teacher, office });
}

function benchDashboards(server: Server, school: School) {
  say('Opening dashboards');
  const { admins, password, teacher, office } = school;
  return measureDashboards({ server, ...startMeasuring(school), admins, password, teacher, office });
}

function benchFees(server: Server, school: School) {
  say('Reading balances and taking payments');
  const { admins, password, accountant, fees } = school;
  return measureFees({ server, ...startMeasuring(school), admins, password, accountant, fees });
}

function benchRuns(server: Server, env: Record<string, string>, start: () => Server) {
  say('Reminding 5000 families while the server is killed twice');
  return measureRun({ env, server, start });
}

function machine() {
  return { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version };
}

/** The newest committed value of each figure. */
function readLast() {
  const files = globSync('20*.json', { cwd: results }).sort();
  return lastOf(files.map((file) => JSON.parse(readFileSync(join(results, file), 'utf8'))));
}

function write(measured: object) {
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.json'), `${JSON.stringify(measured, null, 2)}\n`);
}
