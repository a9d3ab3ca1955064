import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { schoolDays } from './postgres.ts';

/** A database that can be put back as it was when it was remembered. */
export interface RememberedDatabase {
  /** Puts every row and sequence back; returns what it cannot put back, in words. */
  putBack: () => Promise<string[]>;
  end: () => Promise<void>;
}

/** Remembers all rows, sequences and definitions of a database. `endsWithin` is how long work may go on at its end. */
export async function rememberDatabase(url: string, endsWithin = 10_000): Promise<RememberedDatabase> {
  let client = await connect(url);
  const read = async <Row extends pg.QueryResultRow>(statement: string) => (await client.query<Row>(statement)).rows;
  const tables = await readTables(client);
  const [sequences] = await read<{ statement: string }>(setSequences);
  const [definitions] = await read<{ digest: string }>(digestOf(definitionLines));
  const lines = new Set((await read<{ line: string }>(definitionLines)).map(({ line }) => line));

  return {
    putBack: async () => {
      // A test may have ended all connections.
      client = await client.query('select').then(
        () => client,
        () => connect(url),
      );
      const working = await untilQuiet(client, endsWithin);
      if (working.length > 0) return working;
      const {
        rows: [now],
      } = await client.query<{ digest: string }>({
        name: 'definitions',
        text: digestOf(definitionLines),
      });
      if (now?.digest !== definitions?.digest) {
        const found = new Set((await read<{ line: string }>(definitionLines)).map(({ line }) => line));
        return [
          ...[...found].filter((line) => !lines.has(line)).map((line) => `added ${line}`),
          ...[...lines].filter((line) => !found.has(line)).map((line) => `removed ${line}`),
        ];
      }
      const { rows } = await client.query<{ changed: string[] }>({ name: 'changed', text: changedAmong(tables) });
      const changed = tables.filter(({ name }) => rows[0]?.changed.includes(name));
      await client.query('begin');
      // Without triggers: history may be deleted, and rows in any order.
      await client.query(
        `set local session_replication_role = replica; ${changed.map(({ name }) => `delete from ${name}`).join(';')}`,
      );
      for (const { name, columns, rows: first } of changed)
        if (first.length > 0)
          await client.query(
            `insert into ${name} (${columns}) overriding system value select ${columns} from unnest($1::${name}[])`,
            [first],
          );
      await client.query('commit');
      await client.query(sequences?.statement ?? '');
      return [];
    },
    end: () => client.end(),
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: schoolDays });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface Table {
  /** With its schema, as SQL writes it. */
  name: string;
  /** Those that are written. */
  columns: string;
  /** Its rows as text, at the beginning. */
  rows: string[];
  digest: string;
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Omit<Table, 'rows' | 'digest'>>(`
    select format('%I.%I', nspname, relname) as name, (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname <> 'information_schema' and nspname !~ '^pg_'`);
  const { rows } = await client.query<Pick<Table, 'name' | 'rows' | 'digest'>>(
    tables
      .map(({ name }) => `select '${name}' as name, array(${rowsOf(name)}) as rows, ${rowDigestOf(name)} as digest`)
      .join(' union all '),
  );
  return tables.flatMap((table) =>
    rows.filter(({ name }) => name === table.name).map((more) => ({ ...table, ...more })),
  );
}

const rowsOf = (table: string) =>
  `select (whole_row.*)::text from ${table} as whole_row order by (whole_row.*)::text collate "C"`;
const rowDigestOf = (table: string) => `md5(array(${rowsOf(table)})::text)`;

/** Lists the tables that have other rows than at the beginning. */
function changedAmong(tables: readonly Table[]): string {
  const parts = tables.map(({ name, rows, digest }) => {
    const isChanged = rows.length === 0 ? `exists (select from ${name})` : `${rowDigestOf(name)} <> '${digest}'`;
    return `case when ${isChanged} then '${name}' end`;
  });
  return `select array_remove(array[${parts.join(', ')}], null) as changed`;
}

/** The statement that sets every sequence as it is now. */
const setSequences = `
  select 'select ' || string_agg(format('setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
    coalesce(last_value, start_value), last_value is not null), ', ') as statement
  from pg_sequences`;

/** What a statement of a test's set-up may change besides rows. */
const definitionLines = `
  with own as (select oid, nspname from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_'),
  class as (select pg_class.*, nspname || '.' || relname as name from pg_class join own on own.oid = relnamespace)
  select 'schema ' || nspname as line from own
  union all select concat_ws(' ', case relkind when 'i' then 'index' when 'S' then 'sequence' else 'table' end, name, relacl)
    from class
  union all select concat_ws(' ', 'column', name || '.' || attname, atttypid, atttypmod, attnotnull, pg_get_expr(adbin, adrelid))
    from pg_attribute join class on class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and relkind not in ('i', 'S')
  union all select concat_ws(' ', 'constraint', conname, 'of', name, contype, convalidated)
    from pg_constraint join class on class.oid = conrelid
  union all select concat_ws(' ', 'trigger', coalesce(conname, tgname), 'of', name, tgenabled)
    from pg_trigger join class on class.oid = tgrelid left join pg_constraint on pg_constraint.oid = tgconstraint
  union all select concat_ws(' ', 'function', proname, md5(prosrc)) from pg_proc join own on own.oid = pronamespace
  union all select 'event trigger ' || evtname from pg_event_trigger
  union all select concat_ws(' ', 'setting of the database', setconfig) from pg_db_role_setting
    join pg_database on pg_database.oid = setdatabase where datname = current_database()`;

const digestOf = (lines: string) =>
  `select md5(string_agg(line, ' ' order by line collate "C")) as digest from (${lines}) as all_lines`;

/** Waits until only the school's own pool and this client are connected, and idle; returns what goes on after that. */
async function untilQuiet(client: pg.Client, endsWithin: number): Promise<string[]> {
  for (let waited = 0; ; waited += 20) {
    const { rows } = await client.query<{ query: string }>(`
      select query from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid() and (application_name <> 'shala' or state <> 'idle')`);
    if (rows.length === 0) return [];
    if (waited >= endsWithin) return rows.map(({ query }) => `an open connection, last with: ${query.slice(0, 200)}`);
    await pause(20);
  }
}
