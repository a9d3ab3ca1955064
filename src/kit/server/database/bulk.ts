import { type Insertable, sql, type Updateable } from 'kysely';
import type { DB } from '#database/types.ts';
import type { Database } from './database.ts';

/** Few enough for a statement's deadline, also on a slow machine. */
const mostRows = 1000;

/**
 * Inserts rows with the columns of the first one, a thousand per statement. Beyond a thousand rows it updates the
 * table's statistics, so that later statements are planned for the new size.
 */
export async function insertRows<Table extends keyof DB & string>(
  db: Database,
  table: Table,
  rows: readonly Insertable<DB[Table]>[],
): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  for (let done = 0; done < rows.length; done += mostRows) {
    const part = JSON.stringify(rows.slice(done, done + mostRows));
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${part}::json)`.execute(db);
  }
  if (rows.length > mostRows) await sql`select take_statistics(${table}::regclass)`.execute(db);
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
