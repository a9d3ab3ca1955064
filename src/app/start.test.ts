import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { familyFacts } from '#database/seed/answers.ts';
import { demoPassword, demoPeople } from '#database/seed/demo-people.ts';
import { createAccount } from '#features/account/api.ts';
import { seedFamily } from '#features/admission-form/seed.ts';
import { hashPassword } from '#features/sign-in/server/password.ts';
import { checkOpenness, readConfig } from '#kit/server/config.ts';
import { openLog } from '#kit/server/log.ts';
import { databaseOf, execute, urlOf } from '#testing/postgres.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { closeDemo } from './demo.ts';
import { openServices } from './services.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
});
afterAll(() => school.close());

const silent = openLog('silent');
const production = { NODE_ENV: 'production' };
/** Opens the school's database once more under other addresses. */
const openWith = async (addresses: Record<string, string>) => {
  const config = readConfig({ SHALA_FOLDER: school.config.folder, ...addresses });
  const { close } = await openServices(config, silent);
  await close();
};

describe('the database logins', () => {
  const name = () => new URL(school.config.databaseUrl).pathname.slice(1);
  const owner = () => school.config.databaseOwnerUrl;

  test.each([
    'alter table audit add column gap text',
    `update audit set actor = 'Nobody'`,
    'delete from audit',
    'drop table audit',
    'alter table audit disable trigger all',
    'create table taken (id integer)',
    'create role taken',
    'set role OWNER',
    'set session authorization OWNER',
  ])('W20 SB10 on the application’s connection "set role none; %s" fails', async (statement) => {
    const client = new pg.Client({ connectionString: school.config.databaseUrl, options: '-c role=shala_app' });
    await client.connect();
    try {
      await client.query('set role none');
      await expect(client.query(statement.replace('OWNER', new URL(owner()).username))).rejects.toThrow(
        /permission denied|must be owner/,
      );
    } finally {
      await client.end();
    }
  });

  test('W20 production starts with two, and refuses one with the SQL that makes the other', async () => {
    await expect(openWith({ ...production, DATABASE_URL: owner() })).rejects.toThrow(
      /grant shala_app to shala_login; .* DATABASE_OWNER_URL/,
    );
    await expect(openWith({ ...production, DATABASE_URL: owner(), DATABASE_OWNER_URL: owner() })).rejects.toThrow(
      'grant shala_app to shala_login',
    );
    await openWith({ ...production, ...databaseOf(inject('postgres').url, name()) });
    await openWith({ DATABASE_URL: owner() });
  });

  test.each([
    ['a superuser', 'superuser', ''],
    ['one that makes roles', 'createrole', ''],
    ['a member of the owner', '', 'grant OWNER to '],
    ['a member of a role that writes everything', '', 'grant pg_write_all_data to '],
    ['the owner of the database', '', `alter database DATABASE owner to `],
  ])('W20 production refuses a login of the application that is %s', async (_name, attribute, sql) => {
    const login = `shala_more_${process.pid}`;
    const { url } = inject('postgres');
    await execute(url, `create role ${login} login ${attribute} password 'more'; grant shala_app to ${login}`);
    if (sql) await execute(url, `${sql.replace('DATABASE', name()).replace('OWNER', new URL(url).username)}${login}`);
    const address = new URL(urlOf(url, name()));
    [address.username, address.password] = [login, 'more'];
    const start = openWith({ ...production, DATABASE_URL: address.href, DATABASE_OWNER_URL: owner() });
    await expect(start)
      .rejects.toThrow('grant shala_app to shala_login')
      .finally(async () => {
        await execute(url, `alter database ${name()} owner to ${new URL(url).username}`);
        await execute(url, `drop role ${login}`);
      });
  });
});

describe('what is for trying out', () => {
  const required = { DATABASE_URL: 'postgres://localhost/shala' };
  const here: Record<string, string>[] = [
    {},
    { HOST: '127.0.0.1' },
    { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' },
    { HOST: '127.1.2.3', PUBLIC_URL: 'https://localhost' },
    { HOST: 'LOCALHOST', PUBLIC_URL: 'http://127.0.0.1:8080/' },
  ];
  const elsewhere: Record<string, string>[] = [
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.5' },
    { HOST: 'localhost.school.example' },
    { HOST: '127.0.0.1.school.example' },
    { PUBLIC_URL: 'https://admission.school.example' },
    { PUBLIC_URL: 'http://localhost.school.example' },
    { PUBLIC_URL: 'http://school@example.com' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
    { HOST: '127.0.0.1', PUBLIC_URL: 'https://admission.school.example' },
  ];

  test.each(here)('W10 is served where HOST and PUBLIC_URL are this machine: %o', (environment) => {
    expect(() => checkOpenness(readConfig({ ...required, ...environment }))).not.toThrow();
  });

  test.each(elsewhere)(
    'W10 stops the start where other machines get in, and production does not: %o',
    (environment) => {
      expect(() => checkOpenness(readConfig({ ...required, ...environment }))).toThrow('Set NODE_ENV=production');
      expect(() => checkOpenness(readConfig({ ...required, ...environment, ...production }))).not.toThrow();
    },
  );

  test.each<Record<string, string>>([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://school.example' }, production])(
    'W10 neither outbox nor gallery is a page with %o, and the outbox is one under this machine’s name alone elsewhere',
    async (environment) => {
      const gallery = await school.send({ url: '/dev/kit' });
      const [script = ''] = /\/dev\/kit\/assets\/[^"]+\.js/.exec(gallery.text) ?? [];
      expect((await school.send({ url: script })).status).toBe(200);
      const other = await openOwnSchool(environment);
      for (const url of ['/dev/outbox', '/dev/kit', script]) expect((await other.send({ url })).status).toBe(302);
      await other.close();
      expect((await school.send({ url: '/dev/outbox' })).status).toBe(200);
      for (const host of ['evil.example', 'localhost.evil.example:3000'])
        expect((await school.send({ url: '/dev/outbox', headers: { host } })).status).toBe(302);
    },
  );

  test('W10 a start in production ends the accounts and links of the demo, says so, and leaves real people alone', async () => {
    const family = await seedFamily(school.app, school.context(), {
      state: 'untouched',
      grade: 'Grade 1',
      inquiry: familyFacts,
    });
    const real = await school.inquiry({ ...familyFacts, fatherEmail: 'nikhil.patel@gmail.com' });
    const isOpen = async (link: string) =>
      (await school.send({ url: `/api/admission/inquiry?inquiryNo=${link}` })).status;
    const said: string[] = [];
    const log = openLog('warn', { write: (line) => said.push(line) });
    await closeDemo(school.services, log);
    expect([said, await isOpen(family.value)]).toEqual([[], 200]);

    const ids: number[] = [];
    for (const person of demoPeople)
      ids.push((await createAccount(school.context(), 'Demo', { ...person, isStaff: !person.isAdmin })).id);
    const other = await school.person({ role: 'Admin' });
    const [admin] = ids;
    const signIn = async () =>
      (
        await school.send({
          method: 'POST',
          url: '/api/sign-in/authenticate-user',
          body: { AuthenicateUserBy: 'UserNameNPassword', UserName: demoPeople[0]?.userName, Password: demoPassword },
        })
      ).text;
    expect(await signIn()).toContain('"isSuccess":true');

    await closeDemo(school.services, log);
    expect(await signIn()).not.toContain('"isSuccess":true');
    const active = await school.sql(`select id from sign_in_account where is_active`);
    expect(active.filter(({ id }) => ids.includes(Number(id)))).toEqual([]);
    expect((await other.send({ url: '/api/sign-in/me' })).status).toBe(200);
    expect([await isOpen(family.value), await isOpen(real.link)]).toEqual([404, 200]);
    expect(said.join()).toMatch(/demo accounts of Asha Trivedi, .*npm run create-admin/);

    // An account with a demo username and its own password stays active, also a Staff account.
    await school.sql(
      `update sign_in_account set is_active = true, password_hash = '${await hashPassword('Other-Bridge-48')}' where id = ${admin}`,
    );
    await closeDemo(school.services, log);
    expect(await school.sql(`select is_active from sign_in_account where id = ${admin}`)).toEqual([
      { is_active: true },
    ]);
    await school.sql(`update sign_in_account set is_staff = true where id = ${admin}`);
    await school.sql(`update staff set email = 'head@school.test'
      where id = (select staff_id from sign_in_account where id = ${admin})`);
    await closeDemo(school.services, log);
    expect(await school.sql(`select is_active from sign_in_account where id = ${admin}`)).toEqual([
      { is_active: true },
    ]);
  });
});
