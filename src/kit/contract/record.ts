import type { Grant } from './endpoint.ts';
import type { Fields } from './field.ts';
import type { Text } from './text.ts';

/** Fields that the same users read and change; one card of the record's page and one part of its form. */
interface FieldGroup {
  title: Text;
  fields: Fields;
  /** Who reads and changes them, where it differs from the record. */
  read?: readonly Grant[];
  change?: readonly Grant[];
  /** Their table, where it differs from the record's. */
  table?: string;
}

type Groups = Readonly<Record<string, FieldGroup>>;

interface RecordGiven<Some extends Groups> {
  table: string;
  read: readonly Grant[];
  change: readonly Grant[];
  groups: Some;
}

/** The fields of all groups by name. */
type FieldsOf<Some extends Groups> = {
  [Group in keyof Some]: (fields: Some[Group]['fields']) => void;
}[keyof Some] extends (fields: infer All extends Fields) => void
  ? All
  : never;

/**
 * Declares a record. Its columns, schemas, form, facts, files and audit labels follow from its fields. Throws where two
 * groups have a field of the same name.
 */
export function defineRecord<const Some extends Groups>(given: RecordGiven<Some>) {
  const all = Object.values(given.groups).flatMap(({ fields }) => Object.entries(fields));
  const twice = all.find(([name], index) => all.findIndex(([other]) => other === name) !== index);
  if (twice) throw new Error(`The record ${given.table} has the field ${twice[0]} twice.`);
  return { ...given, fields: Object.fromEntries(all) as FieldsOf<Some> };
}
