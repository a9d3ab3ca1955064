import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const probe = join(root, 'testing/probe-work.ts');
/** Every program of a pool: what calls `serve`. */
const programs = globSync('src/**/*-work.ts', { cwd: root })
  .filter((file) => /^serve\(/m.test(readFileSync(join(root, file), 'utf8')))
  .map((file) => join(root, file));

const readProc = (path: string) => {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
};
/** The fields of a process from its state on. */
const fieldsOf = (pid: number) => readProc(`${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
/** One that has ended is a zombie until its parent has read that. */
const isAlive = (pid: number) => !['', 'Z', 'X'].includes(fieldsOf(pid)[0] ?? '');
/** Processor time, in hundredths of a second. */
const workedOf = (pid: number) => Number(fieldsOf(pid)[11] ?? 0);
const childrenOf = (pid: number): number[] => {
  const tasks = isAlive(pid) ? readdirSync(`/proc/${pid}/task`) : [];
  const children = tasks.flatMap((task) => readProc(`${pid}/task/${task}/children`).split(' ').filter(Boolean));
  return children.map(Number).filter((child) => readProc(`${child}/cmdline`).includes('-work.'));
};

/** A program with a pool for each of these; its processes, of which the first starts the others. */
function openParent(files: readonly string[], act = '') {
  const parent = spawn(process.execPath, ['--no-warnings', 'testing/pool-parent.ts', act, ...files], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const all = new Set<number>();
  const look = () => {
    const starters = childrenOf(parent.pid ?? 0);
    const helpers = [...starters, ...starters.flatMap(childrenOf)];
    for (const pid of helpers) all.add(pid);
    return helpers;
  };
  onTestFinished(() => {
    for (const pid of [parent.pid ?? 0, ...all]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return {
    parent,
    look,
    left: () => [...all].filter(isAlive),
    kill: async () => {
      look();
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    },
  };
}

test('Z11 the processes of every pool end when the program that uses them is killed', async () => {
  expect(programs.length).toBeGreaterThan(4);
  const { look, left, kill } = openParent(programs);
  await expect.poll(look).toHaveLength(1 + programs.length);
  await pause(1000);
  await kill();
  await expect.poll(left).toEqual([]);
});

test.each(['program that uses them', 'process that starts them'])(
  'Z11 a process that works without end is ended when the %s is killed',
  async (killed) => {
    const { look, left, kill } = openParent([probe], 'work');
    await expect.poll(() => workedOf(look()[1] ?? 0)).toBeGreaterThan(100);
    if (killed === 'program that uses them') await kill();
    else process.kill(look()[0] ?? 0, 'SIGKILL');
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  },
);

test('Z11 processes whose streams have not arrived yet end too', async () => {
  // The parent is stopped after it has asked for the process, which the other one starts once its own program is loaded.
  // On a busy machine it may not have asked yet: then it has more time in the next turn.
  for (const patience of [30, 200, 1000, 5000]) {
    const { parent, look, left, kill } = openParent([probe]);
    await expect.poll(look, { interval: 5 }).toHaveLength(1);
    await pause(patience);
    parent.kill('SIGSTOP');
    const hasAsked = await expect
      .poll(look, { timeout: 10_000 })
      .toHaveLength(2)
      .then(
        () => true,
        () => false,
      );
    await pause(1000);
    await kill();
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    if (hasAsked) return;
  }
  expect.fail('The parent never asked for the process.');
});
