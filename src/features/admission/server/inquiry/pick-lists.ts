import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import { contains } from '#kit/server/list/pagination.ts';
import type { OptionsInput } from '#kit/server/master/options.ts';
import { inquiryReaders } from '../../contract/record.ts';
import { isYearOpen } from './open-grade.ts';

/** The years that are open for admission, the newest first, and the chosen one. */
export async function readOpenYears({ db, now }: UserContext, { search, state, limit, chosenId }: OptionsInput) {
  const rows = await db
    .selectFrom('academic_year')
    .where(
      sql<boolean>`((${isYearOpen(now())} and name ilike ${contains(search)}
        and (${state} = '' or is_active = (${state} = 'active'))) or id = ${chosenId})`,
    )
    .select(['id', 'name', 'is_active as isActive'])
    .orderBy(sql`id is distinct from ${chosenId}`)
    .orderBy('starts_on', 'desc')
    .limit(limit)
    .execute();
  return rows;
}

/** The active branches that the user reaches, and the chosen one. */
export async function readBranches({ db, user }: UserContext, { search, state, limit, chosenId }: OptionsInput) {
  const rows = await db
    .selectFrom('academic_branch')
    .where(
      sql<boolean>`((${inScope(user, inquiryReaders, { branch: sql`id` })} and name ilike ${contains(search)}
        and (${state} = '' or is_active = (${state} = 'active'))) or id = ${chosenId})`,
    )
    .select(['id', 'name', 'is_active as isActive'])
    .orderBy(sql`id is distinct from ${chosenId}`)
    .orderBy(sql`lower(name)`)
    .limit(limit)
    .execute();
  return rows;
}
