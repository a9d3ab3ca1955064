import { sql } from 'kysely';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { Database } from '#kit/server/database/database.ts';

const clerk = demoPeople[0]?.name ?? '';

/**
 * Four children who were entered twice this year: two with nothing else, one of whom the office has said that they are
 * two children, and one whose records were merged.
 */
export async function seedDoubles(db: Database, today: string) {
  await sql`
    with picked as (
      select student.*, own.academic_year_id, own.program_id, own.grade_id, own.branch_id as place_id, own.joined_on,
        row_number() over (order by student.id) as place
      from student join student_enrollment own on own.student_id = student.id and own.status = 'Active'
      join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on(school_now()::date)
      where student.left_on is null and student.id % 97 = 5 order by student.id limit 4),
    again as (
      insert into student (branch_id, gr_no, first_name, middle_name, last_name, gender, birth_date, admitted_on, admitted_class)
      select branch_id, 'T-' || gr_no, first_name, middle_name, last_name, gender, birth_date, joined_on, admitted_class
      from picked returning id, gr_no)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select again.id, academic_year_id, place_id, program_id, grade_id, 'Existing', joined_on
    from again join picked on again.gr_no = 'T-' || picked.gr_no`.execute(db);
  const { rows } = await sql<{ keptId: number; otherId: number }>`
    select kept.id as "keptId", other.id as "otherId" from student other join student kept
      on other.gr_no = 'T-' || kept.gr_no and kept.branch_id = other.branch_id order by kept.id`.execute(db);
  const [, , answered, merged] = rows;
  if (answered)
    await sql`insert into student_not_same (one_id, other_id, said_by)
      values (${answered.keptId}, ${answered.otherId}, ${clerk})`.execute(db);
  if (!merged) return;
  const { keptId, otherId } = merged;
  await sql`insert into student_merge (kept_id, retired_id, choices, reason, asked_by, asked_at)
    select ${keptId}, ${otherId}, '{"taken":[],"marks":"Kept record","exceptions":[]}', 'Entered twice in June', min(id),
      school_now() from staff`.execute(db);
  await sql`update student_enrollment set status = 'Cancelled' where student_id = ${otherId}`.execute(db);
  await sql`update student_merge set status = 'Done', done_by = ${clerk}, done_at = school_now(), version = 2
    where retired_id = ${otherId}`.execute(db);
}
