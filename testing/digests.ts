import type { School } from './school.ts';

/** What an import that was undone may leave: its history with its run and notice, counts of attempts, and numbers that are not used again. */
const left =
  'attempt|audit|file_import|import_word|number_series|sign_in_session|repeated_request|student_gr_spent|limit|hit|run|notification';
/** Triggers keep how often a row and when a number changed. */
const kept = `to_jsonb(t) - 'version' - 'mobile_changed_at'`;

/** Every table of a school but those that an undone import may leave other: a digest of its rows. */
export async function digestsOf(school: Pick<School, 'sql'>) {
  const tables = await school.sql(`select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname !~ '^(${left})' order by 1`);
  const parts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::integer as rows,
      md5(coalesce(string_agg((${kept})::text, '' order by (${kept})::text), '')) as digest from "${name}" t`,
  );
  return school.sql(`select * from (${parts.join(' union all ')}) as found order by name`);
}
