import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Sequence } from './tables.ts';

/** What an archive says of itself, as its last part: enough to know that all of it is there and fits. */
export interface Manifest {
  format: 1;
  madeAt: string;
  /** The version of the program that made it. */
  program: string;
  migrations: AppliedMigration[];
  /** The keys the data was written with: their ids, and a proof by which each is recognised. Never the keys themselves. */
  keys: { name: string; id: string; proof: string }[];
  tables: Record<string, { rows: number; sha256: string }>;
  sequences: Sequence[];
  /** The stored files of these rows, as they lie in the store, still sealed under the data key. */
  files: Record<string, { bytes: number; sha256: string }>;
  /** Files that have a row, but whose bytes were missing or damaged when the backup was made. */
  lost: string[];
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

export const programVersion = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).version;

interface Act {
  action: 'backup.made' | 'backup.restored';
  command: string;
  details: Record<string, string | number>;
}

/** The audit row of a command. It works as the owner of the database, on this machine. */
export async function auditCommand(client: pg.Client, { action, command, details }: Act) {
  await client.query(
    `insert into public.audit (actor, action, entity, entity_id, request_id, details) values ($1, $2, $3, $4, $5, $6)`,
    ['Owner', action, 'database', 0, command, JSON.stringify(details)],
  );
}
