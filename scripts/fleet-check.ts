import pg from 'pg';
import { migrationsFolder, readMigrations } from '../src/kit/server/database/migrations.ts';
import { programVersion } from '../src/kit/server/version.ts';
import { databaseAt, type FleetSchool } from './fleet-schools.ts';

/** Of the process, or of the database. */
interface Part {
  isWell: boolean;
  words: string[];
  /** The database server, with its connections and their limit. */
  server?: { name: string; used: number; most: number };
}

interface Found extends Omit<Part, 'words'> {
  words: string;
}

/** Milliseconds to wait for a school's process, or for its database. */
const answersWithin = 10_000;

/** How a school is: whether it serves, its version and backup, and what waits for an upgrade. */
export async function checkSchool(school: FleetSchool, folder = migrationsFolder): Promise<Found> {
  const [served, stored] = await Promise.all([readServed(school), readStored(school, folder)]);
  const words = [...served.words, ...stored.words].join(', ');
  return { isWell: served.isWell && stored.isWell, words, server: stored.server };
}

interface Ready {
  status: string;
  database: boolean;
  keys: boolean;
  files: boolean;
  backup?: 'ok' | 'old' | 'none';
  program?: 'old';
  version?: string;
}

async function readServed({ config: { host, port } }: FleetSchool): Promise<Part> {
  const at = `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
  let ready: Ready;
  try {
    const answer = await fetch(`${at}/readyz`, { signal: AbortSignal.timeout(answersWithin) });
    ready = (await answer.json()) as Ready;
  } catch {
    return { isWell: false, words: [`no answer on ${at}`] };
  }
  const missing = (['database', 'keys', 'files'] as const).filter((name) => !ready[name]);
  const isOther = ready.version !== undefined && ready.version !== programVersion();
  const isReady = ready.status === 'ready';
  return {
    isWell: isReady && !isOther && ready.backup === 'ok',
    words: [
      isReady ? 'ready' : `not ready${missing.length > 0 ? ` (${missing.join(', ')})` : ''}`,
      ...(ready.version ? [isOther ? `${ready.version} in place of ${programVersion()}` : ready.version] : []),
      ...(ready.program === 'old' ? ['older than its database'] : []),
      ...(ready.backup ? [`backup ${ready.backup}`] : []),
    ],
  };
}

async function readStored({ config }: FleetSchool, folder: string): Promise<Part> {
  const client = new pg.Client({
    connectionString: config.databaseOwnerUrl,
    connectionTimeoutMillis: answersWithin,
    query_timeout: answersWithin,
  });
  client.on('error', () => undefined); // The running statement fails with the same message.
  try {
    await client.connect();
    const { rows } = await client.query<{ used: number; most: number; has: boolean }>(
      `select (select count(*) from pg_stat_activity where backend_type = 'client backend')::integer as used,
        current_setting('max_connections')::integer
          - current_setting('superuser_reserved_connections')::integer as most,
        to_regclass('public.migration') is not null as has`,
    );
    const { used, most, has } = rows[0] ?? { used: 0, most: 0, has: false };
    const applied = has ? (await client.query<{ name: string }>('select name from public.migration')).rows : [];
    const names = new Set(applied.map(({ name }) => name));
    const waiting = readMigrations(folder).filter(({ name }) => !names.has(name)).length;
    return {
      isWell: waiting === 0,
      words: waiting > 0 ? [`${waiting} migrations wait`] : [],
      server: { name: databaseAt(config.databaseOwnerUrl).split('/')[0] ?? '', used, most },
    };
  } catch (error) {
    return { isWell: false, words: [`its database did not answer: ${(error as Error).message}`] };
  } finally {
    await client.end().catch(() => undefined);
  }
}
