import type { KyselyPlugin } from 'kysely';
import type { School } from './school.ts';

/** Does something while the n-th statement to the database fails, as if the line had broken just then (H3, J4). */
export async function failingAt<Result>(school: School, n: number, act: () => Promise<Result>): Promise<Result> {
  const { db } = school.services;
  let statements = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (++statements === n) throw new Error('planned');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  school.services.db = db.withPlugin(plugin);
  try {
    return await act();
  } finally {
    school.services.db = db;
  }
}

/** Everything the database holds but counted tries, as one text per table. */
export async function contentsOf(school: School): Promise<Record<string, string>> {
  const tables = await school.sql(`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'attempt' order by 1`);
  const one = ({ name }: Record<string, unknown>) =>
    `select '${name}' as name, coalesce(md5(string_agg(line::text, '|' order by line::text)), '') as content from ${name} line`;
  const rows = await school.sql(tables.map(one).join(' union all '));
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
