import type { Field } from '#kit/contract/field.ts';
import { isActiveLabel, type Master, type MasterRow } from '#kit/contract/master.ts';
import { english, type Text } from '#kit/contract/text.ts';
import { nothing, shownInEnglish } from '#kit/server/record/changes.ts';

/** A row's value for display: a reference by its name. */
export const shown = (name: string, field: Field | undefined, row: MasterRow): string =>
  shownInEnglish(field, row[name], row.names[name]);

/** The fields with their labels, and the row's status. */
export const labelled = ({ fields }: Pick<Master, 'fields'>): [name: string, label: Text, field?: Field][] => [
  ...Object.entries(fields).map(([name, field]): [string, Text, Field] => [name, field.label, field]),
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
