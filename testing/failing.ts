import { createHash } from 'node:crypto';
import pg from 'pg';
import { isKeptTable, passingTables } from '#kit/server/database/passing-tables.ts';
import type { School } from './school.ts';

/** Runs an act while the n-th statement fails, as if the connection had broken (H3, J4). */
export async function failingAt<Result>(n: number, act: () => Promise<Result>): Promise<Result> {
  const prototype = pg.Client.prototype as unknown as { query: (...values: unknown[]) => unknown };
  const { query } = prototype;
  let statements = 0;
  prototype.query = function failing(...values) {
    const [first] = values as [string | { text: string }];
    const isFrame = /^(begin|commit|rollback)$/.test(typeof first === 'string' ? first : first.text);
    return !isFrame && ++statements === n ? Promise.reject(new Error('planned')) : query.apply(this, values);
  };
  try {
    return await act();
  } finally {
    prototype.query = query;
  }
}

/**
 * Runs an act while every transaction that changes a row fails at its commit, except those that only add audit rows:
 * writes outside the transaction remain visible.
 */
export async function failingAtCommit<Result>(school: School, act: () => Promise<Result>): Promise<Result> {
  await school.sql(`
    create function fail_at_commit() returns trigger language plpgsql as $$ begin raise exception 'planned'; end $$;
    do $$ declare place record; begin
      for place in select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit', ${passingTables.map((name) => `'${name}'`).join()}) loop
        execute format('create constraint trigger at_commit after insert or update or delete on %I
          deferrable initially deferred for each row execute function fail_at_commit()', place.name);
      end loop;
    end $$`);
  try {
    return await act();
  } finally {
    await school.sql('drop function fail_at_commit cascade');
  }
}

/**
 * The number of rows of each table (except those that pass), and the transaction of its newest row: two equal results
 * mean that nothing changed in between.
 */
export async function contentsOf(school: School): Promise<Record<string, string>> {
  const tables = await school.sql(`select relname::text as name from pg_class where relkind = 'r'
    and ${isKeptTable} and relnamespace = 'public'::regnamespace order by 1`);
  const contentQuery = ({ name }: Record<string, unknown>) =>
    `select '${name}' as name, concat_ws(' ', count(*), max(xmin::text::bigint)) as content from ${name}`;
  const text = tables.map(contentQuery).join(' union all ');
  // Planning it takes ten times as long as running it.
  const rows = await school.sql(text, `contents ${createHash('md5').update(text).digest('hex')}`);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
