import { isActiveLabel, type Master, type MasterField, type MasterRow } from '#kit/contract/master.ts';
import { english, type Text } from '#kit/contract/text.ts';

/** The history's placeholder for an empty value. */
const nothing = '–';

/** A row's value for display: a reference by its name. */
export function shown(name: string, field: MasterField | undefined, row: MasterRow): string {
  const value = row[name];
  if (field?.kind === 'ref') return row.names[name] || nothing;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (field?.kind === 'someOf') return String(value).replaceAll(',', ', ');
  return value === '' || value === null ? nothing : String(value);
}

/** The fields with their labels, and the row's status. */
export const labelled = ({ fields }: Pick<Master, 'fields'>): [name: string, label: Text, field?: MasterField][] => [
  ...Object.entries(fields).map(([name, field]): [string, Text, MasterField] => [name, field.label, field]),
  ['isActive', isActiveLabel],
];

/** All values of a row for the audit log, by field label; empty ones are omitted. */
export const namedDetails = (master: Master, row: MasterRow): Record<string, string> =>
  Object.fromEntries(
    labelled(master)
      .map(([name, label, field]) => [english(label), shown(name, field, row)])
      .filter(([, words]) => words !== nothing),
  );

/** The changes of a row for the audit log: "before → after" by field label. */
export const changedDetails = (master: Master, before: MasterRow, after: MasterRow): Record<string, string> =>
  Object.fromEntries(
    labelled(master)
      .map(([name, label, field]) => [english(label), shown(name, field, before), shown(name, field, after)])
      .filter(([, was, is]) => was !== is)
      .map(([label, was, is]) => [label, `${was} → ${is}`]),
  );
