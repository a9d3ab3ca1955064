import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { soak } from '../testing/soak.ts';

const root = join(import.meta.dirname, '..');
const planted = join(root, 'testing/planted-feature');
let copy: string;

// A copy of the product to which the feature adds its folder, its migration and one line for each side.
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'shala-planted-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  rmSync(join(copy, 'testing/planted-feature'), { recursive: true });
  const migration = '209901010000_club.sql';
  cpSync(join(planted, 'club'), join(copy, 'src/features/club'), { recursive: true });
  cpSync(join(planted, migration), join(copy, 'database/migrations', migration));
  name('server.ts', '#features/club/server/feature.ts');
  name('browser.tsx', '#features/club/pages/feature.tsx');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function name(side: string, manifest: string) {
  const file = join(copy, 'src/app', `features.${side}`);
  const text = readFileSync(file, 'utf8').replace(/(export const features[^=]*= \[)/, '$1club, ');
  writeFileSync(file, `import { club } from '${manifest}';\n${text}`);
}

/** Runs a program in the copy; returns its output if it failed. */
async function run(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, words, {
    cwd: copy,
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), DATABASE_URL: inject('postgres').url, TEST_FEATURE: 'club' },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      printed += text;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  return code === 0 ? '' : printed;
}

test('a planted feature is served, seeded and walked by the access matrix, with no edit but its two lines', async () => {
  const files = ['src/features/club/club.test.ts', 'src/app/matrix.test.ts'];
  expect(await run('node_modules/vitest/vitest.mjs', 'run', '--project', 'works', ...files)).toBe('');
}, 120_000);

soak('the texts of a planted feature are collected', async () => {
  expect(await run('scripts/text.ts')).toBe('');
  const catalogue = (folder: string) => readFileSync(join(copy, 'src/locales', folder, 'en.po'), 'utf8');
  expect(catalogue('text')).toContain('Planted clubs, such as chess.');
  expect(catalogue('text')).toContain('Planted Club List');
  expect(catalogue('shell')).toContain('Planted clubs meet on Fridays.');
});
