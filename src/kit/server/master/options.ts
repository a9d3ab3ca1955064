import { type RawBuilder, sql } from 'kysely';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { mostOptions, type Named, type OptionsEndpoint, type PeopleEndpoint } from '#kit/contract/field.ts';
import type { Database } from '#kit/server/database/database.ts';
import { containsText } from '#kit/server/search.ts';
import { differenceOf, displayNameOf, ownColumn, ownTable, sortKeyOf } from './sql.ts';

export interface OptionsInput {
  search: string;
  state: '' | 'active' | 'inactive';
  limit: number;
  chosenId: number | null;
}

/**
 * The first rows whose names match, and the chosen one, which a picker shows even if it does not match. Rows of one name
 * have the rest of their key as their detail, such as the branch of a section.
 */
export const readOptions = (db: Database, named: Named & { key?: readonly string[] }, asked: OptionsInput) => {
  const difference = differenceOf(named);
  return read(db, named, asked, difference && sql<string | null>`case when namesakes > 1 then ${difference} end`);
};

/** The same of people: each has its detail, an expression of the row `own`. */
export const readPeople = (db: Database, named: Named, asked: OptionsInput, detail: RawBuilder<string>) =>
  read(db, named, asked, detail) as Promise<OutputOf<PeopleEndpoint>>;

async function read(
  db: Database,
  named: Named,
  { search, state, limit, chosenId }: OptionsInput,
  detail?: RawBuilder<string | null>,
) {
  const id = ownColumn('id');
  const isActive = ownColumn('isActive');
  const { rows } = await sql<OutputOf<OptionsEndpoint>[number] & { detail: string | null }>`
    with named as (
      select ${id}, ${displayNameOf(named)} as name, ${isActive} as "isActive",
        ${detail ? sql`count(*) over (partition by lower(${displayNameOf(named)}))` : sql`1`} as namesakes,
        row_number() over (order by ${sortKeyOf(named)}, ${id}) as place
      from ${ownTable(named)}
    ), found as (
      select * from named
      where (${containsText(sql`name`, search)} and (${state} = '' or "isActive" = (${state} = 'active'))) or id = ${chosenId}
      order by id is distinct from ${chosenId}, place limit ${Math.min(limit, mostOptions)}
    )
    select found.id, found.name, found."isActive", ${detail ?? sql`null`} as detail
    from found join ${ownTable(named)} on ${id} = found.id order by found.place`.execute(db);
  return rows.map(({ detail, ...row }) => (detail === null ? row : { ...row, detail }));
}
