import type { Page } from '@playwright/test';
import { keptChoice, workingYearName } from '../src/features/calendar/contract/year.ts';
import { ownYears, type School } from './school.ts';

/**
 * Two years of its own, a grade with sections A and B of three seats in both years, and the next grade with one section
 * A.
 */
export async function openPlace(page: Page, school: School, path: string) {
  const mark = String(Math.floor(Math.random() * 1e6));
  const start = ownYears();
  const [place] = await school.sql(`
    with years as (insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01'),
        ('${start + 1}-${start + 2}', '${start + 1}-06-01', '${start + 2}-05-31', '${start + 1}-06-01')
      returning id, name),
    next as (insert into academic_grade (name, code, stage, position)
      select 'Next ${mark}', 'N' || right('${mark}', 5), 'Middle', ${2 * start} returning id),
    grade as (insert into academic_grade (name, code, stage, position, next_grade_id)
      select 'Grade ${mark}', 'G' || right('${mark}', 5), 'Middle', ${2 * start + 1}, (select id from next)
      returning id),
    sections as (insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
      select years.id, 1, case when letter = 'next A' then (select id from next) else (select id from grade) end, 1,
        right(letter, 1), 3, 'English'
      from years, unnest(array['A', 'B', 'next A']) letter returning id)
    select (select id from grade) as grade, (select min(id) from years) as year`);
  const { grade, year } = place as { grade: number; year: number };
  const [today] = await school.sql('select academic_year_on() as id');
  await page.addInitScript(`localStorage.setItem('${workingYearName}', '${keptChoice(year, Number(today?.id))}')`);
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: `/school-erp/academic/${path}?grade=${grade}` });
  return { grade, year, mark, start, next: `${start + 1}-${start + 2}` };
}
