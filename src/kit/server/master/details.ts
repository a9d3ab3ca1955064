import { isActiveLabel, type Master, type MasterField, type MasterRow } from '#kit/contract/master.ts';
import { english, type Text } from '#kit/contract/text.ts';

/** What stands for nothing in the history. */
const nothing = '–';

/** A value of a row as people read it: what a field points to by its name. */
export function shown(name: string, field: MasterField | undefined, row: MasterRow): string {
  const value = row[name];
  if (field?.kind === 'ref') return row.names[name] || nothing;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (field?.kind === 'someOf') return String(value).replaceAll(',', ', ');
  return value === '' || value === null ? nothing : String(value);
}

/** The fields with their labels, and whether a row is active. */
export const labelled = ({ fields }: Pick<Master, 'fields'>): [name: string, label: Text, field?: MasterField][] => [
  ...Object.entries(fields).map(([name, field]): [string, Text, MasterField] => [name, field.label, field]),
  ['isActive', isActiveLabel],
];

/** All of a row, for the audit, by the fields' labels; what is empty is left out. */
export const namedDetails = (master: Master, row: MasterRow): Record<string, string> =>
  Object.fromEntries(
    labelled(master)
      .map(([name, label, field]) => [english(label), shown(name, field, row)])
      .filter(([, words]) => words !== nothing),
  );

/** What changed in a row, for the audit: "before → after" by the labels of the fields that changed. */
export const changedDetails = (master: Master, before: MasterRow, after: MasterRow): Record<string, string> =>
  Object.fromEntries(
    labelled(master)
      .map(([name, label, field]) => [english(label), shown(name, field, before), shown(name, field, after)])
      .filter(([, was, is]) => was !== is)
      .map(([label, was, is]) => [label, `${was} → ${is}`]),
  );
