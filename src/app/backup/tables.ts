import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { isKeptTable } from '#kit/server/database/passing-tables.ts';

/** A table to copy: without generated columns, its rows in the order of `key`. */
export interface Table {
  name: string;
  columns: string[];
  key: string[];
}

// Tables of an extension are restored by the extension.
const kept = `relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`;

/** Every table of the schema public but those that pass: they are of no use to a restored school. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns,
      array(
        select attname::text from pg_index, unnest(indkey) with ordinality as part (number, place)
          join pg_attribute on attnum = number
        where indrelid = c.oid and indisprimary and attrelid = c.oid order by place
      ) as key
    from pg_class c where relkind = 'r' and ${isKeptTable} and ${kept} order by relname`);
  return rows;
}

/** The name of any object that already exists in the schema public. */
export async function findAnyTable(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class c where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and ${kept}
     order by relkind = 'r' desc, relname limit 1`,
  );
  return rows[0]?.name;
}

/** Makes values of this transaction read the same under all settings of server, database and login. */
export async function writeAlike(client: pg.Client) {
  await client.query(`
    set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8';
    set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
}

const quoted = (names: string[]) => names.map(pg.escapeIdentifier).join(', ');
const placeOf = ({ name }: Table) => `public.${pg.escapeIdentifier(name)}`;

/** The rows as COPY writes them, one a line, in an order that does not depend on the collation. */
export function dumpTable(client: pg.Client, table: Table): AsyncIterable<Buffer> {
  const order = (table.key.length > 0 ? table.key : table.columns).map(
    (column) => `${pg.escapeIdentifier(column)}::text collate "C"`,
  );
  const rows = `select ${quoted(table.columns)} from ${placeOf(table)} order by ${order.join(', ')}`;
  // A connection may end before anybody reads: a stream that only told of its error then would be waited for.
  const stream = client.query(copyTo(`copy (${rows}) to stdout`));
  return stream.on('error', (error) => stream.destroy(error));
}

/** Removes every row of a table. */
export const emptyTable = (client: pg.Client, table: Table) => client.query(`delete from ${placeOf(table)}`);

/** Copies such rows into the table. Identity columns get the values of the rows. */
export async function loadTable(client: pg.Client, table: Table, rows: AsyncIterable<Buffer>) {
  await pipeline(
    Readable.from(rows, { objectMode: false }),
    client.query(copyFrom(`copy ${placeOf(table)} (${quoted(table.columns)}) from stdin`)),
  );
}

/**
 * Empties the tables and removes foreign keys, triggers and later checks, which restored rows need not meet in this
 * order. Works without superuser. Returns a function that puts them back and so checks every foreign key.
 */
export async function openForLoading(client: pg.Client, tables: Table[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ place: string; name: string; definition: string }>(`
    select conrelid::regclass::text as place, conname::text as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace and conparentid = 0
      and (contype = 'f' or contype = 'c' and not convalidated)`);
  for (const { place, name } of rows) {
    await client.query(`alter table ${place} drop constraint ${pg.escapeIdentifier(name)}`);
  }
  for (const table of tables) await client.query(`alter table ${placeOf(table)} disable trigger user`);
  await client.query(`truncate ${tables.map(placeOf).join(', ')}`);
  return async () => {
    // PostgreSQL refuses to alter a table with pending deferred constraints.
    await client.query('set constraints all immediate');
    for (const table of tables) await client.query(`alter table ${placeOf(table)} enable trigger user`);
    for (const { place, name, definition } of rows) {
      await client.query(`alter table ${place} add constraint ${pg.escapeIdentifier(name)} ${definition}`);
    }
  };
}

/** The last value of a sequence; null before its first number. */
export interface Sequence {
  name: string;
  last: string | null;
}

/** A sequence belongs to no snapshot but never goes back: read after the tables, it is past all their numbers. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  );
  return rows;
}

export async function setSequences(client: pg.Client, sequences: Sequence[]) {
  for (const { name, last } of sequences) {
    if (last === null) continue;
    await client.query('select setval($1::regclass, $2::bigint)', [`public.${pg.escapeIdentifier(name)}`, last]);
  }
}
