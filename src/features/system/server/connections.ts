import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import type { Warning } from '#kit/server/warnings.ts';

interface Connections {
  /** The processes of this school that serve now. */
  processes: number;
  /** The most that they take together while they serve. */
  taken: number;
  /** What the server of the database lets logins like theirs take. */
  most: number;
}

/** A start takes three more for some seconds, a backup two. */
const besides = 5;

/** Reads how many connections the processes take at most, and how many there are. */
export async function readConnections({ db }: Pick<Services, 'db'>): Promise<Connections> {
  const { rows } = await sql<Connections>`
    select count(process.id)::integer as processes, coalesce(sum(process.connections), 0)::integer as taken,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - current_setting('reserved_connections')::integer as most
    from server_process as process where process.seen_at > now() - interval '30 seconds'`.execute(db);
  return rows[0] ?? { processes: 0, taken: 0, most: 0 };
}

/** Whether a start or a backup may find no connection left. */
export const tooManyFor = ({ taken, most }: Connections): boolean => taken + besides > most;

export async function findConnectionWarnings(services: Pick<Services, 'db'>): Promise<Warning[]> {
  const found = await readConnections(services);
  if (!tooManyFor(found)) return [];
  const { processes, taken, most } = found;
  const words = text(
    {
      message:
        '{processes, plural, one {# process takes} other {# processes take}} up to {taken} of {most} connections to the database. Start fewer, set DATABASE_POOL=4 for each, or raise max_connections of PostgreSQL.',
    },
    { processes, taken, most },
  );
  return [{ name: 'connections', text: words }];
}
