import { toLocalDate } from '#kit/server/day.ts';
import type { Examples } from '#testing/examples.ts';
import { setDay } from '#testing/registers.ts';
import { teach } from '#testing/teachers.ts';

export const examples: Examples = {
  exports: {
    'GET /cover/sheet': async ({ school, principal, staffId, pupil }) => {
      const day = toLocalDate(school.clock.now ?? new Date());
      await teach(school, { staffId }, { sectionId: await pupil() });
      await setDay(school, day, 'Working day');
      await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
        values (${staffId}, '${day}', 'Absent', 'Office', ${staffId}, now())`);
      return { url: '/cover/sheet', by: principal };
    },
  },
  rows: (school) =>
    school.sql(`insert into cover (academic_year_id, day, section_id, from_half, to_half, absent_id, staff_id, given_by, given_at)
      select year.id, year.starts_on, section.id, 1, 2, pair.one, pair.other, pair.other, now()
      from (select min(id) as one, max(id) as other from staff) as pair
      cross join lateral (select * from academic_year where closed_at is null order by starts_on desc limit 1) as year
      join lateral (select id from academic_section where academic_year_id = year.id limit 1) as section on true
      where pair.one <> pair.other`),
};
