import { sql } from 'kysely';
import type { Copied, CopiedYears, RollOver, UserContext } from '#kit/server/context.ts';
import { termOutside } from '../contract/roll-over.ts';

/** Terms move by whole years, so they keep day and month. */
async function copyTerms({ db }: UserContext, { fromId, toId }: CopiedYears): Promise<Copied> {
  const moved = sql`
    select own.name, (own.starts_on + years.apart)::date as starts_on, (own.ends_on + years.apart)::date as ends_on
    from academic_term own,
      (select make_interval(years => extract(year from later.starts_on)::integer
          - extract(year from year.starts_on)::integer) as apart
        from academic_year year, academic_year later where year.id = ${fromId} and later.id = ${toId}) as years
    where own.academic_year_id = ${fromId} and own.is_active`;
  const { rows } = await sql<{ name: string; is_there: boolean; fits: boolean }>`
    with moved as (${moved}), checked as (
      select moved.*,
        exists (select 1 from academic_term one where one.academic_year_id = ${toId}
          and lower(one.name) = lower(moved.name)) as is_there,
        moved.starts_on >= year.starts_on and moved.ends_on <= year.ends_on
          and not exists (select 1 from academic_term one where one.academic_year_id = ${toId}
            and daterange(one.starts_on, one.ends_on, '[]') && daterange(moved.starts_on, moved.ends_on, '[]')) as fits
      from moved join academic_year year on year.id = ${toId}),
    made as (insert into academic_term (academic_year_id, name, starts_on, ends_on)
      select ${toId}, name, starts_on, ends_on from checked where fits and not is_there returning id)
    select name, is_there, fits from checked order by starts_on`.execute(db);
  return {
    added: rows.filter((row) => row.fits && !row.is_there).length,
    alreadyThere: rows.filter((row) => row.is_there).length,
    left: rows.filter((row) => !row.fits && !row.is_there).map(({ name }) => ({ what: name, why: termOutside })),
  };
}

async function copyWeeklyOff({ db }: UserContext, { fromId, toId }: CopiedYears): Promise<Copied> {
  const { rows } = await sql<Copied>`
    with made as (insert into academic_calendar
        (academic_year_id, monday, tuesday, wednesday, thursday, friday, saturday, sunday)
      select ${toId}, monday, tuesday, wednesday, thursday, friday, saturday, sunday
      from academic_calendar where academic_year_id = ${fromId}
      on conflict do nothing returning academic_year_id)
    select (select count(*) from made) as added,
      (select count(*) from academic_calendar where academic_year_id = ${toId}) as "alreadyThere"`.execute(db);
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

export const copiedParts: RollOver[] = [
  {
    part: 'Terms',
    copy: copyTerms,
    discard: (yearId) => [sql`delete from academic_term where academic_year_id = ${yearId}`],
  },
  {
    part: 'Weekly offs',
    copy: copyWeeklyOff,
    discard: (yearId) => [
      sql`delete from academic_calendar_day where academic_year_id = ${yearId}`,
      sql`delete from academic_calendar where academic_year_id = ${yearId}`,
    ],
  },
];
