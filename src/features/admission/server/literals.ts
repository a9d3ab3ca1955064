import { sql } from 'kysely';

/**
 * Constants of the code, written into the statement: its plan then knows how many rows have them and may use a partial
 * index, which it cannot with parameters once it is kept. Never for what a user typed.
 */
export const literals = <Value extends string>(values: readonly Value[]) =>
  sql.join(values.map((value) => sql.lit(value)));
