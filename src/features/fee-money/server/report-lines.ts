import { type RawBuilder, sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { ReportFilter } from '../contract/report.ts';

type Part = RawBuilder<unknown>;

/** What a report is asked for; '' where a filter is not set. */
export type Narrowed = Record<ReportFilter, string>;

/** The accounts of students and of unplaced money in the branches that the user reaches; applicants belong to the branch of their inquiry. */
const branch = sql`coalesce((select branch_id from student where id = account.student_id),
  (select branch_id from admission_inquiry where id = account.inquiry_id), account.branch_id)`;

export const child = sql`coalesce((select name from student where id = account.student_id),
  (select concat_ws(' ', first_name, last_name) from admission_inquiry where id = account.inquiry_id), account.unplaced_note, '')`;
export const grNo = sql`coalesce((select gr_no from student where id = account.student_id),
  (select inquiry_no from admission_inquiry where id = account.inquiry_id), '')`;

/** The class that a row shows, “Grade 5 A”; empty for applicants and unplaced money. */
export const className = sql`coalesce((select concat_ws(' ', grade.name, section.name) from academic_grade grade
  left join academic_section section on section.id = place.section_id where grade.id = place.grade_id), '')`;

/**
 * The places of each student, without a gap: the first one also before its first day, each until the next begins. Alias
 * `place`, of the account's student on a day. `students` are those of a report of some days, so that others are not read.
 */
export const placeOn = (day: Part, students?: Part) => sql`left join (
    select enrollment.student_id, enrollment.grade_id, own.section_id,
      case when row_number() over span = 1 then '-infinity' else coalesce(own.effective_from, enrollment.joined_on) end as first_day,
      coalesce(lead(coalesce(own.effective_from, enrollment.joined_on)) over span, 'infinity') as next_day
    from student_enrollment enrollment left join student_section own on own.enrollment_id = enrollment.id
    where enrollment.status <> 'Cancelled' ${students ? sql`and enrollment.student_id in (${students})` : sql``}
    window span as (partition by enrollment.student_id order by coalesce(own.effective_from, enrollment.joined_on), own.id)
  ) place on place.student_id = account.student_id and ${day} >= place.first_day and ${day} < place.next_day`;

/** Where the values of the filters stand in a query; a filter without a column leaves the rows as they are. */
type Columns = Partial<Record<'series' | 'mode' | 'cashier' | 'head' | 'discount', Part>>;

/** What the user reaches under these filters, as a condition over `account` and the columns; `place` where a class is asked for. */
export function narrowedTo(user: UserContext['user'], asked: Narrowed, columns: Columns): Part {
  const conditions: Part[] = [inScope(user, feeReaders, { branch })];
  const is = (column: Part | undefined, value: string) => {
    if (column && value !== '') conditions.push(sql`${column} = ${value}`);
  };
  const isNumber = (column: Part | undefined, value: string) => {
    if (column && value !== '') conditions.push(sql`${column} = ${Number(value)}`);
  };
  isNumber(branch, asked.branchId);
  isNumber(sql`place.grade_id`, asked.gradeId);
  isNumber(sql`place.section_id`, asked.sectionId);
  isNumber(columns.series, asked.seriesId);
  is(columns.mode, asked.mode);
  isNumber(columns.cashier, asked.cashierId);
  isNumber(columns.head, asked.headId);
  isNumber(columns.discount, asked.discountId);
  return sql.join(conditions, sql` and `);
}

const entryDay = sql`entry.entry_date`;

/**
 * The entries of the ledger under the filters of a report, from `from` on: `entry`, and its `account`, `due`, `receipt`,
 * `payment`, `refund`, `concession`; `place` is the student's on `day`. Joins by a unique key that a query does not read
 * cost nothing.
 */
export function linesOf(
  user: UserContext['user'],
  asked: Narrowed,
  {
    where,
    day = entryDay,
    isPlaced = true,
    join = sql``,
  }: { where: Part; day?: Part; isPlaced?: boolean; join?: Part },
): Part {
  const narrowed = narrowedTo(user, asked, {
    series: sql`entry.receipt_series_id`,
    mode: sql`coalesce(payment.mode, refund.mode)`,
    cashier: sql`payment.staff_id`,
    head: sql`due.fee_head_id`,
    discount: sql`concession.discount_id`,
  });
  return sql`from fee_ledger_entry entry
    join fee_account account on account.id = entry.account_id
    left join fee_due due on due.id = entry.due_id
    left join fee_receipt receipt on receipt.id = entry.receipt_id
    left join fee_payment payment on payment.id = receipt.payment_id
    left join fee_refund refund on refund.id = entry.refund_id
    left join fee_concession concession on concession.id = entry.concession_id
    ${join}
    ${isPlaced || asked.gradeId || asked.sectionId ? placeOn(day) : sql``}
    where ${where} and ${narrowed}`;
}

/** What entries of the ledger add up to under the filters of a report, without what the report itself joins. */
export const ofLedger = (user: UserContext['user'], asked: Narrowed, sum: Part, where: Part, day = entryDay): Part =>
  sql`select coalesce(${sum}, 0)::bigint as amount ${linesOf(user, asked, { where, day, isPlaced: false })}`;

/** The head of an entry's due, as text: an id, or a word for what has none. */
export const headOf = sql`case when due.id is null then 'advance' when due.kind = 'Fine' then 'fine' when due.kind = 'Bounce' then 'bounce'
  when due.kind = 'Opening' then 'opening' when due.fee_head_id is null then 'other' else due.fee_head_id::text end`;
