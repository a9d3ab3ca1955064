import type { Examples } from '#testing/examples.ts';

export const examples: Examples = {
  rows: (school) =>
    school.sql(`insert into cover (academic_year_id, day, section_id, from_half, to_half, absent_id, staff_id, given_by, given_at)
      select year.id, year.starts_on, section.id, 1, 2, pair.one, pair.other, pair.other, now()
      from (select min(id) as one, max(id) as other from staff) as pair
      cross join lateral (select * from academic_year where closed_at is null order by starts_on desc limit 1) as year
      join lateral (select id from academic_section where academic_year_id = year.id limit 1) as section on true
      where pair.one <> pair.other`),
};
