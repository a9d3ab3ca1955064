// `npm run fleet -- <folder> <act>`: one act for every school of a trust, each with the settings of its own file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { readCommandLine } from './command-line.ts';
import { checkSchool } from './fleet-check.ts';
import { type FleetSchool, readFleet } from './fleet-schools.ts';
import { say } from './say.ts';

process.umask(0o077);

const root = join(import.meta.dirname, '..');
const acts = ['check', 'upgrade', 'backup'] as const;

const { values, argument, secondArgument } = readCommandLine({
  command: 'npm run fleet',
  does: 'Checks, upgrades or backs up every school that has a file of settings in a folder, in the order of their names.',
  options: {
    from: { type: 'string', value: '<name>', help: 'The first school: leaves out those whose names come before.' },
  },
  argument: { name: 'folder', help: 'The folder with a file for each school, such as /etc/shala with north.env.' },
  secondArgument: { name: 'act', help: 'check, upgrade or backup.' },
});

try {
  const act = acts.find((one) => one === secondArgument);
  if (!argument || !act) throw new Error('Give a folder and an act, for example: npm run fleet -- /etc/shala check');
  const schools = readFleet(resolve(process.env.INIT_CWD ?? '.', argument)); // The folder in which npm was called.
  const { from } = values;
  if (from && !schools.some(({ name }) => name === from)) throw new Error(`--from ${from} names no school here.`);
  const chosen = schools.filter(({ name }) => !from || name >= from);
  const isDone = await { check: checkAll, upgrade: upgradeAll, backup: backUpAll }[act](chosen, argument);
  process.exitCode = isDone ? 0 : 1;
} catch (error) {
  say(`Nothing was done: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function checkAll(schools: readonly FleetSchool[]): Promise<boolean> {
  const found = await Promise.all(schools.map((school) => checkSchool(school)));
  for (const [index, { words }] of found.entries()) say(`${schools[index]?.name}: ${words}`);
  const servers = new Map(found.flatMap(({ server }) => (server ? [[server.name, server]] : [])));
  for (const { name, used, most } of servers.values()) say(`${name} has ${used} of ${most} connections in use`);
  const unwell = schools.filter((_, index) => !found[index]?.isWell);
  if (unwell.length > 0) say(`Look at ${unwell.map(({ name }) => name).join(', ')}`);
  return unwell.length === 0;
}

/** Stops at the first failure: what is wrong with one school may be wrong with all. */
async function upgradeAll(schools: readonly FleetSchool[], folder: string): Promise<boolean> {
  const done: string[] = [];
  for (const school of schools) {
    if (!(await runFor(school, 'upgrade'))) {
      say(`${school.name} was not upgraded. Upgraded before it: ${done.join(', ') || 'none'}`);
      say(`To go on: npm run fleet -- ${folder} upgrade --from ${school.name}`);
      return false;
    }
    done.push(school.name);
  }
  say(`Upgraded: ${done.join(', ')}`);
  return true;
}

async function backUpAll(schools: readonly FleetSchool[]): Promise<boolean> {
  const failed: string[] = [];
  for (const school of schools) if (!(await runFor(school, 'backup'))) failed.push(school.name);
  if (failed.length > 0) say(`Not backed up: ${failed.join(', ')}`);
  return failed.length === 0;
}

/** Runs a command with the settings of one school alone, and its lines under the school's name. */
async function runFor({ name, environment }: FleetSchool, command: 'upgrade' | 'backup'): Promise<boolean> {
  const { PATH = '', TZ } = process.env;
  const child = spawn(process.execPath, [join(root, 'scripts', `${command}.ts`)], {
    cwd: root,
    env: { PATH, ...(TZ && { TZ }), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) say(`${name}: ${line.replace(/^shala: /, '')}`);
    });
  }
  const [code] = await once(child, 'close');
  return code === 0;
}
