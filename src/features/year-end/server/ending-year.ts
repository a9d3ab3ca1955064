import { type RawBuilder, sql } from 'kysely';
import type { EndingYear, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

export interface FoundYear extends Omit<EndingYear, 'branches' | 'next'> {
  phase: 'Planned' | 'Current' | 'Ended' | 'Closed';
  next: EndingYear['next'] | null;
}

/** A year with the one after it. */
export async function findYear(
  { db, now }: UserContext,
  condition: RawBuilder<unknown>,
): Promise<FoundYear | undefined> {
  const { rows } = await sql<FoundYear>`
    select year.id, year.name, year.starts_on::text as "startsOn", year.ends_on::text as "endsOn",
      academic_year_phase(year, ${toLocalDate(now())}::date) as phase,
      (select jsonb_build_object('id', id, 'name', name, 'startsOn', starts_on, 'endsOn', ends_on) from academic_year later
        where later.is_active and later.starts_on > year.ends_on order by later.starts_on limit 1) as next
    from academic_year year where year.is_active and ${condition} limit 1`.execute(db);
  return rows[0];
}

export const byId = (id: number) => sql`year.id = ${id}`;
/** The first year that has ended and is open, else the year of today. */
export const firstEnded = (today: string) => sql`year.id = coalesce(
  (select id from academic_year where is_active and status = 'Open' and ends_on < ${today}::date order by starts_on limit 1),
  academic_year_on(${today}::date))`;

export const countedFor = ({ user }: UserContext, { phase: _, next, ...year }: FoundYear): EndingYear => ({
  ...year,
  ...(next && { next }),
  branches: user.role === 'Admin' ? [] : user.scope.branches,
});
