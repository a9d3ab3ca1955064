import type pg from 'pg';
import type { Sequence } from './tables.ts';

/** The archive's last part, which describes it: enough to know that it is complete and consistent. */
export interface Manifest {
  format: 1;
  madeAt: string;
  /** The version of the program that made it. */
  program: string;
  migrations: AppliedMigration[];
  /** The keys the data was written with: their ids, and a proof that recognises each. Never the keys themselves. */
  keys: { name: string; id: string; proof: string }[];
  tables: Record<string, { rows: number; sha256: string }>;
  sequences: Sequence[];
  /** The stored files of these rows, still sealed under the data key as in the store. */
  files: Record<string, { bytes: number; sha256: string }>;
  /** Files that have a row, but whose bytes were missing or damaged when the backup was made. */
  lost: string[];
  /** The end of the audit log's chain of seals; missing in older archives. */
  audit?: ChainEnd;
}

/** The last seal of the audit log: its number, and its bytes in hex. All zeros before the first one. */
export interface ChainEnd {
  sealed: number;
  head: string;
}

/** Reads where the chain of seals ends in this database, as this transaction sees it. */
export async function findChainEnd(client: pg.Client): Promise<ChainEnd> {
  const { rows } = await client.query<{ sealed: number; head: string }>(
    `select number::integer as sealed, encode(seal, 'hex') as head from public.audit_seal order by number desc limit 1`,
  );
  return rows[0] ?? { sealed: 0, head: '0'.repeat(64) };
}

export interface AppliedMigration {
  name: string;
  checksum: string;
}

interface Act {
  action: 'backup.made' | 'backup.restored';
  /** The command that made it: "npm run backup". */
  command: string;
  details: Record<string, string | number>;
}

/** Writes the audit row of a command, which works as the owner of the database on this machine. */
export async function auditCommand(client: pg.Client, { action, command, details }: Act) {
  await client.query(
    `insert into public.audit (actor, action, entity, entity_id, request_id, details) values ($1, $2, $3, $4, $5, $6)`,
    ['Owner', action, 'database', 0, command, JSON.stringify(details)],
  );
}
