import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openAccount } from '#testing/browser.ts';
import { emptySchool } from '#testing/empty-school.ts';
import { openOwnSchool, openSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { servedPages } from '../src/app/served-pages.ts';
import type { Config } from '../src/kit/server/config.ts';
import { startServing } from '../testing/serving-command.ts';
import { freePort } from './embedded-postgres.ts';

/** Where `npm start` keeps its school, and where archives are written. */
let home: string;
let folder: string;
let port: number;
const started: ChildProcess[] = [];
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'shala-start-'));
  folder = mkdtempSync(join(tmpdir(), 'shala-command-'));
  port = await freePort();
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  for (const path of [home, folder]) rmSync(path, { recursive: true, force: true });
});

/** Starts a command's script, which finds its database by these variables. */
function begin(name: string, words: string[], environment: Record<string, string>) {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, ...others } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...words], {
    env: { ...others, INIT_CWD: folder, ...environment },
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([said, complained, [code]]) => ({ said: said + complained, code }),
  );
  return { child, ended };
}
const run = (...values: Parameters<typeof begin>) => begin(...values).ended;

/** What names a school's database and folder. */
const placeOf = ({ databaseUrl, databaseOwnerUrl, folder }: Config) => ({
  DATABASE_URL: databaseUrl,
  DATABASE_OWNER_URL: databaseOwnerUrl,
  SHALA_FOLDER: folder,
});

async function serve(name: 'start' | 'dev' = 'start') {
  const command = await startServing(name, { folder: home, port, readyWithin: 240_000 });
  started.push(command.child);
  return command;
}
const health = () =>
  fetch(`http://localhost:${port}/readyz`).then(
    ({ status }) => status,
    () => 'away',
  );
const databasePid = () => Number(readFileSync(join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('J6 W9 H4 one command serves a demo school and says where its forms are, its backup is restored elsewhere, and SIGTERM stops all of it', {
  timeout: 600_000,
}, async () => {
  const { child, output } = await serve();
  expect(await health()).toBe(200);
  const { baseUrl, inquiries, accounts } = JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8'));
  expect(baseUrl).toBe(`http://localhost:${port}`);
  expect(accounts.map(({ role }: { role: string }) => role)).toEqual([
    'Admin',
    'Staff',
    'Staff',
    'Staff',
    'Staff',
    'Staff',
  ]);
  const [{ userName, password }] = accounts;
  const signIn = await fetch(`${baseUrl}/api/sign-in/authenticate-user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password }),
  });
  expect(await signIn.json()).toMatchObject([{ isSuccess: true, otPval: '' }]);
  expect(inquiries.length).toBeGreaterThanOrEqual(8);
  expect(new Set(inquiries.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['untouched', 'consent needed', 'half filled', 'ready to submit', 'submitted', 'expired', 'revoked']),
  );
  for (const { link } of inquiries) expect(output()).toContain(link);
  expect(output()).toMatch(/WARNING: [A-Z0-9]/);
  expect((await fetch(inquiries[0].link)).status).toBe(200);

  expect(await run('backup', ['monday.backup'], { SHALA_FOLDER: home })).toMatchObject({ code: 0 });
  const database = databasePid();
  child.kill('SIGTERM');
  expect(await new Promise((done) => child.once('exit', done))).toBe(0);
  expect([await health(), isAlive(database)]).toEqual(['away', false]);

  const place = await emptySchool({ folder: home });
  const { said, code } = await run('restore', ['monday.backup'], placeOf(place.config));
  expect(code, said).toBe(0);
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
  expect(said).toMatch(/The audit log ends in seal \d+, [0-9a-f]{8}\./);
  const [count] = await place.sql('select count(*)::integer as inquiries from admission_inquiry');
  expect(count?.inquiries).toBeGreaterThanOrEqual(inquiries.length);
  await place.close();
});

test('npm run seed fills an empty database with a school of a size', async () => {
  const school = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  const students = async () => (await school.sql('select count(*)::integer as count from student'))[0]?.count;
  const seed = (words: string[], environment: Record<string, string> = {}) =>
    run('seed', words, { ...placeOf(school.config), ...environment });
  try {
    const made = await seed(['--students', '60', '--years', '3', '--seed', '7']);
    expect(made).toEqual({
      code: 0,
      said: expect.stringMatching(
        /Made in \d+ s: \d+ students, \d+ enrollments in 3 years,\n.*60 sections, [1-3][0-9] staff/,
      ),
    });
    expect(await students()).toBeGreaterThan(60);
  } finally {
    await school.close();
  }
});

soak('npm run seed makes no school in production, nor in a database that has one', async () => {
  const school = await openSchool();
  const seed = (environment: Record<string, string>) =>
    run('seed', ['--students', '60'], { ...placeOf(school.config), ...environment });
  expect(await seed({ NODE_ENV: 'production' })).toEqual({
    code: 1,
    said: expect.stringContaining('No school was made: '),
  });
  expect(await seed({})).toEqual({ code: 1, said: expect.stringContaining('The database has a school already.') });
  expect(await school.sql('select id from student')).toEqual([]);
  await school.close();
});

soak(
  '`npm run dev` serves every page and the gallery of the kit at its address, and reloads it on a change',
  async () => {
    const { child } = await serve('dev');
    const paths = servedPages.flatMap(({ paths }) => paths.map((path) => path.replace('*', 'academic/calendar')));
    for (const path of ['/', ...paths]) {
      const answer = await fetch(`http://localhost:${port}${path}?x=1`);
      const html = await answer.text();
      const script = path.startsWith('/admission') ? '/src/form.tsx' : '/src/browser.tsx';
      expect([path, answer.status, html.includes(script), html.includes('/@vite/client')]).toEqual([
        path,
        200,
        true,
        true,
      ]);
    }
    const gallery = await (await fetch(`http://localhost:${port}/dev/kit`)).text();
    expect(gallery).toContain('/src/kit.tsx');
    const closed = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await closed).toBe(0);
  },
);

soak('a killed starter leaves neither server nor database behind, and the next start finds everything', async () => {
  const { child } = await serve();
  const database = databasePid();
  child.kill('SIGKILL');
  await expect.poll(async () => [await health(), isAlive(database)]).toEqual(['away', false]);
  const again = await serve();
  expect(await health()).toBe(200);
  again.child.kill('SIGINT');
  expect(await new Promise((done) => again.child.once('exit', done))).toBe(0);
});

/** A school with one saved form. */
async function withSchool(act: (school: School, trials: () => string[]) => Promise<void>) {
  const school = await openSchool();
  try {
    await (await school.inquiry()).saveBasicInfo();
    await act(school, () => readdirSync(school.config.folder).filter((name) => name.startsWith('verify-')));
  } finally {
    await school.close();
  }
}

soak('J6 an option that a command does not know, and --help, write no archive', () =>
  withSchool(async ({ config }) => {
    const before = readdirSync(folder);
    for (const name of ['backup', 'restore']) {
      const help = await run(name, ['--help'], placeOf(config));
      expect([help.code, help.said]).toEqual([0, expect.stringContaining(`Usage: npm run ${name}`)]);
      expect((await run(name, ['--nonsense'], placeOf(config))).code).toBe(1);
    }
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(config.backup.folder)).toBe(false);
  }),
);

soak('J6 W3 --verify restores the archive it made into another place, compares it and removes the place', () =>
  withSchool(async ({ config }, trials) => {
    const { said, code } = await run('backup', ['--verify'], placeOf(config));
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/Restored and compared: \d+ tables with \d+ rows, 1 opened files/),
    ]);
    expect(readdirSync(config.backup.folder)).toHaveLength(1);
    expect(trials()).toEqual([]);
  }),
);

soak('J6 W3 --verify says so where the archive it is given cannot be restored', () =>
  withSchool(async ({ config }, trials) => {
    expect((await run('backup', ['whole.backup'], placeOf(config))).code).toBe(0);
    writeFileSync(join(folder, 'cut.backup'), readFileSync(join(folder, 'whole.backup')).subarray(0, 3000));
    const { said, code } = await run('backup', ['--verify', 'cut.backup'], placeOf(config));
    expect([code, said]).toEqual([1, expect.stringContaining('cut.backup is cut off')]);
    expect(trials()).toEqual([]);
  }),
);

soak('J6 J13 a stopped --verify leaves nothing, and the next one removes what a killed one left', () =>
  withSchool(async ({ config }, trials) => {
    expect((await run('backup', ['tuesday.backup'], placeOf(config))).code).toBe(0);
    const verify = () => begin('backup', ['--verify', 'tuesday.backup'], placeOf(config));
    const stopped = verify();
    await expect.poll(trials).toHaveLength(1);
    stopped.child.kill('SIGTERM');
    expect((await stopped.ended).code).toBe(1);
    expect(trials()).toEqual([]);

    const killed = verify();
    await expect.poll(trials).toHaveLength(1);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(trials()).toHaveLength(1);
    const { said, code } = await verify().ended;
    expect([code, said]).toEqual([0, expect.stringContaining('Restored and compared')]);
    expect(trials()).toEqual([]);
  }),
);

const createAdmin = async (school: School, userName: string, password: string, words: readonly string[] = []) => {
  const environment = { ...placeOf(school.config), SHALA_NEW_PASSWORD: password };
  return (await run('create-admin', ['--name', 'Hetal Vora', '--user-name', userName, ...words], environment)).said;
};
const admins = (school: School) => school.sql('select 1 from sign_in_account where is_admin');

soak('W12 A11 A16 npm run create-admin makes no Admin with a weak password or one who could not sign in', () =>
  withSchool(async (school) => {
    for (const [password, word] of [
      ['xx-hetal-77', 'your name'],
      ['aaaaaaaa', 'at least 5 different characters'],
      ['password1234', 'too common'],
    ] as const)
      expect(await createAdmin(school, 'hetal', password)).toContain(word);
    for (const [userName, words, word] of [
      ['hetal', ['--mobile', '12'], '--mobile'],
      ['hetal vora', [], '--user-name'],
      ['hetal', ['--email', 'hetal'], '--email'],
    ] as const)
      expect(await createAdmin(school, userName, 'Teak-Bridge-48', words)).toMatch(
        new RegExp(`No account was made: .*${word}`),
      );
    expect(await admins(school)).toEqual([]);
  }),
);

soak('W7 npm run create-admin tells the other Admins of the one it makes', () =>
  withSchool(async (school) => {
    const other = await openAccount(school);
    expect(await createAdmin(school, 'hetal', 'Teak-Bridge-48')).toContain('can sign in at /login as hetal');
    // The series is for the school's own staff.
    expect(await school.sql(`select employee_number from staff where name = 'Hetal Vora'`)).toEqual([
      { employee_number: 'ADMIN-1' },
    ]);
    expect(await school.sql('select recipient, template from outbox')).toEqual([
      { recipient: other.email, template: 'admin-added' },
    ]);
  }),
);
