import { type RawBuilder, sql } from 'kysely';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { mostOptions, type Named, type OptionsEndpoint } from '#kit/contract/field.ts';
import type { Database } from '#kit/server/database/database.ts';
import { containsText } from '#kit/server/search.ts';
import { displayNameOf, ownColumn, ownTable, sortKeyOf } from './sql.ts';

export interface OptionsInput {
  search: string;
  state: '' | 'active' | 'inactive';
  limit: number;
  chosenId: number | null;
}

/**
 * The first rows whose names match, and the chosen one, which a picker shows even if it does not match. Rows with the
 * same name are told apart by `difference`, an expression of the row `found`.
 */
export async function readOptions(
  db: Database,
  named: Named,
  { search, state, limit, chosenId }: OptionsInput,
  difference?: RawBuilder<string>,
): Promise<OutputOf<OptionsEndpoint>> {
  const id = ownColumn('id');
  const isActive = ownColumn('isActive');
  const { rows } = await sql<OutputOf<OptionsEndpoint>[number]>`
    with named as (
      select ${id}, ${displayNameOf(named)} as name, ${isActive} as "isActive",
        ${difference ? sql`count(*) over (partition by lower(${displayNameOf(named)}))` : sql`1`} as namesakes,
        row_number() over (order by ${sortKeyOf(named)}, ${id}) as place
      from ${ownTable(named)}
    ), found as (
      select * from named
      where (${containsText(sql`name`, search)} and (${state} = '' or "isActive" = (${state} = 'active'))) or id = ${chosenId}
      order by id is distinct from ${chosenId}, place limit ${Math.min(limit, mostOptions)}
    )
    select id, ${difference ? sql`case when namesakes > 1 then concat(name, ' (', ${difference}, ')') else name end as name` : sql`name`},
      "isActive" from found order by place`.execute(db);
  return rows;
}
