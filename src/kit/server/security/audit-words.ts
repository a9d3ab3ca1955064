import type { Verb } from '#kit/contract/audit-verbs.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';

/** An act in the audit log. */
export interface AuditAct {
  /** What the log's filter by action calls it. */
  verb: Verb;
  words: Text;
}

/** A kind of record in the audit log. */
export interface AuditRecord {
  kind: Text;
  /** What the log's filter by record calls it; the `auditArea` of its feature by default. */
  area?: Text | undefined;
  /** The names of these records, by id; without deleted ones. */
  findNames?: (db: Database, ids: readonly number[]) => Promise<readonly { id: number; name: string }[]>;
  /** The details of a deletion that make up the name of a deleted record; `Name` by default. */
  nameDetails?: readonly string[];
}

/** A detail of an audit row. */
export interface AuditDetail {
  label: Text;
  /** The words of its codes, which are separated by spaces. */
  codes?: Readonly<Record<string, Text>>;
}

/** The audit log's words for acts, records and details, by the codes of `action` and `entity` and the detail's name. */
export interface AuditWords {
  actions: Readonly<Record<string, AuditAct>>;
  records: Readonly<Record<string, AuditRecord>>;
  details?: Readonly<Record<string, AuditDetail>>;
}

export const noAuditWords: AuditWords = { actions: {}, records: {} };

/** Merges the words of several parts. */
export const joinAuditWords = (parts: readonly AuditWords[]): AuditWords => ({
  actions: Object.assign({}, ...parts.map(({ actions }) => actions)),
  records: Object.assign({}, ...parts.map(({ records }) => records)),
  details: Object.assign({}, ...parts.map(({ details }) => details)),
});

/** The same words with an area for the records that have none of their own. */
export const inArea = (area: Text | undefined, words: AuditWords): AuditWords => ({
  ...words,
  records: Object.fromEntries(Object.entries(words.records).map(([entity, record]) => [entity, { area, ...record }])),
});
