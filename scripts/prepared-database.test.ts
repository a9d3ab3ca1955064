import { expect, inject, test } from 'vitest';
import { execute } from '#testing/postgres.ts';
import { prepareDatabase } from './prepared-database.ts';

const own = `prepared_${process.pid}`;

/** An address on the server of the tests. */
function addressOf(login: string, password: string, database = own) {
  const url = new URL(inject('postgres').url);
  [url.username, url.password, url.pathname] = [login, password, `/${database}`];
  return url.href;
}

test('OP7 the logins and the database are made for an administrator who is no superuser; again, passwords alone change', async () => {
  const { url } = inject('postgres');
  const admin = `${own}_admin`;
  await execute(url, `create role ${admin} login createrole createdb password 'admin'`);
  await execute(url, `grant shala_app to ${admin} with admin option`);
  const addresses = (password: string) => ({
    databaseOwnerUrl: addressOf(`${own}_owner`, password),
    databaseUrl: addressOf(`${own}_login`, `${password}'s "other"`),
  });
  const prepare = (password: string) => prepareDatabase(addressOf(admin, 'admin', 'postgres'), addresses(password));
  try {
    const made = { owner: `${own}_owner`, login: `${own}_login`, database: own };
    expect(await prepare('one')).toEqual({ ...made, isMade: true });
    expect(await prepare('two')).toEqual({ ...made, isMade: false });
    const { databaseOwnerUrl, databaseUrl } = addresses('two');
    expect(
      await execute(
        databaseOwnerUrl,
        `select datlocale, pg_get_userbyid(datdba) as owner from pg_database where datname = '${own}'`,
      ),
    ).toEqual([{ datlocale: 'C.UTF-8', owner: `${own}_owner` }]);
    expect(
      await execute(
        databaseUrl,
        `select pg_has_role(current_user, 'shala_app', 'member') as works, pg_has_role(current_user, '${own}_owner', 'member') as more`,
      ),
    ).toEqual([{ works: true, more: false }]);
  } finally {
    await execute(url, `drop database if exists ${own} with (force)`);
    for (const name of ['login', 'owner', 'admin']) await execute(url, `drop role if exists ${own}_${name}`);
  }
});

test('OP7 one login for both, or an address without a password, is refused before anything is made', async () => {
  const wrong = (databaseOwnerUrl: string, databaseUrl: string) =>
    prepareDatabase('postgres://nobody@localhost:1/x', { databaseOwnerUrl, databaseUrl });
  await expect(wrong(addressOf('a', 'b'), addressOf('a', 'c'))).rejects.toThrow('must name two logins');
  await expect(wrong(addressOf('a', ''), addressOf('b', 'c'))).rejects.toThrow('DATABASE_OWNER_URL must have a login');
});
