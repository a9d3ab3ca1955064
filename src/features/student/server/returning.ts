import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { aadhaarKey } from '#kit/server/security/aadhaar.ts';

interface Named {
  firstName: string;
  lastName: string;
  birthDate: string;
  /** In clear; '' if it is not known. */
  aadhaar?: string;
}

/**
 * The student who left with this Aadhaar number, or else of this name and birth date, the latest first; the caller checks who
 * may know. Two different Aadhaar numbers are two children, whatever their names.
 */
export const findReturning = (
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  { firstName, lastName, birthDate, aadhaar = '' }: Named,
) => {
  const key = aadhaarKey(keys, aadhaar);
  return db
    .selectFrom('student')
    .where('left_on', '<', toLocalDate(now()))
    .where(
      sql<boolean>`(aadhaar_hash = ${key} or (birth_date = ${birthDate}
        and (aadhaar_hash is null or ${key}::bytea is null)
        and same_text(first_name) = same_text(${firstName}) and same_text(last_name) = same_text(${lastName})))`,
    )
    .select(['id', 'name', 'gr_no', 'left_on', 'branch_id', 'version'])
    .select(sql<boolean>`coalesce(aadhaar_hash = ${key}, false)`.as('is_same_number'))
    .orderBy('is_same_number', 'desc')
    .orderBy('left_on', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
};

/** Whether a student who has not left has this Aadhaar number. */
export async function isAadhaarTaken({ db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>, aadhaar: string) {
  const key = aadhaarKey(keys, aadhaar);
  if (!key) return false;
  const found = await db
    .selectFrom('student')
    .where('aadhaar_hash', '=', key)
    .where((student) => student.or([student('left_on', 'is', null), student('left_on', '>=', toLocalDate(now()))]))
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}
