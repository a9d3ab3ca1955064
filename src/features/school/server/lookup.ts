import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';
import { contains } from '#kit/server/list/pagination.ts';
import type { OptionsInput } from '#kit/server/master/options.ts';
import type { lookupKinds } from '../contract/masters.ts';

/** The choices of a kind whose names match, and always the row `chosenId`. */
export const readLookups = (
  db: Database,
  kind: (typeof lookupKinds)[number],
  { search, state, limit, chosenId }: OptionsInput,
) =>
  db
    .selectFrom('academic_lookup')
    .where('kind', '=', kind)
    .where(
      sql<boolean>`((name ilike ${contains(search)} and (${state} = '' or is_active = (${state} = 'active')))
        or id = ${chosenId})`,
    )
    .select(['id', 'name', 'is_active as isActive'])
    .orderBy(sql`id is distinct from ${chosenId}`)
    .orderBy(sql`lower(name)`)
    .limit(limit)
    .execute();
