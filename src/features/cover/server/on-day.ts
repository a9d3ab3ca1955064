import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';

/** The sections whose register the user takes for another teacher on a day, which `user.scope` has for today. */
export async function coversOn({ db, user }: UserContext, day: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct section_id as id from cover
    where day = ${day}::date and staff_id = ${user.staffId} and ${user.role} = 'Staff' and state = 'Given'
      and subject_id is null`.execute(db);
  return rows.map(({ id }) => id);
}
