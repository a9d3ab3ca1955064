import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addDays } from '#kit/server/day.ts';
import { miscounted, mistotalled } from '#testing/attendance-counts.ts';
import { isSoak, soak } from '#testing/soak.ts';
import { backUp } from '../../src/app/backup/backup.ts';
import { endedTables, restore } from '../../src/app/backup/restore.ts';
import { digestsOf } from '../digests.ts';
import { emptySchool } from '../empty-school.ts';
import type { School } from '../school.ts';

import { doubledMessages, lastMessage, lostFiles, unaudited, wrongPercents, wrongRights } from '../year/checks.ts';
import { closeAndReopen } from '../year/closing.ts';
import { invariants, nobodyUnexplained } from '../year/invariants.ts';
import { breaches, explain, stateOf } from '../year/live.ts';
import { breachesOf, liveFaults, lostEntry } from '../year/planted.ts';
import { openYearSchool } from '../year/school.ts';
import { openScreens, wrongScreens } from '../year/screens.ts';
import { setUp } from '../year/set-up.ts';
import { countsOf, livePart, turn, type YearRun } from '../year/whole.ts';
import { type Cluster, openCluster } from './cluster.ts';

// `npm run year`: a school lives a year, its turn and the first weeks of the next one. Each month everything that must hold
// is looked at; at the end of each term a backup is restored and compared.

// A month of a school of 600 has no time limit of its own.
vi.setConfig({ testTimeout: 0, hookTimeout: 0 });

const seed = Number(process.env.YEAR_SEED ?? 1);
/** Which part of the year: 0.1 for its last month and the turn. */
const part = Number(process.env.YEAR_PART ?? 1);
const grades = part < 1 ? 3 : 12;
const children = part < 1 ? 15 : 25;
const months = Math.max(1, Math.round(12 * part));

const lastDay = '2045-03-31';
const nextDay = addDays(lastDay, 1);
/** The last days of the months that are lived, and the days before them. */
const allEnds = [
  '2044-04-30',
  '2044-05-31',
  '2044-06-30',
  '2044-07-31',
  '2044-08-31',
  '2044-09-30',
  '2044-10-31',
  '2044-11-30',
].concat('2044-12-31', '2045-01-31', '2045-02-28', lastDay);
const allStarts = allEnds.map((day) => `${day.slice(0, 8)}01`);
const [ends, starts] = [allEnds.slice(-months), allStarts.slice(-months)];
const termEnds = ['2044-09-30', '2045-01-31', lastDay];

let run: YearRun;
let cluster: Cluster;
let screens: Awaited<ReturnType<typeof openScreens>>;
beforeAll(async () => {
  if (!isSoak) return;
  cluster = await openCluster();
  const world = await openYearSchool({ grades, children, from: starts[0] ?? lastDay, postgres: cluster.postgres });
  await setUp(world);
  run = { world, cluster, seed, journal: [], kills: { server: 0, database: 0 }, found: new Map() };
  screens = await openScreens(world);
}, 0);
afterAll(async () => {
  if (!isSoak) return;
  const folder = join(import.meta.dirname, '../../var/year');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${seed}.jsonl`), run.journal.map((line) => JSON.stringify(line)).join('\n'));
  const { server, database } = run.kills;
  process.stdout.write(
    `Seed ${seed}, ${run.journal.length} acts, server killed ${server} times, database ${database} times\n  ${countsOf(run.journal).join('\n  ')}\n`,
  );
  await run.world.close();
  await cluster.close();
});

test('U1.20 a year is lived month by month without a gap', () => {
  expect(allStarts.slice(1)).toEqual(allEnds.slice(0, -1).map((day) => addDays(day, 1)));
  expect([allStarts[0], allEnds.at(-1)]).toEqual(['2044-04-01', lastDay]);
});

/** Faults that an earlier month has reported. */
const told = new Set<string>();

/** What does not hold on the days of a span and was not said before, each with its history. */
async function problems(span: { from: string; until: string }, checked = invariants) {
  const { school } = run.world;
  const first = [...run.found.values()];
  run.found.clear();
  const broken = await breaches(school.sql, checked, span);
  const found = broken.map((breach) => explain(run.journal, breach));
  const counts = [...(await miscounted(school)), ...(await mistotalled(school))].map((row) => JSON.stringify(row));
  const { world, journal } = run;
  const seen = [
    ...(await wrongPercents(world, span.until)),
    ...(await wrongRights(world, span.until)),
    ...(await lostFiles(world)),
    ...(await unaudited(world, journal)),
  ].map((one) => explain(journal, { name: 'what screens, files and the log say', broken: one }));
  const all = [...first, ...found, ...counts, ...seen].filter((problem) => {
    const [line = ''] = problem.split('\n');
    return !told.has(line) && told.add(line);
  });
  // A long run tells at once what does not hold.
  for (const problem of all) process.stdout.write(`${problem}\n`);
  return all;
}

/** Wrong answers: an act that is wrong on purpose and was done, or one that the server refused as broken input. */
const wrongAnswers = () => run.journal.filter(({ isWrong, status }) => isWrong && status === 200);

/** Who is signed in, and which processes run, is of the server and not of the school. */
const notRestored = [...endedTables, 'server_process'];

/** A backup restored into an empty database has the same rows, and everything holds there. */
async function compareRestored(span: { from: string; until: string }) {
  const { school, app } = run.world;
  const path = join(school.config.folder, 'term.backup');
  // The server's own work of a minute would come between the backup and what it is compared with.
  await app.kill();
  await backUp(school.config, path);
  const kept = async (of: Pick<School, 'sql'>) =>
    (await digestsOf(of)).filter(({ name }) => !notRestored.includes(String(name)));
  const before = await kept(school);
  await app.start();
  const place = await emptySchool(school.config, { at: cluster.postgres.url });
  onTestFinished(() => place.close());
  const { lost, strange } = await restore(place.config, path);
  rmSync(path);
  expect([lost, strange]).toEqual([[], []]);
  expect(await kept(place)).toEqual(before);
  expect(await breaches(place.sql, invariants, span)).toEqual([]);
}

/** A receipt of the month that lost its ledger entry is printed with the last three acts on that child. */
async function expectShortHistory({ from, until }: { from: string; until: string }) {
  const { world, journal } = run;
  const fault = lostEntry(from.slice(0, 7));
  const [breach] = await breachesOf(world.school, fault, invariants.slice(1, 2), { from, until });
  if (!breach) throw new Error('The lost ledger entry was not found.');
  const lines = explain(journal, breach, await stateOf(world.school.sql, breach.broken, until)).split('\n');
  process.stdout.write(`Planted, and found: ${lines.join('\n')}\n`);
  expect(lines[0]).toContain(`student ${breach.broken.student}`);
  expect([lines.length > 1, lines.length <= 4]).toEqual([true, true]);
  const own = journal.filter(({ students }) => students.includes(breach.broken.student ?? 0));
  const acts = own.filter(({ act, status }) => status === 200 && act !== 'a register');
  expect(lines.slice(1)).toEqual(acts.slice(-3).map(({ day, act }) => `  ${day} ${act}`));
}

for (const [at, until] of ends.entries()) {
  const span = { from: starts[at] ?? until, until };
  soak(`U1.20 in the month that ends on ${until} everything holds`, async () => {
    await livePart(run, span);
    expect(await problems(span)).toEqual([]);
    expect(wrongAnswers()).toEqual([]);
    if (until < lastDay) expect(await wrongScreens(run.world, screens, addDays(until, 1))).toEqual([]);
    if (termEnds.includes(until)) await compareRestored(span);
  });
  if (until === (part < 1 ? lastDay : '2044-10-31'))
    soak('U1.20 a receipt without a ledger entry is printed with the three acts on its child', () =>
      expectShortHistory(span),
    );
}

soak('U1.20 a fault that only screens, files, messages or the log show is found there', async () => {
  const { world, journal } = run;
  const { sql } = world.school;
  const section = world.sections.find(({ isOfNext }) => !isOfNext)?.id ?? 0;
  const before = await lastMessage(world);
  const look = {
    percents: () => wrongPercents(world, lastDay),
    rights: () => wrongRights(world, lastDay),
    files: () => lostFiles(world),
    messages: () => doubledMessages(world, before),
  };
  const found: Record<string, boolean> = {};
  for (const [name, { plant, undo }] of Object.entries(liveFaults(section))) {
    await sql(plant);
    found[name] = (await look[name as keyof typeof look]()).length > 0;
    await sql(undo);
  }
  const [line] = journal;
  const lost = line && { ...line, request: 'never audited', act: 'a payment' };
  found.log = (await unaudited(world, lost ? [lost] : [])).length === 1;
  expect(found).toEqual({ percents: true, rights: true, files: true, messages: true, log: true });
  expect(await problems({ from: lastDay, until: lastDay })).toEqual([]);
});

soak('U1.20 the turn of all grades, with server and database killed in it, explains everybody', async () => {
  await turn(run, lastDay);
  const span = { from: addDays(lastDay, -7), until: lastDay };
  expect(await problems(span, [...invariants, nobodyUnexplained(lastDay, nextDay)])).toEqual([]);
});

soak(
  'U1.20 the first weeks of the next year keep everything, with old dues paid in it, and each screen says one place',
  async () => {
    const span = { from: nextDay, until: addDays(nextDay, part < 1 ? 6 : 20) };
    screens = await openScreens(run.world);
    await livePart(run, { ...span, until: addDays(span.until, -1) });
    expect(await wrongScreens(run.world, screens, span.until)).toEqual([]);
    expect(await problems(span)).toEqual([]);
    await compareRestored(span);
  },
);

soak(
  'U1.20 the year is closed with the server killed, takes what a closed year takes, is reopened and closed again',
  async () => {
    const day = addDays(nextDay, part < 1 ? 6 : 20);
    expect(await closeAndReopen(run, day)).toEqual([]);
    expect(await problems({ from: nextDay, until: day })).toEqual([]);
  },
);
