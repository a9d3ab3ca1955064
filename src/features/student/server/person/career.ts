import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';
import { contains } from '#kit/server/list/pagination.ts';
import type { OptionsInput } from '#kit/server/master/options.ts';

/** The sectors of work, or their specialties as "Textiles, Dyeing"; always the row `chosenId`. */
export const readCareers = (db: Database, isSpecialty: boolean, { search, state, limit, chosenId }: OptionsInput) =>
  db
    .selectFrom('academic_career as career')
    .leftJoin('academic_career as sector', 'sector.id', 'career.sector_id')
    .where(sql<boolean>`(career.sector_id is not null) = ${isSpecialty}`)
    .where(
      sql<boolean>`((concat_ws(', ', sector.name, career.name) ilike ${contains(search)}
        and (${state} = '' or career.is_active = (${state} = 'active'))) or career.id = ${chosenId})`,
    )
    .select(['career.id', 'career.is_active as isActive'])
    .select(sql<string>`concat_ws(', ', sector.name, career.name)`.as('name'))
    .orderBy(sql`career.id is distinct from ${chosenId}`)
    .orderBy(sql`lower(concat_ws(', ', sector.name, career.name))`)
    .limit(limit)
    .execute();
