// Smoke: runs on the oldest PostgreSQL too.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { openLog } from '#kit/server/log.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openServices } from './services.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
});
afterAll(() => school.close());

/** Opens the school's database once more under these settings. */
const openWith = async (settings: Record<string, string>) => {
  const { databaseUrl, databaseOwnerUrl, folder } = school.config;
  const addresses = { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl };
  const config = readConfig({ SHALA_FOLDER: folder, ...addresses, ...settings });
  const { close } = await openServices(config, openLog('silent'));
  await close();
};

/** Passes the sessions of all clients to one connection, as a pooler by transaction does with a quiet one. */
async function openPooler(address: string) {
  const { hostname, port } = new URL(address);
  const shared = connect(Number(port), hostname);
  let current: Socket | undefined;
  shared.on('data', (answer) => current?.write(answer));
  const pooler = createServer((client) => {
    const isFirst = current === undefined;
    let isOpen = isFirst;
    current = client;
    client.on('error', () => undefined);
    client.on('data', (message) => {
      const isEnd = message[0] === 'X'.charCodeAt(0);
      if (isOpen && !isEnd) shared.write(message);
      // AuthenticationOk and ReadyForQuery.
      else if (!isOpen) client.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
      else client.end();
      isOpen = true;
    });
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const url = new URL(address);
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
  const close = async () => {
    shared.destroy();
    pooler.close();
    await once(pooler, 'close');
  };
  return { url: url.href, close };
}

test('W20 behind a pooler the login brings role and deadlines: the start names the SQL, and works after it', async () => {
  const start = () => openWith({ DATABASE_NAMED_STATEMENTS: 'off' });
  const { message } = await start().then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
  for (const name of ['role', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    expect(message).toContain(`set ${name} = `);
  const [, statements = ''] = /run in its database: (.*); then let/.exec(message) ?? [];
  await school.sql(statements);
  await start();
  // Another patience means other deadlines.
  await expect(openWith({ DATABASE_NAMED_STATEMENTS: 'off', SHALA_PATIENCE: '98' })).rejects.toThrow(
    "set lock_timeout = '392000'",
  );
});

test('an owner’s address that leads to a pooler by transaction stops the start before anything is locked', async () => {
  const pooler = await openPooler(school.config.databaseOwnerUrl);
  try {
    await expect(openWith({ DATABASE_OWNER_URL: pooler.url })).rejects.toThrow(
      'Give it the address of the database itself',
    );
  } finally {
    await pooler.close();
  }
});

test('no request leaves anything in its session: settings, locks, tables, cursors or channels', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  expect((await family.submit()).status).toBe(200);
  const admin = await school.person({ role: 'Admin' });
  for (const url of ['/api/staff', '/api/search?search=asha', '/api/academic/board'])
    expect((await admin.send({ url })).status).toBe(200);

  const left = await Promise.all(
    Array.from({ length: 10 }, () =>
      school.services.db.connection().execute(async (db) => {
        const { rows } = await sql<{ pid: number; left: string }>`
          select pg_backend_pid() as pid, found.left from (
            select 'setting ' || name as left from pg_settings where source = 'session'
            union all select 'lock' from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
            union all select 'table ' || relname from pg_class where relpersistence = 't'
            union all select 'cursor ' || name from pg_cursors where name <> ''
            union all select 'channel ' || channel from pg_listening_channels() as channel
          ) as found right join (values (1)) as one on true
        `.execute(db);
        return rows;
      }),
    ),
  );
  expect(left.flat().filter((row) => row.left !== null)).toEqual([]);
  expect(new Set(left.flat().map(({ pid }) => pid)).size).toBeGreaterThan(1);
});
