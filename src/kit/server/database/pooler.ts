import { sql } from 'kysely';
import pg from 'pg';
import { type Database, sessionSettings } from './database.ts';

/**
 * Refuses an owner's address whose sessions share a connection, as behind a pooler by transaction: they would lose
 * locks and notifications, and leave locks to others.
 */
export async function checkOwnSession(ownerUrl: string): Promise<void> {
  const clients = [1, 2].map(() => new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 }));
  try {
    const processes = new Set<number>();
    // One after the other: the second of two at the same moment gets a connection of its own from a pooler too.
    for (const client of clients) {
      client.on('error', () => undefined); // The running statement fails with the same message.
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      processes.add(rows[0]?.pid ?? 0);
    }
    if (processes.size < clients.length)
      throw new Error(
        'DATABASE_OWNER_URL leads to a pooler that shares connections between sessions. ' +
          'Give it the address of the database itself; only DATABASE_URL may lead to the pooler.',
      );
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** Refuses a login that lacks what a connection behind a pooler can't ask for; names the SQL that gives it. */
export async function checkLoginSettings(db: Database, patience: number): Promise<void> {
  const wanted = Object.entries(sessionSettings(patience));
  const { rows } = await sql<{ statement: string }>`
    select format('alter role %I in database %I set %s = %L', session_user, current_database(), name, value) as statement
    from json_to_recordset(${JSON.stringify(wanted.map(([name, value]) => ({ name, value })))}::json)
      as wanted(name text, value text)
    left join pg_settings using (name)
    where coalesce(pg_settings.setting, current_setting(name, true), '') <> value
  `.execute(db);
  if (rows.length === 0) return;
  const statements = ["select similarity('', '')", ...rows.map(({ statement }) => statement)];
  throw new Error(
    'Behind a pooler the login of DATABASE_URL must bring its own settings. As an administrator run in its database: ' +
      `${statements.join('; ')}; then let the pooler open its connections again, for example with RECONNECT.`,
  );
}
