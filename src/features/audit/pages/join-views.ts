import type { AuditEntry } from '../contract/audit.ts';

/** Further views of a record within so many minutes of the latest one are shown with it. */
const joinedMinutes = 10;

export interface ShownEntry {
  entry: AuditEntry;
  /** Earlier views of the same record by the same person, the latest first. */
  earlier: AuditEntry[];
}

const isSameView = (one: AuditEntry, other: AuditEntry) =>
  one.isView &&
  other.isView &&
  one.result === other.result &&
  one.actor === other.actor &&
  one.staffId === other.staffId &&
  one.entity === other.entity &&
  one.entityId === other.entityId &&
  Date.parse(one.at) - Date.parse(other.at) <= joinedMinutes * 60_000;

/** Joins views that follow each other; the entries are sorted by time, the latest first. */
export function joinViews(rows: readonly AuditEntry[]): ShownEntry[] {
  const shown: ShownEntry[] = [];
  for (const entry of rows) {
    const last = shown.at(-1);
    if (last && isSameView(last.entry, entry)) last.earlier.push(entry);
    else shown.push({ entry, earlier: [] });
  }
  return shown;
}
