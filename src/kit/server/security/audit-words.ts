import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';

/** A kind of record that acts are about. */
export interface AuditRecord {
  kind: Text;
  /** The names of these records, by id; deleted ones are left out. */
  findNames?: (db: Database, ids: readonly number[]) => Promise<readonly { id: number; name: string }[]>;
}

/** What the audit log calls acts, and the records they are about, by the codes of `action` and `entity`. */
export interface AuditWords {
  actions: Readonly<Record<string, Text>>;
  records: Readonly<Record<string, AuditRecord>>;
}

export const noAuditWords: AuditWords = { actions: {}, records: {} };

/** The words of several parts as one. */
export const joinAuditWords = (parts: readonly AuditWords[]): AuditWords => ({
  actions: Object.assign({}, ...parts.map(({ actions }) => actions)),
  records: Object.assign({}, ...parts.map(({ records }) => records)),
});
