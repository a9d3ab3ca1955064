import { sql } from 'kysely';
import type { Copied, CopiedYears, RollOver, UserContext } from '#kit/server/context.ts';

/**
 * The rows of the seat plan whose branch, program and grade are in use. Opening days move by a year; the reserved seats are
 * planned again from the children of the grade below.
 */
async function copySeats({ db }: UserContext, { fromId, toId }: CopiedYears): Promise<Copied> {
  const { rows } = await sql<Copied>`
    with own as (
      select seat.*, exists (select from admission_seat later where later.academic_year_id = ${toId}
        and (later.branch_id, later.program_id, later.grade_id, later.quota)
          = (seat.branch_id, seat.program_id, seat.grade_id, seat.quota)) as is_there
      from admission_seat seat
      join academic_grade grade on grade.id = seat.grade_id and grade.is_active
      join academic_program program on program.id = seat.program_id and program.is_active
      join academic_branch branch on branch.id = seat.branch_id and branch.is_active
      where seat.academic_year_id = ${fromId}),
    made as (insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, interaction,
        admission_fee, offer_days, opens_on, closes_on)
      select ${toId}, branch_id, program_id, grade_id, quota, total, interaction, admission_fee, offer_days,
        (opens_on + interval '1 year')::date, (closes_on + interval '1 year')::date
      from own where not is_there returning id)
    select (select count(*) from made) as added, count(*) filter (where is_there) as "alreadyThere" from own`.execute(
    db,
  );
  return rows[0] ?? { added: 0, alreadyThere: 0 };
}

export const copiedSeats: RollOver = {
  part: 'Seats',
  copy: copySeats,
  discard: (yearId) => [sql`delete from admission_seat where academic_year_id = ${yearId}`],
};
