import { sql } from 'kysely';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import type { Database } from '#kit/server/database/database.ts';

const clerk = demoPeople[0]?.name ?? '';

/** Twenty results of this year, of all grades; and a child of the year before whose re-test has no result yet. */
export async function seedResults(db: Database, { today }: SeedPlan) {
  await sql`
    with roll as (
      select own.id, own.academic_year_id, own.joined_on, row_number() over (order by grade.position, own.id) as place,
        count(*) over () as all_of
      from student_enrollment own join academic_grade grade on grade.id = own.grade_id
      where own.academic_year_id = academic_year_on(${today}::date) and own.status = 'Active'
        and own.joined_on <= ${today}::date),
    chosen as (select *, row_number() over (order by place) as number from roll
      where place % greatest(all_of / 20, 1) = 0 order by place limit 20)
    insert into student_result (enrollment_id, academic_year_id, decision, reason, conduct, progress, source, decided_by,
      decided_at)
    select id, academic_year_id,
      case when number in (12, 16, 18) then 'Detain' when number in (14, 17) then 'Re-test' when number = 9 then 'Leave'
        else 'Promote' end,
      case when number in (12, 16, 18) then 'Below 35 % in Maths and Science' when number in (14, 17) then 'Re-test in Maths'
        when number = 9 then 'Moves to another city' else '' end,
      'Good', case when number in (12, 16, 18) then 'Needs help in Maths' else 'Satisfactory' end, 'Hand', ${clerk},
      (greatest(joined_on, ${today}::date - (number % 5)::integer - 1) + time '12:30')::timestamp at time zone 'Asia/Kolkata'
    from chosen`.execute(db);
  await sql`
    insert into student_result (enrollment_id, academic_year_id, decision, reason, source, decided_by, decided_at)
    select own.id, year.id, 'Re-test', 'Below 35 % in Maths', 'Hand', ${clerk},
      (greatest(own.joined_on, year.ends_on - 12) + time '12:30')::timestamp at time zone 'Asia/Kolkata'
    from academic_year today join academic_year year on year.ends_on < today.starts_on
    join student_enrollment own on own.academic_year_id = year.id and own.status = 'Promoted'
    join academic_grade grade on grade.id = own.grade_id
    join student on student.id = own.student_id and student.left_on is null
    where today.id = academic_year_on(${today}::date)
    order by year.starts_on desc, grade.position desc, own.id limit 1`.execute(db);
}
