// `npm run soak`: the faults of `npm test` for longer, its shortened tests in full, a table at the end, and whether
// every id that an acceptance.txt leaves to soak was proved.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bombs } from '../testing/faults/bombs.ts';
import { clockJumps } from '../testing/faults/clock.ts';
import { type Cluster, openCluster } from '../testing/faults/cluster.ts';
import { freezePostgres, killApp, killPostgres, restartPostgres } from '../testing/faults/crash.ts';
import { diskFull } from '../testing/faults/disk.ts';
import { senderHangs, submitAgainstRemoval, submitTogether } from '../testing/faults/family.ts';
import { badRequests } from '../testing/faults/fuzz.ts';
import { greedyClients } from '../testing/faults/greedy.ts';
import { overload, slowClients, stopDespite, stopInFlight } from '../testing/faults/load.ts';
import { firstStart } from '../testing/faults/memory.ts';
import { begin, breachesOf, lateOf, type Outcome } from '../testing/faults/outcome.ts';
import { knownAndUnknown } from '../testing/faults/timing.ts';
import { compare, readPromises } from './acceptance.ts';
import { buildPages } from './build.ts';
import { readCommandLine } from './command-line.ts';
import { readVitest, verdictOf } from './results.ts';
import { say } from './say.ts';
import { soakFiles, yearFile } from './soak-files.ts';
import { runStep } from './steps.ts';

const { values } = readCommandLine({
  command: 'npm run soak',
  does: 'Kills, hangs, fills and overloads the system, walks everything, some half an hour, and prints a table.',
  options: {
    part: {
      type: 'string',
      value: '<number>',
      accepts: /^(\d+|\d*\.\d+)$/,
      default: '1',
      help: 'How long the faults take: 0.1 for a tenth.',
    },
    seed: {
      type: 'string',
      value: '<number>',
      accepts: /^\d+$/,
      help: 'Repeat the bad requests of an earlier run.',
    },
    only: { type: 'string', value: '<words>', default: '', help: 'Run what has these words in its name.' },
  },
});
const part = Number(values.part);
const times = (most: number) => Math.max(1, Math.round(most * part));

const seed = Number(values.seed ?? Date.now() % 2 ** 31);
/** Each with the ids it proves before its name. */
const scenarios: [name: string, run: (cluster: Cluster) => Promise<Outcome>][] = [
  ['J2 D10 server killed', () => killApp(cluster, times(50))],
  ['J3 J9 D10 database killed', () => killPostgres(cluster, times(30))],
  ['J9 database restarted', () => restartPostgres(cluster, times(20))],
  ['J10 database hung', () => freezePostgres(cluster, times(10))],
  ['J11 slow clients', () => slowClients(200, postgres)],
  ['W4 greedy clients: slow bodies', () => greedyClients('slow bodies', times(60), postgres)],
  ['W4 greedy clients: busy', () => greedyClients('busy', times(60), postgres)],
  ['W4 greedy clients: idle', () => greedyClients('idle', times(60), postgres)],
  ['J12 overload', () => overload(times(120), postgres)],
  ['J13 told to stop', () => stopInFlight(times(20), postgres)],
  ['J13 told to stop, one hangs', () => stopDespite(1, postgres)],
  ['J13 told twice', () => stopDespite(2, postgres)],
  ['K5 twenty submits at once', () => submitTogether(times(20), postgres)],
  ['K5 C8 submit against removal', () => submitAgainstRemoval(times(100), postgres)],
  ['J16 sender hangs', () => senderHangs(times(10), postgres)],
  ['A9 W18 known and unknown', () => knownAndUnknown(times(150), postgres)],
  ['J15 clock jumps', () => clockJumps(times(10), postgres)],
  ['J8 disk full', () => diskFull(times(10), postgres)],
  ['W2 W5 W24 bombs', () => bombs(postgres)],
  ['W1 W19 F4 F5 F6 E6 bad requests', () => badRequests(times(200_000), seed, postgres)],
  ['W23 first start', () => firstStart()],
  ['U1.20 a year and its turn', () => liveYear()],
];
const chosen = scenarios.filter(([name]) => name.includes(values.only));
const files = soakFiles().filter((file) => file.includes(values.only));
if (chosen.length + files.length === 0) {
  const all = [...scenarios.map(([name]) => name), ...soakFiles()];
  say(`Nothing has '${values.only}' in its name. There are: ${all.join('; ')}.`);
  process.exit(1);
}

// Parents also load the pages.
await buildPages();
const cluster = await openCluster();
const { postgres } = cluster;

const outcomes: Outcome[] = [];
/** The proved ids. */
const proved: string[] = [];
const wrongIn = (outcome: Outcome) => [...breachesOf(outcome), ...lateOf(outcome)];
for (const [name, run] of chosen) {
  say(`${name} …`);
  // A scenario that fails must not keep the others from running.
  const outcome = await run(cluster).catch((error: Error) => ({
    ...begin(name),
    breaches: [`it broke off: ${error.stack}`],
  }));
  outcomes.push(outcome);
  const wrong = wrongIn(outcome);
  for (const breach of wrong.slice(0, 20)) say(`  BREACH  ${breach}`);
  if (wrong.length === 0) proved.push(name);
}
await cluster.close();

const tests = files.length > 0 ? await runTests() : verdictOf([]);
proved.push(...tests.titles);
for (const failure of tests.failures) say(`FAILED  ${failure}`);

const rows = outcomes.map((outcome) => [
  outcome.scenario,
  outcome.runs,
  outcome.acknowledged,
  outcome.lost,
  outcome.doubled,
  Math.round(outcome.worstFirstAnswer),
  wrongIn(outcome).length === 0 ? 'kept' : 'BROKEN',
]);
const heads = ['scenario', 'runs', 'acknowledged', 'lost', 'doubled', 'worst first answer ms', 'verdict'];
const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => String(row[column]).length)));
for (const row of [heads, ...rows]) {
  const cells = row.map((cell, column) =>
    typeof cell === 'number' ? String(cell).padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
  );
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
}
say(`${tests.passed} walks and tests passed, ${tests.failed} failed.`);
const { unproved } = compare(readPromises({ by: 'soak' }), proved);
const left = readPromises({ by: 'soak' }).filter((id) => !unproved.includes(id));
if (left.length > 0) say(`Proved of what is left to soak: ${left.join(' ')}`);
// A partial run need not prove every id.
const missing = values.only === '' ? unproved : [];
if (missing.length > 0) say(`FAILED  left to soak in an acceptance.txt, but not proved: ${missing.join(' ')}`);
const isKept = outcomes.every((outcome) => wrongIn(outcome).length === 0) && tests.failed === 0 && missing.length === 0;
process.exit(isKept ? 0 : 1);

/** The last month of a small school, its turn and its closing, as `npm run year -- --part 0.1`. */
async function liveYear(): Promise<Outcome> {
  const env = { SOAK: 'on', YEAR_PART: '0.1', YEAR_SEED: String(seed) };
  const isLived = await runStep({ name: 'a year and its turn', line: ['vitest', 'run', yearFile], env }, true);
  return { ...begin('a year and its turn'), runs: 1, breaches: isLived ? [] : [`seed ${seed} did not pass`] };
}

/** Runs in full the test files that `npm test` shortens. */
async function runTests(): Promise<ReturnType<typeof readVitest>> {
  const folder = join(import.meta.dirname, '../var/results');
  mkdirSync(folder, { recursive: true });
  const results = join(folder, 'soak.json');
  process.env.SOAK = 'on';
  const line = ['--reporter=default', '--reporter=json', `--outputFile=${results}`, ...files] as const;
  const projects = ['--project', 'works', '--project', 'faults'];
  await runStep({ name: 'walks and slow tests', line: ['vitest', 'run', ...projects, ...line] }, true);
  return readVitest(results);
}
