import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';

/** Days before the last day of a year from which the next one is missed. */
const warnsBefore = 60;

/** The current year ends soon or has ended, and no year follows. */
export const findNoNextYear: FindWarnings = async ({ db, now }) => {
  const today = toLocalDate(now());
  const { rows } = await sql<{ name: string; last: string }>`
    select name, ends_on::text as last from academic_year year
    where id = academic_year_on(${today}::date) and ends_on - ${warnsBefore}::integer <= ${today}::date
      and not exists (select from academic_year later where later.is_active and later.starts_on > year.ends_on)`.execute(
    db,
  );
  return rows.map(({ name, last }) => ({
    name: 'no-next-year',
    text: text`No year follows ${{ name }}. Registers can’t be taken after ${{ day: showDate(last) }}.`,
    to: '/school-erp/academic/academic-master?tab=year',
  }));
};
