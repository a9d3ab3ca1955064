import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '#kit/server/config.ts';
import { readVariables } from '#kit/server/variables.ts';
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
  const of = (page: string) => settings.find((block) => block.page === page)?.text ?? '';
  writeFileSync(join(folder, '00-hill.env'), of('trust.md'));
  writeFileSync(join(folder, 'north.env'), of('systemd.md').replace('PORT=3001', 'PORT=3002'));
  const lake = of('machines.md').replace('PORT=3001', 'PORT=3003');
  writeFileSync(join(folder, 'lake.env'), lake.replace('KEY_FILE=/etc/shala/lake.s3', 'KEY=secret'));
  expect(readFleet(folder).map(({ config }) => [config.production, config.publicUrl, config.backup.folder])).toEqual([
    [true, 'https://hill.trust.example', '/var/backups/shala/hill'],
    [true, 'https://lake.trust.example', '/var/backups/shala/lake'],
    [true, 'https://north.example', '/var/backups/shala/north'],
  ]);
  const { bucket, backup } = readFleet(folder)[1]?.config ?? {};
  expect([bucket?.name, bucket?.folder, backup?.bucket?.name]).toEqual(['trust-files', 'lake/', 'trust-archives']);
});

/** Runs a program of another maker where this machine has it. */
function judge(program: string, words: string[]) {
  if (!existsSync(program)) return undefined;
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return [status, status === 0 ? '' : stderr];
}

test('OP9 nginx takes its file, and limits, waits and logs as the guide demands', () => {
  const text = readFileSync(join(pages, 'nginx.conf'), 'utf8');
  for (const line of [
    'client_max_body_size  34m',
    'proxy_request_buffering on',
    'proxy_read_timeout 75s',
    'return 301',
  ])
    expect(text).toContain(line);
  expect(text).not.toMatch(/\$(request|args|query_string|http_referer)\b|proxy_next_upstream.*non_idempotent.*;/);
  const key = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'privkey.pem',
      '-out',
      'fullchain.pem',
      '-subj',
      '/CN=a',
    ],
    { cwd: folder },
  );
  expect(key.status).toBe(0);
  const own = text.replaceAll('/etc/ssl/shala', folder).replaceAll('/var/log/nginx', folder);
  writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid;\nevents {}\nhttp {\n${own}\n}\n`);
  const words = ['-t', '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'nginx.log')];
  expect(judge('/usr/sbin/nginx', words) ?? [0, '']).toEqual([0, '']);
});

test('OP9 Caddy takes its file', () => {
  const text = readFileSync(join(pages, 'Caddyfile'), 'utf8');
  expect(text).toContain('request_buffers 34MB');
  // Debian's Caddy 2.6 has an earlier name for it.
  const isEarlier = (spawnSync('/usr/bin/caddy', ['version'], { encoding: 'utf8' }).stdout ?? '').includes('2.6.');
  const own = isEarlier ? text.replace(/request_buffers 34MB.*/, 'buffer_requests') : text;
  writeFileSync(join(folder, 'Caddyfile'), own);
  const words = ['validate', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  expect(judge('/usr/bin/caddy', words) ?? [0, '']).toEqual([0, '']);
});

interface Service {
  environment: Record<string, string>;
  secrets: string[];
  entrypoint?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
}

test('OP9 compose names settings, commands and passwords that exist, and starts one service after the other', () => {
  const { services, secrets, volumes } = parse(readFileSync(join(pages, 'compose.yaml'), 'utf8')) as {
    services: Record<'db' | 'prepare' | 'app', Service>;
    secrets: Record<string, { file: string }>;
    volumes: Record<string, null>;
  };
  expect(spawnSync('sh', [join(pages, 'make-secrets.sh')], { cwd: folder }).status).toBe(0);
  const settingsOf = ({ environment, secrets: own }: Service) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => {
        const secret = value.replace('/run/secrets/', '');
        if (secret === value) return [name, value];
        expect(own).toContain(secret);
        return [name, join(folder, secrets[secret]?.file ?? '')];
      }),
    );
  const app = readConfig({ NODE_ENV: 'production', ...settingsOf(services.app) });
  const { find } = readVariables(settingsOf(services.prepare));
  expect(new URL(app.databaseUrl)).toMatchObject({ hostname: 'db', username: 'shala_login', pathname: '/shala' });
  expect([find('DATABASE_URL'), find('DATABASE_OWNER_URL')]).toEqual([app.databaseUrl, app.databaseOwnerUrl]);
  expect(new URL(find('DATABASE_ADMIN_URL') ?? '').password).toBe(
    readFileSync(join(folder, 'secrets/admin_password'), 'utf8'),
  );
  expect(existsSync(join(root, services.prepare.entrypoint?.[1] ?? ''))).toBe(true);
  expect([Object.keys(services.prepare.depends_on ?? {}), Object.keys(services.app.depends_on ?? {})]).toEqual([
    ['db'],
    ['prepare'],
  ]);
  const mounted = [services.db, services.app].flatMap(({ volumes: own = [] }) => own.map((one) => one.split(':')));
  expect(mounted).toEqual([
    ['database', '/var/lib/postgresql'],
    ['school', '/var/lib/shala'],
    ['backups', '/var/backups/shala'],
  ]);
  expect(Object.keys(volumes)).toEqual(mounted.map(([name]) => name));
  // A second run keeps the passwords.
  expect(spawnSync('sh', [join(pages, 'make-secrets.sh')], { cwd: folder }).status).toBe(1);
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
