import pg from 'pg';
import type { Config } from '../src/kit/server/config.ts';
import { appRole } from '../src/kit/server/database/database.ts';
import { needsPostgres, oldestPostgres } from '../src/kit/server/database/oldest.ts';

const { escapeIdentifier, escapeLiteral } = pg;

const partsOf = (address: string) => {
  const { username, password, pathname } = new URL(address);
  return {
    name: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
};

/**
 * Makes the application's role, both logins with the passwords of their addresses, and the database. What is there is kept;
 * a login that is there gets the password of its address.
 */
export async function prepareDatabase(
  adminUrl: string,
  { databaseUrl, databaseOwnerUrl }: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'>,
): Promise<{ owner: string; login: string; database: string; isMade: boolean }> {
  const [owner, login] = [partsOf(databaseOwnerUrl), partsOf(databaseUrl)];
  if (owner.name === login.name)
    throw new Error('DATABASE_OWNER_URL and DATABASE_URL must name two logins, such as shala_owner and shala_login.');
  for (const [variable, { name, password, database }] of Object.entries({
    DATABASE_OWNER_URL: owner,
    DATABASE_URL: login,
  }))
    if (!name || !password || !database)
      throw new Error(
        `${variable} must have a login, a password and a database: postgres://login:password@host/shala.`,
      );

  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    const { rows } = await client.query<{ number: number }>(
      `select current_setting('server_version_num')::integer as number`,
    );
    if ((rows[0]?.number ?? 0) < oldestPostgres * 10_000) throw new Error(`${needsPostgres}. Nothing was changed.`);
    await makeRole(client, appRole);
    for (const { name, password } of [owner, login]) {
      await makeRole(client, name);
      await client.query(`alter role ${escapeIdentifier(name)} login password ${escapeLiteral(password)}`);
    }
    await client.query(`grant ${appRole} to ${escapeIdentifier(login.name)}`);
    return { owner: owner.name, login: login.name, ...(await makeDatabase(client, owner)) };
  } finally {
    await client.end();
  }
}

async function makeRole(client: pg.Client, name: string) {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [name]);
  if (rows.length === 0) await client.query(`create role ${escapeIdentifier(name)}`);
}

async function makeDatabase(client: pg.Client, { name, database }: { name: string; database: string }) {
  const { rows } = await client.query('select from pg_database where datname = $1', [database]);
  if (rows.length > 0) return { database, isMade: false };
  // The administrator of a managed service is no superuser, and may give a database only to a role of its own.
  const { rows: member } = await client.query(`select where pg_has_role(current_user, $1, 'set')`, [name]);
  if (member.length === 0) await client.query(`grant ${escapeIdentifier(name)} to current_user`);
  await client.query(
    `create database ${escapeIdentifier(database)} owner ${escapeIdentifier(name)} template template0
     locale_provider builtin builtin_locale 'C.UTF-8'`,
  );
  return { database, isMade: true };
}
