import type { Grant } from './endpoint.ts';
import type { Field, Fields } from './field.ts';
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

/** The field that a column or a filter shows, and where it is. */
export interface FieldPlace {
  name: string;
  field: Field;
  table: string;
  /** Who reads it, where not everyone who reads the record. */
  read?: readonly Grant[];
}

/** A record as columns and filters take it. */
export type AnyRecord = RecordGiven<Groups> & { fields: Fields };
type NameIn<Given extends AnyRecord> = keyof Given['fields'] & string;

/** A field of a record with its place, so that the server selects, sorts and exports it by its declaration. */
export function columnOf<const Given extends AnyRecord, Name extends NameIn<Given>, const More extends object = object>(
  record: Given,
  name: Name,
  more?: More,
) {
  return { ...record.fields[name], ...more, of: placeOf(record, name) } as Given['fields'][Name] &
    More & { of: FieldPlace };
}

/** Where a field of a record is. */
export function placeOf(record: AnyRecord, name: string): FieldPlace {
  const group = Object.values(record.groups).find(({ fields }) => Object.hasOwn(fields, name));
  return {
    name,
    field: record.fields[name] as Field,
    table: group?.table ?? record.table,
    ...(group?.read && { read: group.read }),
  };
}

/** Several fields of a record as columns. A reference is shown by its name: the column of `houseId` is `house`. */
export const columnsOf = <
  const Given extends AnyRecord,
  Name extends NameIn<Given>,
  const More extends object = object,
>(
  record: Given,
  names: readonly Name[],
  more?: More,
) =>
  Object.fromEntries(names.map((name) => [name.replace(/Id$/, ''), columnOf(record, name, more)])) as {
    [Each in Name as Each extends `${infer Shown}Id` ? Shown : Each]: Given['fields'][Each] & More & { of: FieldPlace };
  };
