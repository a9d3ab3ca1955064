import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

interface Named {
  firstName: string;
  lastName: string;
  birthDate: string;
}

/** The student of this name and birth date who left, the latest first; the caller checks who may know. */
export const findReturning = ({ db, now }: Pick<Context, 'db' | 'now'>, { firstName, lastName, birthDate }: Named) =>
  db
    .selectFrom('student')
    .where('birth_date', '=', birthDate)
    .where('left_on', '<', toLocalDate(now()))
    .where(
      sql<boolean>`same_text(first_name) = same_text(${firstName}) and same_text(last_name) = same_text(${lastName})`,
    )
    .select(['id', 'name', 'gr_no', 'left_on'])
    .orderBy('left_on', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
