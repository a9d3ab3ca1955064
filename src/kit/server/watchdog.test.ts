import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';

const begin = (what: string) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../testing/watched-process.ts'), what]);
  const said = { out: '', error: '' };
  child.stdout.on('data', (part) => {
    said.out += part;
  });
  child.stderr.on('data', (part) => {
    said.error += part;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ ...said, code, signal }));
  return { child, said, ended };
};

test('Y1 a server whose event loop stands still is ended, and says so', async () => {
  const { signal, error } = await begin('stands still').ended;
  expect([signal, error]).toEqual(['SIGKILL', 'Shala was ended: its event loop stood still for 3 seconds.\n']);
});

test('Y1 a server that is busy but takes turns, or that was suspended for longer, goes on', async () => {
  const { child, said, ended } = begin('takes turns');
  await expect.poll(() => said.out).toBe('watched\nturning\n');
  child.kill('SIGSTOP');
  const isStopped = () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.[0];
  await expect.poll(isStopped).toBe('T');
  // The watch would count to three in that time.
  await pause(5000);
  child.kill('SIGCONT');
  expect(await ended).toMatchObject({ code: 0, out: 'watched\nturning\ndone\n' });
});
