import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { PricedPlace } from './read-prices.ts';

/** A student’s enrolment of a year, as far as a plan depends on it. */
export interface Child extends PricedPlace {
  enrollmentId: number;
  studentId: number;
  yearId: number;
  name: string;
  grNo: string;
  place: string;
  joinedOn: string;
  status: string;
  hasPlan: boolean;
  /** Heads that are not charged again: of one-time fees ever, of those without pro-rata in the same year. */
  charged: number[];
  /** Refundable heads that were returned. They are charged again, whomever they are charged to. */
  returned: number[];
}

/** Enrolments with these conditions, by their ids. */
export async function readChildren({ db }: Pick<Context, 'db'>, where: RawBuilder<unknown>): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select enrollment.id as "enrollmentId", student.id as "studentId", enrollment.academic_year_id as "yearId",
      student.name, student.gr_no as "grNo", enrollment.branch_id as "branchId", enrollment.program_id as "programId",
      enrollment.grade_id as "gradeId", student.category_id as "categoryId",
      enrollment.admission_type as "admissionType", enrollment.joined_on as "joinedOn", enrollment.status,
      (select name from student_place(student.id, school_now()::date, enrollment.academic_year_id)) as place,
      exists (select from fee_plan plan where plan.account_id = account.id and plan.status = 'Active'
        and plan.academic_year_id = enrollment.academic_year_id and plan.left_on is null) as "hasPlan",
      coalesce((select jsonb_agg(distinct due.fee_head_id) from fee_due due
        join fee_head head on head.id = due.fee_head_id join fee_frequency frequency on frequency.id = due.frequency_id
        where due.account_id = account.id and due.gross > due.pro_rata
          and not (due.is_refundable and due.net = 0 and due.adjusted < 0) and (frequency.kind = 'One-time'
          or (head.pro_rata = 'None' and due.academic_year_id = enrollment.academic_year_id))), '[]') as charged,
      coalesce((select jsonb_agg(distinct fee_head_id) from fee_due where account_id = account.id and is_refundable
        and gross > pro_rata and net = 0 and adjusted < 0), '[]') as returned
    from student_enrollment enrollment
    join student on student.id = enrollment.student_id
    left join fee_account account on account.student_id = student.id
    where ${where}
    order by enrollment.id`.execute(db);
  return rows;
}

/** The accounts of students, locked in the order of their ids until the transaction ends; an account that is missing is added. */
export async function lockAccounts(
  { db }: Pick<Context, 'db'>,
  studentIds: readonly number[],
): Promise<Map<number, number>> {
  await sql`insert into fee_account (student_id) select id from unnest(${studentIds}::integer[]) as id
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: number; studentId: number }>`
    select id, student_id as "studentId" from fee_account where student_id = any(${studentIds}::integer[])
    order by id for update`.execute(db);
  return new Map(rows.map(({ id, studentId }) => [studentId, id]));
}
