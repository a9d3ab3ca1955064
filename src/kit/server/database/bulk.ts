import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { DB } from '#database/types.ts';
import type { Database } from './database.ts';
import { type CamelRow, fromCamelRow } from './row-map.ts';

/** Few enough for a statement's deadline, also on a slow machine. */
const mostRows = 1000;

/** A new row of a table: columns by their names, or all of them by these in camel case. */
type NewRow<Table extends keyof DB> = Insertable<DB[Table]> | CamelRow<Insertable<DB[Table]>>;

/**
 * Inserts rows, a thousand per statement. Beyond a thousand rows it updates the table's statistics, so that later
 * statements are planned for the new size.
 */
export async function insertRows<Table extends keyof DB & string>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> {
  for (let done = 0; done < rows.length; done += mostRows)
    await insertTogether(db, table, rows.slice(done, done + mostRows));
  if (rows.length > mostRows) await sql`select take_statistics(${table}::regclass)`.execute(db);
}

/**
 * As `insertRows`, in one statement however many rows there are, for tables whose triggers must see a finished act.
 * Returns these columns of the new rows.
 */
export async function insertTogether<
  Table extends keyof DB & string,
  Column extends keyof Selectable<DB[Table]> & string = never,
>(
  db: Database,
  table: Table,
  rows: readonly NewRow<Table>[],
  returning: readonly Column[] = [],
): Promise<Pick<Selectable<DB[Table]>, Column>[]> {
  if (rows.length === 0) return [];
  const given = rows.map((row) => fromCamelRow<object>(row as object));
  const namesOf = (names: Iterable<string>) => sql.join([...names].map((name) => sql.ref(name)));
  const columns = namesOf(new Set(given.flatMap(Object.keys)));
  const { rows: made } = await sql<Pick<Selectable<DB[Table]>, Column>>`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(given)}::json)
    ${returning.length > 0 ? sql`returning ${namesOf(returning)}` : sql``}`.execute(db);
  return made;
}

/** Changes the rows with these ids to the other columns of the first one, and counts their versions up. */
export async function updateRows<Table extends keyof DB & string>(
  db: Database,
  table: Table,
  rows: readonly (Updateable<DB[Table]> & { id: number })[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id');
  const sets = sql.join(names.map((name) => sql`${sql.ref(name)} = new.${sql.ref(name)}`));
  for (let done = 0; done < rows.length; done += mostRows) {
    const part = JSON.stringify(rows.slice(done, done + mostRows));
    await sql`update ${sql.table(table)} as own set ${sets}, version = own.version + 1
      from json_populate_recordset(null::${sql.table(table)}, ${part}::json) as new where new.id = own.id`.execute(db);
  }
}
