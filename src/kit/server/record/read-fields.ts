import { type RawBuilder, sql } from 'kysely';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { Fields, Stored } from '#kit/contract/field.ts';
import type { Context } from '#kit/server/context.ts';
import { columnsIn, toWire } from '#kit/server/database/row-map.ts';
import { namesOf } from '#kit/server/master/sql.ts';

/** What is stored in some fields of a row, and the names of the rows that they refer to. */
interface ReadFields<Some extends Fields> {
  version: number;
  saved: Stored<Some>;
  names: Record<string, string>;
}

/** Reads fields of a row; with `locks` it is locked until the transaction ends. Throws `not_found`. */
export async function readFields<const Some extends Fields>(
  { db }: Pick<Context, 'db'>,
  table: string,
  fields: Some,
  id: number,
  { locks = false } = {},
): Promise<ReadFields<Some>> {
  const columns: RawBuilder<unknown>[] = columnsIn('own', fields).map((column) => sql.ref(column));
  const { rows } = await sql<{ version: number; names: Record<string, string> }>`
    select ${sql.join(columns)}, own.version, ${namesOf({ fields })} as names
    from ${sql.table(table)} as own where own.id = ${id} ${locks ? sql`for update of own` : sql``}`.execute(db);
  const [row] = rows;
  if (!row) throw new AppError('not_found', notFoundMessage);
  return { version: row.version, saved: toWire(fields, row as never) as Stored<Some>, names: row.names };
}
