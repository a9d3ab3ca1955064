import { isActiveLabel, type Master, type MasterField, type MasterRow } from '#kit/contract/master.ts';

/** What stands for nothing in the history. */
const nothing = '–';

/** A value of a row as people read it: what a field points to by its name. */
export function shown(name: string, one: MasterField | undefined, row: MasterRow): string {
  const value = row[name];
  if (one?.kind === 'ref') return row.names[name] || nothing;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (one?.kind === 'someOf') return String(value).replaceAll(',', ', ');
  return value === '' || value === null ? nothing : String(value);
}

/** The fields with their labels, and whether a row is switched on. */
export const labelled = ({ fields }: Pick<Master, 'fields'>): [name: string, label: string, one?: MasterField][] => [
  ...Object.entries(fields).map(([name, field]): [string, string, MasterField] => [name, field.label, field]),
  ['isActive', isActiveLabel],
];

/** All of a row, for the audit, by the fields' labels; what is empty is left out. */
export const namedDetails = (master: Master, row: MasterRow): Record<string, string> =>
  Object.fromEntries(
    labelled(master)
      .map(([name, label, one]) => [label, shown(name, one, row)])
      .filter(([, words]) => words !== nothing),
  );

/** What became of a row, for the audit: "before → after" by the labels of the fields that changed. */
export const changedDetails = (master: Master, before: MasterRow, after: MasterRow): Record<string, string> =>
  Object.fromEntries(
    labelled(master)
      .map(([name, label, one]) => [label, shown(name, one, before), shown(name, one, after)])
      .filter(([, was, is]) => was !== is)
      .map(([label, was, is]) => [label, `${was} → ${is}`]),
  );
