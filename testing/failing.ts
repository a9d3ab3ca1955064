import pg from 'pg';
import type { School } from './school.ts';

/** Does something while the n-th statement to the database fails, as if the line had broken just then (H3, J4). */
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
 * Does something while every transaction that changes a row fails at its very end, except one that only adds to the audit:
 * what was written beside the transaction rather than in it stays behind.
 */
export async function failingAtCommit<Result>(school: School, act: () => Promise<Result>): Promise<Result> {
  await school.sql(`
    create function fail_at_commit() returns trigger language plpgsql as $$ begin raise exception 'planned'; end $$;
    do $$ declare place record; begin
      for place in select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit', 'attempt') loop
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
 * For each table but that of counted tries how many rows it has and which transaction wrote the newest: two such answers are
 * equal when nothing was added, changed or removed between them.
 */
export async function contentsOf(school: School): Promise<Record<string, string>> {
  const tables = await school.sql(`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'attempt' order by 1`);
  const contentQuery = ({ name }: Record<string, unknown>) =>
    `select '${name}' as name, concat_ws(' ', count(*), max(xmin::text::bigint)) as content from ${name}`;
  const rows = await school.sql(tables.map(contentQuery).join(' union all '));
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
