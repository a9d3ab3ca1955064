import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { aadhaarKey } from '#kit/server/security/aadhaar.ts';
import { alikeStudents } from './alike.ts';

interface Named {
  firstName: string;
  lastName: string;
  birthDate: string;
  /** In clear; '' if it is not known. */
  aadhaar?: string;
  /** Of the child's adults. */
  mobiles?: readonly string[];
}

export interface KnownChild {
  id: number;
  name: string;
  gr_no: string;
  /** Null for a student who has not left. */
  left_on: string | null;
  version: number;
  /** Found by the Aadhaar number. */
  is_same_number: boolean;
}

interface Known {
  /** A student who left. */
  leaver: (KnownChild & { left_on: string }) | null;
  /** A student who has not left. */
  here: KnownChild | null;
  /** A student who has not left has the Aadhaar number. */
  isTaken: boolean;
}

/**
 * What the school knows of children, in their order: the student with this Aadhaar number who left, or else those about whom
 * `alikeStudents` asks, the latest first. Two different Aadhaar numbers are two children. The caller checks who may know.
 */
export async function findKnownChildren(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  children: readonly Named[],
): Promise<Known[]> {
  const alike = await alikeStudents(
    { db },
    children.map(({ firstName, lastName, birthDate, mobiles = [] }) => ({
      ...{ firstName, lastName, birthDate, mobiles: mobiles.filter(Boolean) },
      ...{ gender: '', grNo: '', branchId: null },
    })),
  );
  const asked = children.map(({ aadhaar = '' }, index) => ({
    key: aadhaarKey(keys, aadhaar)?.toString('hex') ?? null,
    alike: (alike[index] ?? []).filter(({ isAsked }) => isAsked).map(({ id }) => id),
  }));
  const today = toLocalDate(now());
  const { rows } = await sql<{ found: KnownChild[]; isTaken: boolean }>`
    with asked as (
      select ordinality, decode(key, 'hex') as key, alike
      from rows from (jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as (key text, alike integer[])) with ordinality)
    select coalesce((select jsonb_agg(to_jsonb(own) order by is_same_number desc, left_on desc nulls first, id) from (
        select id, name, gr_no, case when left_on < ${today} then left_on end as left_on, version,
          coalesce(aadhaar_hash = asked.key, false) as is_same_number
        from student where merged_into_id is null and (aadhaar_hash = asked.key and left_on < ${today}
          or id = any(asked.alike) and (aadhaar_hash is null or asked.key is null))) as own), '[]') as found,
      exists (select from student where aadhaar_hash = asked.key and coalesce(left_on, 'infinity') >= ${today}) as "isTaken"
    from asked order by ordinality`.execute(db);
  return rows.map(({ found, isTaken }) => ({
    leaver: found.find((one): one is KnownChild & { left_on: string } => one.left_on !== null) ?? null,
    here: found.find(({ left_on }) => left_on === null) ?? null,
    isTaken,
  }));
}
