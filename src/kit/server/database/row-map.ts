import type * as z from 'zod/mini';
import type { EnteredOf, Field, FieldKind, NumberKind, StoredOf } from '#kit/contract/field.ts';

/** The column of each name: a column's name, or a declared field, whose column is its name in snake case. */
type RowMap = Readonly<Record<string, string | Field>>;

type SnakeCase<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? SnakeCase<Rest, First extends Lowercase<First> ? `${Done}${First}` : `${Done}_${Lowercase<First>}`>
  : Done;

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** A row with its columns' names in camel case. */
export type CamelRow<Row> = { [Column in keyof Row as CamelCase<Column>]: Row[Column] };

type ColumnOf<Name, Entry> = Entry extends string
  ? Entry
  : Entry extends { column: infer Column extends string }
    ? Column
    : Name extends string
      ? SnakeCase<Name>
      : never;

type MayBeNull<Entry> = Entry extends { optional: true } | { isNullable: true } ? true : false;

/** The type of a field's column. */
type ColumnType<Entry extends Field> = Entry['kind'] extends NumberKind | 'yesNo'
  ? StoredOf<Entry>
  : Entry['kind'] extends 'someOf'
    ? string[]
    : Entry['kind'] extends 'date' | 'birthDate'
      ? string | (MayBeNull<Entry> extends true ? null : never)
      : string | (Entry extends { isNullable: true } ? null : never);

type RowOf<Map extends RowMap, Values> = {
  [Name in keyof Map & keyof Values as ColumnOf<Name, Map[Name]>]: Map[Name] extends Field
    ? ColumnType<Map[Name]>
    : Values[Name];
};

type WireOf<Map extends RowMap, Row> = {
  -readonly [Name in keyof Map]: Map[Name] extends Field
    ? StoredOf<Map[Name]>
    : ColumnOf<Name, Map[Name]> extends keyof Row
      ? Row[ColumnOf<Name, Map[Name]>]
      : never;
};

/** What a row needs for the fields of a map. */
type ReadRow<Map extends RowMap> = {
  [Name in keyof Map as Map[Name] extends Field ? ColumnOf<Name, Map[Name]> : never]: Map[Name] extends Field
    ? ColumnType<Map[Name]>
    : never;
};

/** What the values of a map's fields may be, entered or stored. */
type ValuesOf<Map extends RowMap> = {
  [Name in keyof Map as Map[Name] extends Field ? Name : never]?: Map[Name] extends Field
    ? EnteredOf<Map[Name]> | StoredOf<Map[Name]>
    : never;
};

/** The column of a name by the rule: "nextGradeId" as next_grade_id. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The column of a name in a map. */
export const columnIn = (name: string, entry: string | Field) =>
  typeof entry === 'string' ? entry : (entry.column ?? columnOf(name));

/** The columns of a map, for a select. */
export const columnsOf = <const Map extends RowMap>(map: Map) =>
  Object.entries(map).map(([name, entry]) => columnIn(name, entry)) as {
    [Name in keyof Map]: ColumnOf<Name, Map[Name]>;
  }[keyof Map][];

/** As `columnsOf`, of a table or its alias. */
export const columnsIn = <const Alias extends string, const Map extends RowMap>(alias: Alias, map: Map) =>
  columnsOf(map).map((column) => `${alias}.${column}`) as `${Alias}.${ReturnType<typeof columnsOf<Map>>[number]}`[];

/** Values as columns. Names that the values lack are left out. */
export function toRow<const Map extends RowMap, Values extends ValuesOf<Map>>(map: Map, values: Values) {
  const all = values as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(map)
      .filter(([name]) => all[name] !== undefined)
      .map(([name, entry]) => [
        columnIn(name, entry),
        typeof entry === 'string' ? all[name] : stored(entry, all[name]),
      ]),
  ) as RowOf<Map, Values>;
}

/** A row whose columns are named in camel case. */
export const fromCamelRow = <Row extends object>(values: CamelRow<Row>) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [columnOf(name), value]),
  ) as Row;

/** A row's columns as values of the wire. */
export function toWire<const Map extends RowMap, Row extends ReadRow<Map>>(map: Map, row: Row) {
  const values = row as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(map).map(([name, entry]) => {
      const value = values[columnIn(name, entry)];
      return [name, typeof entry === 'string' ? value : sent(entry, value)];
    }),
  ) as WireOf<Map, Row>;
}

/** A field's value in the type of its column. */
export function stored(field: Field, value: unknown): unknown {
  if (field.kind === 'someOf') return value === '' ? [] : String(value).split(',');
  const isEmptyDay = (field.kind === 'date' || field.kind === 'birthDate') && value === '';
  if (isEmptyDay || (field.isNullable && value === '')) return null;
  return field.kind === 'oneOf' && field.codes ? (field.codes[String(value)] ?? value) : value;
}

/** The kinds whose columns have the values of the wire. */
const plainKinds: readonly FieldKind[] = ['number', 'money', 'percent', 'ref', 'yesNo'];

/** A column's value in its wire form. */
export function sent(field: Field, value: unknown): unknown {
  if (field.kind === 'someOf') return field.options.filter((option) => (value as string[]).includes(option)).join(',');
  if (plainKinds.includes(field.kind)) return value;
  if (value === null) return '';
  const { codes = {} } = field as { codes?: Readonly<Record<string, string>> };
  return Object.keys(codes).find((word) => codes[word] === value) ?? value;
}

/** Whether a contract shows a value: as it is, or as text, where no text is '' and a moment its text. */
type Fits<Value, Shown> = Value extends Shown
  ? true
  : Shown extends string
    ? Value extends string | Date | null
      ? true
      : false
    : false;

/** The columns whose values a contract does not show under their names. */
type Unfit<Row, Shown> = {
  [Name in keyof Row & keyof Shown]: Fits<Row[Name], Shown[Name]> extends true ? never : Name;
}[keyof Row & keyof Shown];

/** What a row lacks of what a contract shows of it. */
type Lacking<Row, Shown> = Pick<Shown, Exclude<keyof Shown, Exclude<keyof Row, Unfit<Row, Shown>>>>;

/**
 * A row as a contract shows it, with what is computed for it: columns by their names in camel case, '' for no text, and
 * moments as text. Columns that the contract does not show are left out.
 */
export function toOutput<Shape extends z.core.$ZodShape, Row extends object>(
  { shape }: z.ZodMiniObject<Shape>,
  row: Row,
  computed: Lacking<CamelRow<Row>, z.output<z.ZodMiniObject<Shape>>> & Partial<z.output<z.ZodMiniObject<Shape>>>,
): z.output<z.ZodMiniObject<Shape>> {
  const values = row as Readonly<Record<string, unknown>>;
  const shown = Object.entries(shape).map(([name, schema]) => {
    const value = Object.hasOwn(values, name) ? values[name] : values[columnOf(name)];
    if (value instanceof Date) return [name, value.toISOString()];
    return [name, value === null && schema._zod.def.type !== 'nullable' ? '' : value];
  });
  return { ...Object.fromEntries(shown), ...computed };
}
