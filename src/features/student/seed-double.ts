import { sql } from 'kysely';
import { demoPeople } from '#database/seed/demo-people.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { merge } from './server/identity/merge.ts';

const clerk = demoPeople[0]?.name ?? '';

/** A smaller school knows its children. */
const fewest = 100;

/**
 * Four children who were entered twice this year, with nothing else: one of whom the office has said that they are two
 * children, one whose records were merged, one whose merge will be asked for, and one.
 */
export async function seedDoubles(db: Database, today: string) {
  await sql`
    with picked as (
      select student.*, own.academic_year_id, own.program_id, own.grade_id, own.branch_id as place_id, own.joined_on,
        row_number() over (order by student.id) as place
      from student join student_enrollment own on own.student_id = student.id and own.status = 'Active'
      join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on(${today}::date)
      where student.left_on is null
        and not exists (select from student again where again.gr_no = 'T-' || student.gr_no)
        and (select count(*) from student) >= ${fewest}
      order by student.id % 97 = 5 desc, student.id limit 4),
    again as (
      insert into student (branch_id, gr_no, first_name, middle_name, last_name, gender, birth_date, admitted_on, admitted_class)
      select branch_id, 'T-' || gr_no, first_name, middle_name, last_name, gender, birth_date, joined_on, admitted_class
      from picked returning id, gr_no)
    insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
    select again.id, academic_year_id, place_id, program_id, grade_id, 'Existing', joined_on
    from again join picked on again.gr_no = 'T-' || picked.gr_no`.execute(db);
  const { rows } = await sql<{ keptId: number; otherId: number }>`
    select kept.id as "keptId", other.id as "otherId" from student other join student kept
      on other.gr_no = 'T-' || kept.gr_no and kept.branch_id = other.branch_id
    where not exists (select from student_section where student_id = other.id) order by kept.id`.execute(db);
  const [, answered, merged] = rows;
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

interface Double {
  keptId: number;
  otherId: number;
}

/**
 * One child was entered again a month ago and sat in the section until yesterday, so that what is made later, such as marks and
 * the fee plan, is made for both records. Not in the first weeks of a year.
 */
export async function seedMarkedDouble(db: Database, today: string) {
  await sql`
    with picked as (
      select student.*, own.academic_year_id, own.program_id, own.grade_id, own.branch_id as place_id, seat.section_id
      from student join student_enrollment own on own.student_id = student.id and own.status = 'Active'
      join academic_year year on year.id = own.academic_year_id
        and ${today}::date - 30 between year.starts_on and year.ends_on and ${today}::date between year.starts_on and year.ends_on
      join student_section seat on seat.enrollment_id = own.id and seat.effective_from <= ${today}::date - 30
        and ${today}::date <= coalesce(seat.effective_to, 'infinity')
      where student.left_on is null and (select count(*) from student) >= ${fewest}
      order by student.id % 89 = 7 desc, student.id limit 1),
    again as (
      insert into student (branch_id, gr_no, first_name, middle_name, last_name, gender, birth_date, admitted_on, admitted_class)
      select branch_id, 'T-' || gr_no, first_name, middle_name, last_name, gender, birth_date, ${today}::date - 30, admitted_class
      from picked returning id),
    placed as (
      insert into student_enrollment (student_id, academic_year_id, branch_id, program_id, grade_id, admission_type, joined_on)
      select again.id, academic_year_id, place_id, program_id, grade_id, 'New', ${today}::date - 30 from again, picked
      returning *)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
      effective_from, effective_to)
    select placed.id, student_id, placed.academic_year_id, placed.branch_id, placed.program_id, placed.grade_id, section_id,
      joined_on, joined_on + 29
    from placed, picked`.execute(db);
}

/** The office asks for the merge of the last pair; it waits for the principal. */
export async function seedAskedMerge(outside: Context) {
  const { db } = outside;
  const { rows: pairs } = await sql<Double>`select kept.id as "keptId", other.id as "otherId" from student other
    join student kept on other.gr_no = 'T-' || kept.gr_no and kept.branch_id = other.branch_id
    where other.merged_into_id is null and not exists (select from student_section where student_id = other.id)
    order by kept.id desc limit 1`.execute(db);
  const { rows: clerks } = await sql<{ id: number; staffId: number; name: string }>`
    select account.id, staff.id as "staffId", staff.name from sign_in_account account join staff on staff.id = account.staff_id
    where sets = '{office}' order by account.id limit 1`.execute(db);
  const [pair] = pairs;
  const [office] = clerks;
  if (!pair || !office) return;
  const scope = { branches: [], sections: [] };
  const user = { ...office, role: 'Staff', sets: ['office'], scope, session: 0, confirmedFor: 0 };
  const input = {
    keptId: pair.keptId,
    retiredId: pair.otherId,
    taken: [],
    marks: 'Kept record' as const,
    exceptions: [],
    reason: 'Entered again at the counter in June',
    isOneChild: true,
  };
  await db.transaction().execute(async (tx) => {
    const ctx = { ...outside, db: tx, user } as unknown as UserContext;
    const { confirmToken } = await merge(ctx, { ...input, confirmToken: undefined });
    // What hangs on the two may forbid it.
    if (confirmToken) await merge(ctx, { ...input, confirmToken });
  });
}
