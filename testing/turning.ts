import { sectionMaster } from '#features/academic/contract/masters.ts';
import { plant } from './masters.ts';
import { nextNumber } from './numbers.ts';
import type { School } from './school.ts';

/** A grade of a school that turns its year. */
export interface TurningGrade {
  name: string;
  children: number;
  /** The name of the next grade; none for the last one. */
  next?: string;
  /** Its sections in both years, with their seats. */
  sections: Record<string, number>;
  /** It has no section in the new year. */
  isBare?: boolean;
}

let made = 0;

/**
 * Two years long ago, and grades with children who sit in the sections of the first year, evenly in the order of
 * their names.
 */
export async function openTurning(school: School, grades: readonly TurningGrade[]) {
  const { branchId, programId } = (await plant(school, sectionMaster)) as unknown as Record<string, number>;
  made += 2;
  const addYear = async (start: number) => {
    const [row] = await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
      values ('${start}-${start + 1}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01') returning id`);
    return Number(row?.id);
  };
  // Schools are open on both first days, so that marks can be made.
  while ([1900, 1901].some((year) => new Date(Date.UTC(year + made, 5, 1)).getUTCDay() === 0)) made += 2;
  const start = 1900 + made;
  const [fromYearId, toYearId] = [await addYear(start), await addYear(start + 1)];
  // Grades of earlier tests come after none of these.
  await school.sql('update academic_grade set is_active = false');
  const ids = new Map<string, number>();
  for (const { name } of grades) {
    const number = nextNumber();
    const [row] = await school.sql(`insert into academic_grade (name, code, stage, position)
      select '${name} ${number}', 'T${number}', 'Middle', coalesce(max(position), 0) + 1 from academic_grade returning id`);
    ids.set(name, Number(row?.id));
  }
  const idOf = (name: string) => ids.get(name) ?? 0;
  for (const { name, next, children, sections, isBare } of grades) {
    if (next) await school.sql(`update academic_grade set next_grade_id = ${idOf(next)} where id = ${idOf(name)}`);
    for (const year of isBare ? [fromYearId] : [fromYearId, toYearId])
      for (const [letter, capacity] of Object.entries(sections))
        await school.sql(`insert into academic_section (academic_year_id, branch_id, program_id, grade_id, name, capacity, medium)
          values (${year}, ${branchId}, ${programId}, ${idOf(name)}, '${letter}', ${capacity}, 'English')`);
    const number = nextNumber();
    await school.sql(`with child as (insert into student (branch_id, gr_no, first_name, last_name, gender, birth_date)
        select ${branchId}, 'T${number}-' || n, 'N' || lpad(n::text, 3, '0'), '${name.replaceAll(' ', '')}',
          case when n % 2 = 0 then 'F' else 'M' end, '2019-01-01' from generate_series(1, ${children}) n returning id)
      insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select id, ${fromYearId}, ${branchId}, ${programId}, ${idOf(name)}, 'New', '${start}-06-01' from child`);
    await school.sql(`with place as (select own.*, row_number() over (order by id) - 1 as n from student_enrollment own
        where academic_year_id = ${fromYearId} and grade_id = ${idOf(name)}),
      seats as (select id, row_number() over (order by name) - 1 as n, count(*) over () as all_of from academic_section
        where academic_year_id = ${fromYearId} and grade_id = ${idOf(name)})
      insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        roll_no, effective_from)
      select place.id, student_id, academic_year_id, branch_id, program_id, grade_id, seats.id, place.n + 1, joined_on
      from place join seats on seats.n = place.n % seats.all_of`);
  }
  const enrolmentsOf = async (name: string) =>
    (
      await school.sql(`select id from student_enrollment where academic_year_id = ${fromYearId}
        and grade_id = ${idOf(name)} and joined_on = '${start}-06-01' order by id`)
    ).map(({ id }) => Number(id));
  return {
    ...{ branchId, programId, fromYearId, toYearId, idOf, enrolmentsOf },
    ...{ start: `${start}-06-01`, end: `${start + 1}-05-31`, nextStart: `${start + 1}-06-01` },
  };
}
export type Turning = Awaited<ReturnType<typeof openTurning>>;
