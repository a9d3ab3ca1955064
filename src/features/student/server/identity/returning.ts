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

interface Leaver {
  id: number;
  name: string;
  gr_no: string;
  left_on: string;
  version: number;
  /** Found by the Aadhaar number. */
  is_same_number: boolean;
}

interface Known {
  leaver: Leaver | null;
  /** A student who has not left has the Aadhaar number. */
  isTaken: boolean;
}

/**
 * What the school knows of children, in their order: the student who left with this Aadhaar number, or else of this name and
 * birth date, the latest first. Two different Aadhaar numbers are two children. The caller checks who may know.
 */
export async function findKnownChildren(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  children: readonly Named[],
): Promise<Known[]> {
  const asked = children.map(({ firstName, lastName, birthDate, aadhaar = '' }) => ({
    firstName,
    lastName,
    birthDate,
    key: aadhaarKey(keys, aadhaar)?.toString('hex') ?? null,
  }));
  const today = toLocalDate(now());
  const { rows } = await sql<Known>`
    with asked as (
      select ordinality, "firstName", "lastName", "birthDate", decode(key, 'hex') as key
      from rows from (jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as ("firstName" text, "lastName" text, "birthDate" date, key text)) with ordinality)
    select to_jsonb(leaver) as leaver,
      exists (select from student where aadhaar_hash = asked.key and coalesce(left_on, 'infinity') >= ${today}) as "isTaken"
    from asked left join lateral (
      select id, name, gr_no, left_on, version, coalesce(aadhaar_hash = asked.key, false) as is_same_number
      from student
      where left_on < ${today} and (aadhaar_hash = asked.key or (birth_date = asked."birthDate"
        and (aadhaar_hash is null or asked.key is null)
        and same_text(first_name) = same_text(asked."firstName") and same_text(last_name) = same_text(asked."lastName")))
      order by is_same_number desc, left_on desc, id limit 1) as leaver on true
    order by ordinality`.execute(db);
  return rows;
}
