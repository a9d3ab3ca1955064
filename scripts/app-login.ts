import { createHmac } from 'node:crypto';
import pg from 'pg';
import { appRole } from '../src/kit/server/database/database.ts';
import { prepareServer } from '../src/kit/server/database/migrations.ts';

const name = 'shala_embedded';

/** The address of the same database for the application's own login, which can become no role but `shala_app`. */
export function appUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  // Derived from the owner's password, so that every start and command knows it, but not the other way round.
  const password = createHmac('sha256', decodeURIComponent(url.password)).update(name).digest('base64url');
  url.username = name;
  url.password = password;
  return url.href;
}

/** Creates the application's login unless it exists, also in a cluster of an earlier version. Returns its address. */
export async function openAppLogin(ownerUrl: string): Promise<string> {
  const appUrl = appUrlOf(ownerUrl);
  if (await opens(appUrl)) return appUrl;
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await prepareServer(client);
    const password = pg.escapeLiteral(new URL(appUrl).password);
    await client.query(`create role ${name} login`).catch((error: pg.DatabaseError) => {
      if (error.code !== '42710' && error.code !== '23505') throw error; // Another process has just created it.
    });
    await client.query(`alter role ${name} password ${password}`);
    await client.query(`grant ${appRole} to ${name}`);
  } finally {
    await client.end();
  }
  return appUrl;
}

async function opens(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ has: boolean }>(`select pg_has_role($1, 'member') as has`, [appRole]);
    return rows[0]?.has === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
