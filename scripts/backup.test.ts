import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptySchool } from '#testing/empty-school.ts';
import { openSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import type { Config } from '../src/kit/server/config.ts';

let school: School;
let folder: string;
let archive: string;
beforeAll(async () => {
  school = await openSchool();
  await (await school.inquiry()).saveBasicInfo();
  folder = mkdtempSync(join(tmpdir(), 'shala-command-'));
  archive = join(folder, 'monday.backup');
});
afterAll(async () => {
  await school.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(name: 'backup' | 'restore', words: string[], config: Config = school.config) {
  const environment = {
    ...process.env,
    DATABASE_URL: config.databaseUrl,
    DATABASE_OWNER_URL: config.databaseOwnerUrl,
    SHALA_FOLDER: config.folder,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...words], {
    env: { ...environment, INIT_CWD: folder },
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([said, complained, [code]]) => ({ said: said + complained, code }),
  );
  return { child, ended };
}
const run = (...values: Parameters<typeof start>) => start(...values).ended;
const trials = () => readdirSync(school.config.folder).filter((name) => name.startsWith('verify-'));

soak('J6 an option that a command does not know, and --help, write no archive', async () => {
  for (const name of ['backup', 'restore'] as const) {
    const help = await run(name, ['--help']);
    expect([help.code, help.said]).toEqual([0, expect.stringContaining(`Usage: npm run ${name}`)]);
    expect((await run(name, ['--nonsense'])).code).toBe(1);
  }
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(school.config.backup.folder)).toBe(false);
});

test('J6 W3 --verify makes an archive, restores it into a place of its own, says what was compared and removes the place', async () => {
  const { said, code } = await run('backup', ['--verify']);
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/Restored and compared: \d+ tables with \d+ rows, 1 opened files/),
  ]);
  expect(readdirSync(school.config.backup.folder)).toHaveLength(1);
  expect(trials()).toEqual([]);
});

soak('J6 W3 --verify says so where the archive it is given cannot be restored', async () => {
  expect((await run('backup', ['monday.backup'])).code).toBe(0);
  const cut = join(folder, 'cut.backup');
  writeFileSync(cut, readFileSync(archive).subarray(0, 3000));
  const { said, code } = await run('backup', ['--verify', 'cut.backup']);
  expect([code, said]).toEqual([1, expect.stringContaining('cut.backup is cut off')]);
  expect(trials()).toEqual([]);
});

soak('J6 J13 --verify that is told to stop, or finds what a killed one left, leaves nothing', async () => {
  const stopped = start('backup', ['--verify', 'monday.backup']);
  await expect.poll(trials).toHaveLength(1);
  stopped.child.kill('SIGTERM');
  expect((await stopped.ended).code).toBe(1);
  expect(trials()).toEqual([]);

  const killed = start('backup', ['--verify', 'monday.backup']);
  await expect.poll(trials).toHaveLength(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(trials()).toHaveLength(1);
  const { said, code } = await run('backup', ['--verify', 'monday.backup']);
  expect([code, said]).toEqual([0, expect.stringContaining('Restored and compared')]);
  expect(trials()).toEqual([]);
});

test('W9 H4 a restore says which moment the school is back at, where its audit log ends, and what to end once more', async () => {
  expect((await run('backup', ['sunday.backup'])).code).toBe(0);
  const place = await emptySchool(school.config);
  const { said, code } = await run('restore', ['sunday.backup'], place.config);
  expect(code).toBe(0);
  expect(said).toMatch(/Everything is as it was on \d+ \w+ \d{4} at \d\d:\d\d/);
  for (const word of [
    'links revoked',
    'accounts closed',
    'passwords changed',
    'permissions changed',
    'consent withdrawn',
    'data erased',
  ]) {
    expect(said).toContain(word);
  }
  expect(said).toContain('The audit log ends in seal 0, 00000000.');
  await place.close();
});
