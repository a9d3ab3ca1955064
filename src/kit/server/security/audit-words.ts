import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';

/** A kind of record in the audit log. */
export interface AuditRecord {
  kind: Text;
  /** The names of these records, by id; without deleted ones. */
  findNames?: (db: Database, ids: readonly number[]) => Promise<readonly { id: number; name: string }[]>;
}

/** The audit log's words for acts and records, by the codes of `action` and `entity`. */
export interface AuditWords {
  actions: Readonly<Record<string, Text>>;
  records: Readonly<Record<string, AuditRecord>>;
}

export const noAuditWords: AuditWords = { actions: {}, records: {} };

/** Merges the words of several parts. */
export const joinAuditWords = (parts: readonly AuditWords[]): AuditWords => ({
  actions: Object.assign({}, ...parts.map(({ actions }) => actions)),
  records: Object.assign({}, ...parts.map(({ records }) => records)),
});
