import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const createAdmin = (userName: string, password: string, overrides: string[] = []) => {
  const words = ['--name', 'Hetal Vora', '--user-name', userName, ...overrides];
  const { databaseUrl, databaseOwnerUrl, folder } = school.config;
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: databaseOwnerUrl,
    SHALA_FOLDER: folder,
    SHALA_NEW_PASSWORD: password,
  };
  return promisify(execFile)(process.execPath, [join(import.meta.dirname, 'create-admin.ts'), ...words], { env }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout as string,
  );
};
const admins = () => school.sql(`select 1 from sign_in_account where is_admin`);

test('W12 A11 the command makes no Admin with a weak password', async () => {
  const weak = [
    ['xx-hetal-77', 'your name'],
    ['aaaaaaaa', 'at least 5 different characters'],
    ['password1234', 'too common'],
  ] as const;
  for (const [password, word] of oneOfEach(weak, () => 'weak'))
    expect(await createAdmin('hetal', password)).toContain(word);
  expect(await admins()).toEqual([]);
});

test('A16 the command makes no Admin who could not sign in: each word is judged as on the pages', async () => {
  const wrong = [
    ['hetal', ['--mobile', '12'], '--mobile'],
    ['hetal vora', [], '--user-name'],
    ['hetal', ['--email', 'hetal'], '--email'],
  ] as const;
  for (const [userName, more, word] of oneOfEach(wrong, () => 'wrong'))
    expect(await createAdmin(userName, 'Teak-Bridge-48', [...more])).toMatch(
      new RegExp(`No account was made: .*${word}`),
    );
  expect(await admins()).toEqual([]);
});

test('W7 the command tells the other Admins of the one it makes', async () => {
  const other = await openAccount(school);
  expect(await createAdmin('hetal', 'Teak-Bridge-48')).toContain('can sign in at /login as hetal');
  expect(await school.sql(`select recipient, template from outbox`)).toEqual([
    { recipient: other.email, template: 'admin-added' },
  ]);
});
