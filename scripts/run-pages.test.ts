import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { execute } from '#testing/postgres.ts';
import { readFleet } from './fleet-schools.ts';

const root = join(import.meta.dirname, '..');
const pages = join(root, 'docs/run');

interface Block {
  page: string;
  kind: string;
  text: string;
  /** What stands right above it. */
  above: string;
}

const blocks = globSync('*.md', { cwd: pages }).flatMap((page): Block[] =>
  [...readFileSync(join(pages, page), 'utf8').matchAll(/([^\n]*)\n\n```([a-z]*)\n([\s\S]*?)\n```/g)].map(
    ([, above = '', kind = '', text = '']) => ({ page, above, kind, text }),
  ),
);
const tried = blocks.filter(({ above }) => !above.includes('Not tried'));
const ofKind = (kind: string) => tried.filter((block) => block.kind === kind);
const unit = ofKind('ini').filter(({ text }) => text.includes('[Service]'));
const settings = ofKind('ini').filter(({ text }) => !text.includes('[Service]'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('UP15 each block of the pages for operators is of a kind that is tried here, or says that it is not', () => {
  const others = tried.filter(({ kind, above }) => !['sql', 'sh', 'ini'].includes(kind) || above.includes('```'));
  expect(others).toEqual([]);
  expect([ofKind('sql').length, ofKind('sh').length, unit.length, settings.length].every((count) => count > 0)).toBe(
    true,
  );
});

test('UP15 every command takes the words that stand after it', () => {
  for (const { page, text } of ofKind('sh'))
    for (const line of text.split('\n')) {
      const [, command = '', words = ''] = /^npm run ([a-z-]+)(?: -- (.*))?$/.exec(line) ?? [];
      const { status, stdout } = spawnSync(
        process.execPath,
        [join(root, `scripts/${command}.ts`), ...words.split(' ').filter(Boolean)],
        { env: { PATH: process.env.PATH, SHALA_ONLY_READS: 'yes' }, encoding: 'utf8' },
      );
      expect([page, line, status, stdout]).toEqual([page, line, 0, '']);
    }
});

test('UP15 the statements of an administrator make the logins and a database that sorts as it should', async () => {
  const { url } = inject('postgres');
  const [{ text = '' } = {}] = ofKind('sql');
  // Roles belong to the server, which other tests share.
  const own = `run${process.pid}`;
  const named = text.replaceAll('shala_app', `${own}_app`).replaceAll(/shala_(owner|login)/g, `${own}_$1`);
  const statements = named
    .replace('database shala ', `database ${own} `)
    .split(';')
    .map((one) => one.replace(/\s*--.*/, ''));
  try {
    for (const statement of statements.filter((one) => one.trim())) await execute(url, statement);
    const made = await execute(
      url,
      `select pg_get_userbyid(datdba) as owner, datlocale, pg_has_role('${own}_login', '${own}_app', 'member') as works
       from pg_database where datname = '${own}'`,
    );
    expect(made).toEqual([{ owner: `${own}_owner`, datlocale: 'C.UTF-8', works: true }]);
  } finally {
    await execute(url, `drop database if exists ${own}`);
    for (const role of ['app', 'owner', 'login']) await execute(url, `drop role if exists ${own}_${role}`);
  }
});

test('UP15 the files of settings are those of two schools of a trust', () => {
  const [one, other] = settings;
  writeFileSync(join(folder, '00-hill.env'), other?.text ?? '');
  writeFileSync(join(folder, 'north.env'), (one?.text ?? '').replace('PORT=3001', 'PORT=3002'));
  expect(readFleet(folder).map(({ config }) => [config.production, config.publicUrl, config.backup.folder])).toEqual([
    [true, 'https://hill.trust.example', '/var/backups/shala/hill'],
    [true, 'https://north.example', '/var/backups/shala/north'],
  ]);
});

test('UP15 the unit starts the server that is there, with the flags of npm start', () => {
  const text = unit[0]?.text ?? '';
  const [, line = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(text) ?? [];
  const words = line.split(' ');
  expect(words.slice(0, -1)).toEqual(JSON.parse(readFileSync(join(root, 'scripts/server-flags.json'), 'utf8')));
  expect(existsSync(join(root, words.at(-1) ?? ''))).toBe(true);
  if (!existsSync('/usr/bin/systemd-analyze')) return;
  const path = join(folder, 'shala@.service');
  writeFileSync(path, text.replace('/usr/bin/node', process.execPath).replace('User=shala\n', ''));
  const { stderr } = spawnSync('/usr/bin/systemd-analyze', ['verify', path], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((said) => said.includes('shala@'))).toEqual([]);
});
