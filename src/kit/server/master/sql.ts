import { type RawBuilder, sql } from 'kysely';
import { type Field, type Named, type RefField, refsOf } from '#kit/contract/field.ts';
import { type Master, targetOf, type Values } from '#kit/contract/master.ts';
import type { Database } from '#kit/server/database/database.ts';
import { columnIn, columnOf, sent } from '#kit/server/database/row-map.ts';

/** The alias of a master's own rows in these statements. */
export const own = 'own';

export const tableOf = ({ table }: Pick<Named, 'table'>) => sql.table(table);
const at = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
/** A column, by its field's name. */
export const column = (name: string) => sql.ref(columnOf(name));
/** The same for a master's own rows. */
export const ownColumn = (name: string) => at(own, columnOf(name));
/** The column types of fields that are written in bulk. */
export type ColumnTypes = Readonly<Record<string, 'integer' | 'smallint' | 'text' | 'date'>>;

/** These fields of the rows `own` as one JSON object. A null date is ''. */
export function objectOf<Row>(types: ColumnTypes): RawBuilder<Row> {
  const parts = Object.entries(types).flatMap(([name, type]) => {
    const value = ownColumn(name);
    return [sql.lit(name), type === 'date' ? sql`coalesce(${value}::text, '')` : value];
  });
  return sql`jsonb_build_object(${sql.join(parts)})`;
}

/** A recordset `input` of rows with these fields, and the id where there is one. '' becomes null. */
export function recordsetOf(types: ColumnTypes, rows: readonly object[]) {
  const written = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value === '' ? null : value])),
  );
  const columns = Object.entries(types).map(([name, type]) => sql`${column(name)} ${sql.raw(type)}`);
  return sql`jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as input (${sql.join([sql`id integer`, ...columns])})`;
}

/** A column of `recordsetOf`, by its field's name. */
export const inputColumn = (name: string) => at('input', columnOf(name));

/** A table's name in these statements. */
export const ownTable = (named: Pick<Named, 'table'>) => sql`${tableOf(named)} as ${sql.ref(own)}`;

/** Whether a row of the table `own` belongs to the list that is meant. */
export const isOfKind = ({ kind }: Pick<Named, 'kind'>) =>
  kind === undefined ? sql<boolean>`true` : sql<boolean>`${ownColumn('kind')} = ${kind}`;

/** A row's name, composed of its fields: references by their names. */
export function displayNameOf(named: Named, alias = own): RawBuilder<string> {
  const parts = named.labelFields.map((name) => {
    const field = named.fields[name] as Field;
    return field.kind === 'ref' ? nameOf(named, name, field, alias) : sql<string>`${at(alias, columnOf(name))}`;
  });
  const [first, ...others] = parts as [RawBuilder<string>, ...RawBuilder<string>[]];
  return others.length === 0 ? first : sql<string>`concat_ws(', ', ${sql.join(parts)})`;
}

/**
 * What tells rows of one name apart: the fields of the key that are not in the name, and the code of a person in it; an
 * expression of `own`. Undefined where the name is the key.
 */
export function differenceOf(named: Named & { key?: readonly string[] }): RawBuilder<string> | undefined {
  const { labelFields, key = labelFields, fields } = named;
  const rest = key.filter((name) => !labelFields.includes(name));
  const parts = [
    ...rest.map((name) => displayNameOf({ ...named, labelFields: [name] })),
    ...labelFields.flatMap((name) => {
      const field = fields[name] as Field;
      if (field.kind !== 'ref' || field.to === 'self' || !field.to.codeField) return [];
      return [
        sql<string>`(select ${column(field.to.codeField)} from ${tableOf(field.to)} named_person
        where named_person.id = ${ownColumn(name)})`,
      ];
    }),
  ];
  return parts.length === 0 ? undefined : sql<string>`concat_ws(' · ', ${sql.join(parts)})`;
}

/** The sort key of a text: cut, so that a page's place stays short. */
const beginningOf = (text: RawBuilder<unknown>) => sql`left(lower(${text}), 100)`;

/**
 * The default order of rows: the users' order, or by name; a row named after another one sorts by that first. Never
 * null.
 */
export function sortKeyOf(named: Named, alias = own): RawBuilder<string> {
  if (named.isOrdered) return sql<string>`lpad(${at(alias, 'position')}::text, 10, '0')`;
  const parts = named.labelFields.map((name) => {
    const field = named.fields[name] as Field;
    return field.kind === 'ref'
      ? ofTarget(named as Named, name, field, alias, sortKeyOf)
      : sql`${beginningOf(at(alias, columnOf(name)))}`;
  });
  return sql<string>`concat_ws(chr(1), ${sql.join(parts)})`;
}

/** The name of the row that a field points to; null where it points nowhere. */
export const nameOf = (named: Pick<Named, 'fields'>, name: string, field: RefField, alias = own): RawBuilder<string> =>
  ofTarget(named as Named, name, field, alias, displayNameOf);

/** A value of the row that a field points to; null without one. */
function ofTarget(
  named: Named,
  name: string,
  field: RefField,
  alias: string,
  what: (target: Named, alias: string) => RawBuilder<string>,
): RawBuilder<string> {
  const found = targetOf(named, field);
  // For a parent in the same table only its own name, or the recursion would not end.
  const isPlain = (part: string) => found.fields[part]?.kind !== 'ref';
  const target = field.to === 'self' ? { ...found, labelFields: found.labelFields.filter(isPlain) } : found;
  const inner = `${alias}_${columnOf(name)}`;
  return sql<string>`(select ${what(target, inner)} from ${tableOf(target)} as ${sql.ref(inner)}
    where ${at(inner, 'id')} = ${at(alias, columnIn(name, field))})`;
}

/** The sort key of a list for one of its fields, never null, and its type. */
export function orderOf(
  named: Pick<Named, 'fields'>,
  name: string,
  alias = own,
): { by: RawBuilder<unknown>; as: 'text' | 'number' | 'date' } {
  const field = named.fields[name] as Field;
  const column = at(alias, columnIn(name, field));
  switch (field.kind) {
    case 'number':
    case 'money':
    case 'percent':
      return { by: sql`coalesce(${column}, -2147483648)`, as: 'number' };
    case 'date':
    case 'birthDate':
      // The earliest date of the database type stands for none.
      return { by: sql`coalesce(${column}, date '1000-01-01')`, as: 'date' };
    case 'yesNo':
      return { by: sql`${column}::integer`, as: 'number' };
    case 'someOf':
      return { by: sql`array_to_string(${column}, ',')`, as: 'text' };
    case 'ref':
      return { by: sql`coalesce(${ofTarget(named as Named, name, field, alias, sortKeyOf)}, '')`, as: 'text' };
    default:
      return { by: beginningOf(column), as: 'text' };
  }
}

/** The names of the rows that some fields point to, as an object by field name. */
export function namesOf(named: Pick<Named, 'fields'>, alias = own): RawBuilder<Record<string, string>> {
  const names = refsOf(named).map(
    ([name, field]) => sql`${sql.lit(name)}, coalesce(${nameOf(named, name, field, alias)}, '')`,
  );
  return sql`json_build_object(${sql.join(names)})`;
}

/** A database row with the wire's values. */
export const toValues = ({ fields }: Pick<Master, 'fields'>, row: Values): Values => ({
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, sent(field, row[name])])),
  isActive: row.isActive,
});

/**
 * Announces changes of a table's rows before the first row is locked. An import locks the table and waits for row
 * locks; a request that locked a row first would wait for the import in turn.
 */
export const lockTableForWrite = (db: Database, table: string) =>
  sql`lock table ${sql.table(table)} in row exclusive mode`.execute(db);

interface Reference {
  table: string;
  column: string;
}

const found = new Map<string, Reference[]>();

/** The columns that reference a table by foreign key, except those deleted with its rows; queried once. */
export async function referencesTo(db: Database, table: string): Promise<Reference[]> {
  const known = found.get(table);
  if (known) return known;
  const { rows } = await sql<Reference>`
    select conrelid::regclass::text as table, source.attname::text as column
    from pg_constraint
    join pg_attribute source on source.attrelid = conrelid and source.attnum = any (conkey)
    join pg_attribute target on target.attrelid = confrelid and target.attname = 'id'
      and target.attnum = confkey[array_position(conkey, source.attnum)]
    where contype = 'f' and confdeltype <> 'c' and confrelid = ${table}::regclass
    order by 1, 2`.execute(db);
  found.set(table, rows);
  return rows;
}

const mostUses = 1001;

/** The number of a row's uses; each referencing column is counted up to 1,001. */
export function usesOf(references: readonly Reference[]): RawBuilder<number> {
  const counts = references.map(
    ({ table, column }) => sql<number>`(select count(*) from (select 1 from ${sql.table(table)} as used
      where ${at('used', column)} = ${at(own, 'id')} limit ${sql.lit(mostUses)}) as uses)`,
  );
  return counts.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(counts, sql` + `)})`;
}
