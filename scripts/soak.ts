// `npm run soak`: the faults of `npm test`, longer, and one table at the end.
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
import { begin, breachesOf, type Outcome } from '../testing/faults/outcome.ts';
import { knownAndUnknown } from '../testing/faults/timing.ts';
import { buildPages } from './build.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

const { values } = readCommandLine({
  command: 'npm run soak',
  does: 'Kills, hangs, fills and overloads the system, some ten minutes, and prints a table.',
  options: {
    part: {
      type: 'string',
      value: '<number>',
      accepts: /^(\d+|\d*\.\d+)$/,
      default: '1',
      help: 'How long it takes: 0.1 for a tenth.',
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
const scenarios: [name: string, run: (cluster: Cluster) => Promise<Outcome>][] = [
  ['server killed', () => killApp(cluster, times(50))],
  ['database killed', () => killPostgres(cluster, times(30))],
  ['database restarted', () => restartPostgres(cluster, times(20))],
  ['database hung', () => freezePostgres(cluster, times(10))],
  ['slow clients', () => slowClients(200, postgres)],
  ['greedy clients: slow bodies', () => greedyClients('slow bodies', times(60), postgres)],
  ['greedy clients: busy', () => greedyClients('busy', times(60), postgres)],
  ['greedy clients: idle', () => greedyClients('idle', times(60), postgres)],
  ['overload', () => overload(times(120), postgres)],
  ['told to stop', () => stopInFlight(times(20), postgres)],
  ['told to stop, one hangs', () => stopDespite(1, postgres)],
  ['told twice', () => stopDespite(2, postgres)],
  ['twenty submits at once', () => submitTogether(times(20), postgres)],
  ['submit against removal', () => submitAgainstRemoval(times(100), postgres)],
  ['sender hangs', () => senderHangs(times(10), postgres)],
  ['known and unknown', () => knownAndUnknown(times(150), postgres)],
  ['clock jumps', () => clockJumps(times(10), postgres)],
  ['disk full', () => diskFull(times(10), postgres)],
  ['bombs', () => bombs(postgres)],
  ['bad requests', () => badRequests(times(200_000), seed, postgres)],
  ['first start', () => firstStart()],
];
const chosen = scenarios.filter(([name]) => name.includes(values.only));
if (chosen.length === 0) {
  say(`No scenario has '${values.only}' in its name. There are: ${scenarios.map(([name]) => name).join('; ')}.`);
  process.exit(1);
}

// A parent is served the pages too.
await buildPages();
const cluster = await openCluster();
const { postgres } = cluster;

const outcomes: Outcome[] = [];
for (const [name, run] of chosen) {
  say(`${name} …`);
  // One that cannot go on must not keep the others from running.
  const outcome = await run(cluster).catch((error: Error) => ({
    ...begin(name),
    breaches: [`it broke off: ${error.stack}`],
  }));
  outcomes.push(outcome);
  for (const breach of breachesOf(outcome).slice(0, 20)) say(`  BREACH  ${breach}`);
}
await cluster.close();

const rows = outcomes.map((outcome) => [
  outcome.scenario,
  outcome.runs,
  outcome.acknowledged,
  outcome.lost,
  outcome.doubled,
  Math.round(outcome.worstFirstAnswer),
  breachesOf(outcome).length === 0 ? 'kept' : 'BROKEN',
]);
const heads = ['scenario', 'runs', 'acknowledged', 'lost', 'doubled', 'worst first answer ms', 'verdict'];
const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => String(row[column]).length)));
for (const row of [heads, ...rows]) {
  const cells = row.map((cell, column) =>
    typeof cell === 'number' ? String(cell).padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
  );
  process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
}
process.exit(outcomes.every((outcome) => breachesOf(outcome).length === 0) ? 0 : 1);
