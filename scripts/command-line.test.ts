import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneOfEach } from '../testing/soak.ts';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Where a command would store its results, and its temporary files. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-words-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What npm runs for a command, with further arguments. */
async function run(line: string, ...words: string[]) {
  const [, ...command] = line.split(' ');
  const child = spawn(process.execPath, [...command, ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, SHALA_FOLDER: join(folder, 'var'), TMPDIR: folder },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  return { code, said };
}

const sourceOf = (line: string) => readFileSync(join(root, `scripts/${line.split(' ').at(-1)}.ts`), 'utf8');

/** The options a command reads, as its source names them. */
function optionsOf(line: string) {
  return [...sourceOf(line).matchAll(/([a-z-]+)'?: \{\s*type: '/g)].map(([, name]) => name);
}

const names = Object.keys(scripts);
const lineOf = (name: string) => (name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`);

test('every command reads its options in the one way that tells and refuses them', () => {
  const others = names.filter((name) => !sourceOf(scripts[name] ?? '').includes('readCommandLine('));
  expect(others).toEqual([]);
});

const tried = oneOfEach(names, (name) => optionsOf(scripts[name] ?? '').length > 0);
test.each(tried)('npm run %s tells its options, refuses others, and has done nothing by then', async (name) => {
  const line = scripts[name] ?? '';
  const [help, option] = await Promise.all([run(line, '--help'), run(line, '--nonsense')]);
  expect(help.code, help.said).toBe(0);
  expect(help.said).toContain(`Usage: ${lineOf(name)} -- [options]`);
  for (const flag of [...optionsOf(line), 'help']) expect(help.said).toMatch(new RegExp(`^  --${flag}\\b.*  \\S`, 'm'));
  expect(option).toEqual({
    code: 1,
    said: expect.stringMatching(/^shala: Unknown option '--nonsense'\. .* -- --help lists the options\.\n$/),
  });
  expect(readdirSync(folder)).toEqual([]);
});
