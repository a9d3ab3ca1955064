import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** A member of staff as a file names one. */
interface NamedStaff {
  name: string;
  /** A real day, or ''. */
  birthDate: string;
}

/**
 * For each person, in their order, the members of staff of this name and birth date, those who left too. It decides nothing: a
 * likely double is a question. Mobile numbers, addresses and employee numbers belong to one person anyhow.
 */
export async function alikeStaff({ db }: Pick<Context, 'db'>, people: readonly NamedStaff[]): Promise<number[][]> {
  const { rows } = await sql<{ place: number; id: number }>`
    with asked as materialized (
      select ordinality::integer as place, name_words(name) as words, nullif("birthDate", '')::date as birth_date
      from rows from (jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as (name text, "birthDate" text)) with ordinality
    )
    select place, staff.id from asked join staff on staff.birth_date = asked.birth_date
      and names_fit(staff.words, '{}', asked.words, '{}') = 2
    order by place, staff.id`.execute(db);
  const found = people.map((): number[] => []);
  for (const { place, id } of rows) found[place - 1]?.push(id);
  return found;
}
