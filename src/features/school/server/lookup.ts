import { sql } from 'kysely';
import { type Handler, type Route, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import type { Lookups } from '../contract/lookup.ts';

/** The choices of a field whose names match, and always the row `chosenId`. */
export const lookupsOf =
  ({ kind }: Pick<Lookups, 'kind'>): Handler<Lookups['options']> =>
  ({ db }, { search, state, limit, chosenId }) =>
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

/** Serves the choices of some fields. */
export const lookupRoutes = (...all: readonly Lookups[]): Route[] =>
  all.flatMap((lookups) => routes({ options: lookups.options }, { options: lookupsOf(lookups) }));
