import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { execute } from '#testing/postgres.ts';
import { openAppLogin } from './app-login.ts';
import { copyTemplate, keepTemplate, takesTemplate, templateName, templateSources } from './demo-template.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const temporary = mkdtempSync(join(tmpdir(), 'shala-template-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const at = join(temporary, 'cache');

const openSchool = async (name: string) => {
  const folder = join(temporary, name);
  const { url, stop } = await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  return { folder, url, stop, appUrl: await openAppLogin(url) };
};

test('a demo school that was kept is copied into an empty folder: its rows, logins, keys and files, and later rows of neither in the other', async () => {
  const first = await openSchool('first');
  try {
    mkdirSync(join(first.folder, 'keys'));
    writeFileSync(join(first.folder, 'keys/data'), 'a key', { mode: 0o600 });
    await execute(
      first.url,
      `create table child as select id, repeat('x', 200) as name from generate_series(1, 20000) id`,
    );
    await execute(first.url, 'grant select on child to shala_app');
    // Of an earlier day, and of a start that was killed while it copied.
    mkdirSync(join(at, 'earlier'), { recursive: true });
    mkdirSync(join(at, 'draft-999999999'));
    await keepTemplate({ folder: first.folder, name: 'one', at, ownerUrl: first.url });
    expect(readdirSync(at)).toEqual(['one']);
    await execute(first.url, 'delete from child where id = 1');

    const folder = join(temporary, 'second');
    expect(copyTemplate({ folder, name: 'other', at })).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(copyTemplate({ folder, name: 'one', at })).toBe(true);
    const second = await openSchool('second');
    try {
      expect(await execute(second.appUrl, 'select count(*)::integer as children from child')).toEqual([
        { children: 20000 },
      ]);
      expect(readFileSync(join(folder, 'keys/data'), 'utf8')).toBe('a key');
      await execute(second.url, 'drop table child');
    } finally {
      await second.stop();
    }
    expect(await execute(first.url, 'select count(*)::integer as children from child')).toEqual([{ children: 19999 }]);
    // A folder with a school is left as it is.
    expect(copyTemplate({ folder, name: 'one', at })).toBe(false);
    // The template itself is as it was.
    expect(copyTemplate({ folder: join(temporary, 'third'), name: 'one', at })).toBe(true);
    const third = await openSchool('third');
    expect(await execute(third.url, 'select count(*)::integer as children from child')).toEqual([{ children: 20000 }]);
    await third.stop();
  } finally {
    await first.stop();
  }
});

test('a folder with keys and no database gets no template: its school is made under its own keys', async () => {
  const folder = join(temporary, 'only-keys');
  mkdirSync(join(folder, 'keys'), { recursive: true });
  mkdirSync(join(at, 'two/keys'), { recursive: true });
  expect(copyTemplate({ folder, name: 'two', at })).toBe(false);
  expect(readdirSync(folder)).toEqual(['keys']);
});

test('a template that cannot be copied whole leaves the folder empty, and the start makes a school', () => {
  const folder = join(temporary, 'cut-off');
  mkdirSync(join(at, 'cut/keys'), { recursive: true });
  writeFileSync(join(at, 'cut/keys/data'), 'a key');
  // No file to copy, as one that is gone meanwhile.
  execFileSync('mkfifo', [join(at, 'cut/postgres')]);
  expect(copyTemplate({ folder, name: 'cut', at })).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test('a template is of the programs that start its database and make it', () => {
  const programs = ['scripts/app-login.ts', 'scripts/demo-process.ts', 'scripts/embedded-postgres.ts'];
  expect(templateSources()).toEqual(expect.arrayContaining(programs));
});

test('a template is of one day of the school', () => {
  const of = (moment: string) => templateName(new Date(moment));
  expect(of('2026-12-01T23:00:00+05:30')).toBe(of('2026-12-01T08:00:00+05:30'));
  expect(of('2026-12-02T00:00:00+05:30')).not.toBe(of('2026-12-01T23:00:00+05:30'));
});

test('no template is used where a part of the school is elsewhere, its clock is another one, or where the setting is off', () => {
  expect(takesTemplate({ PORT: '3000', SHALA_FOLDER: '/srv/demo', DATABASE_URL: '' })).toBe(true);
  for (const [name, value] of Object.entries({
    SHALA_DEMO_TEMPLATE: 'off',
    SHALA_DEMO: 'off',
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://x/y',
    DATABASE_URL_FILE: '/run/secrets/url',
    S3_BUCKET: 'files',
    SHALA_DATA_KEY: '1:abc',
    SHALA_LINK_KEY_FILE: '/run/secrets/link',
    SHALA_CLOCK: '/srv/clock',
  }))
    expect([name, takesTemplate({ [name]: value })]).toEqual([name, false]);
});
