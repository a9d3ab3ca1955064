import { sql } from 'kysely';
import { accountsOf } from '#features/fee-price/api.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { notFound } from '#kit/server/record/version.ts';
import { isRestricted, mayRead } from './family-receipts.ts';
import { readStatement, statementFileOf } from './statement.ts';

interface Year {
  yearId: number;
  name: string;
  from: string;
  until: string;
  /** An adult of the child has a restriction: each reads of the own money alone. */
  isRestricted: boolean;
}

/** The academic years of a child with money in them, the latest first: those of which the guardian may read every receipt, and those before: a statement begins with their sum. */
export async function statementYears(
  { db, now }: Pick<Context, 'db' | 'now'>,
  guardianId: number,
  studentId: number,
): Promise<Year[]> {
  const all = accountsOf(studentId);
  const { rows } = await sql<Year>`
    select year.id as "yearId", year.name, year.starts_on::text as "from",
      least(year.ends_on, ${toLocalDate(now())}::date)::text as until, ${isRestricted} as "isRestricted"
    from (values (${studentId}::integer)) as account (student_id) cross join academic_year year
    where year.starts_on <= ${toLocalDate(now())}::date
      and exists (select from fee_ledger_entry entry where entry.account_id in (select id from ${all} own)
        and entry.due_on between year.starts_on and year.ends_on)
      and not exists (select from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
        where receipt.account_id in (select id from ${all} own) and receipt.receipt_date <= year.ends_on
          and not ${mayRead(guardianId)})
    order by year.starts_on desc limit 6`.execute(db);
  return rows;
}

/** The statement of a year as a PDF, in the language of the guardian. Throws `not_found`. */
export async function familyStatementFile(ctx: Context, guardianId: number, studentId: number, yearId: number) {
  const year = (await statementYears(ctx, guardianId, studentId)).find((one) => one.yearId === yearId);
  if (!year) throw notFound();
  const { from, until } = year;
  const { rows } = await sql<{ name: string; grNo: string; place: string }>`
    select student.name, student.gr_no as "grNo", coalesce((select name from student_place(student.id, ${until}::date)), '') as place
    from student where student.id = ${studentId}`.execute(ctx.db);
  const [student] = rows;
  if (!student) throw notFound();
  const read = await readStatement(ctx, { studentId, on: until });
  // A held cheque names no guardian, so it may be of the other one.
  const heldCheques = year.isRestricted ? [] : read.heldCheques;
  return statementFileOf(ctx, {
    ...read,
    heldCheques,
    student,
    from,
    language: await ctx.languages.ofReader(ctx, guardianId),
  });
}
