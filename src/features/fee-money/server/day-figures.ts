import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { DashboardChart, DayFigure } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { cashInDrawer } from './cashier-day.ts';

const fees = 'fee/student-wise-fees-structure';
const ofMoney = { roles: ['Staff'], sets: ['accountant', 'financeApprover', 'principal'] } as const;
const ofAccounts = { roles: ['Staff'], sets: ['accountant', 'financeApprover'] } as const;
/** The last day with money is looked for so far back. */
const searchedDays = 31;

/** Receipts that stand, as the day book counts them. */
const stands = sql<boolean>`(payment.ended_as is null or payment.ended_as = 'Reissued') and payment.reissue_of is null`;
const isSeen = (user: UserContext['user']) => inScope(user, feeReaders, { branch: sql`receipt.branch_id` });

export const collectedFigure: DayFigure = {
  title: text`Collected today`,
  place: 40,
  ...ofMoney,
  read: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ day: string; amount: number }>`
      select receipt_date as day, sum(receipt.amount)::bigint as amount from fee_receipt receipt
      join fee_payment payment on payment.id = receipt.payment_id
      where receipt_date between ${addDays(today, -searchedDays)}::date and ${today}::date and ${stands} and ${isSeen(user)}
      group by 1 order by 1 desc limit 2`.execute(db);
    const own = rows.find(({ day }) => day === today);
    const before = rows.find(({ day }) => day !== today);
    return {
      value: own?.amount ?? 0,
      unit: 'money',
      to: `${fees}?part=reports&report=Day+book`,
      ...(before && {
        before:
          before.day === addDays(today, -1)
            ? text`${{ amount: showRupees(before.amount) }} yesterday`
            : text`${{ amount: showRupees(before.amount) }} on ${{ day: showDate(before.day) }}`,
      }),
    };
  },
};

/** Cash in the user's own drawer, while it is open. */
export const drawerFigure: DayFigure = {
  title: text`Cash in drawer`,
  place: 50,
  roles: ['Staff'],
  sets: ['accountant'],
  read: async (ctx) => {
    const drawer = await cashInDrawer(ctx);
    return (
      drawer && {
        value: drawer.cash,
        unit: 'money',
        before: text`opened with ${{ opening: showRupees(drawer.opening) }}`,
        to: `${fees}?part=day`,
      }
    );
  },
};

/** Dues of students by the class in which they are shown today, overdue by today. */
async function overdueByGrade({ db, user, now }: UserContext) {
  const today = toLocalDate(now());
  const { rows } = await sql<{ gradeId: number; grade: string; amount: number; students: number }>`
    with late as materialized (
      select account.student_id, sum(net - paid)::bigint as due from fee_due due
      join fee_account account on account.id = due.account_id
      where paid < net and due_on <= ${today}::date and account.student_id is not null group by 1)
    select grade.id as "gradeId", grade.name as grade, sum(late.due)::bigint as amount, count(*)::integer as students
    from late
    cross join lateral student_place(late.student_id, ${today}::date) place
    join academic_grade grade on grade.id = place.grade_id
    where ${inScope(user, feeReaders, { branch: sql`place.branch_id` })}
    group by grade.id, grade.name, grade.position order by grade.position, grade.id`.execute(db);
  return rows;
}

export const overdueFigure: DayFigure = {
  title: text`Overdue`,
  place: 60,
  ...ofAccounts,
  read: async (ctx) => {
    const grades = await overdueByGrade(ctx);
    const students = grades.reduce((sum, grade) => sum + grade.students, 0);
    return {
      value: grades.reduce((sum, { amount }) => sum + amount, 0),
      unit: 'money',
      isLate: students > 0,
      before: text({ message: '{students, plural, one {# student} other {# students}}' }, { students }),
      to: `${fees}?part=students&tab=overdue`,
    };
  },
};

/** What comes due on the next due day. */
export const nextDueFigure: DayFigure = {
  title: text`Due next`,
  place: 70,
  ...ofAccounts,
  read: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ day: string; amount: number; students: number }>`
      with next as (select min(due_on) as day from fee_due where due_on > ${today}::date and paid < net)
      select due.due_on as day, sum(net - paid)::bigint as amount, count(distinct account.student_id)::integer as students
      from next join fee_due due on due.due_on = next.day and paid < net
      join fee_account account on account.id = due.account_id
      join student on student.id = account.student_id
      where ${inScope(user, feeReaders, { branch: sql`student.branch_id` })} group by 1`.execute(db);
    const [next] = rows;
    if (!next) return undefined;
    const { amount, students, day } = next;
    const before = text(
      { message: '{day}: {students, plural, one {# student} other {# students}}' },
      { day: showDate(day), students },
    );
    return { value: amount, unit: 'money', before, to: `${fees}?part=students` };
  },
};

/** Overdue dues as bars, a class each. */
export const overdueChart: DashboardChart = {
  title: text`Overdue by class`,
  place: 40,
  to: `${fees}?part=students&tab=overdue`,
  ...ofAccounts,
  read: async (ctx) => {
    const grades = await overdueByGrade(ctx);
    if (grades.length === 0) return undefined;
    const value = grades.reduce((sum, { amount }) => sum + amount, 0);
    const count = grades.reduce((sum, { students }) => sum + students, 0);
    return {
      kind: 'rows',
      says: text(
        { message: '{amount} overdue by today, of {count, plural, one {# student} other {# students}}' },
        { amount: showRupees(value), count },
      ),
      unit: 'money',
      rows: grades.map(({ gradeId, grade, amount, students }) => ({
        label: verbatim(grade),
        value: amount,
        count: students,
        to: `${fees}?part=students&tab=overdue&gradeId=${gradeId}`,
      })),
      total: { value, count },
    };
  },
};

const shownMonths = 6;

/** Money of the last months beside the same months of the year before. */
export const moneyChart: DashboardChart = {
  title: text`Money by month`,
  place: 20,
  to: `${fees}?part=reports`,
  roles: ['Staff'],
  sets: ['principal', 'financeApprover'],
  read: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const { rows } = await sql<{ month: string; amount: number | null; before: number | null }>`
      with month as (select date_trunc('month', ${today}::date)::date - make_interval(months => back) as begins
        from generate_series(${shownMonths - 1}::integer, 0, -1) back),
      taken as materialized (
        select date_trunc('month', receipt_date)::date as begins, sum(receipt.amount)::bigint as amount from fee_receipt receipt
        join fee_payment payment on payment.id = receipt.payment_id
        where receipt_date > ${today}::date - interval '20 months' and ${stands} and ${isSeen(user)} group by 1)
      select to_char(month.begins, 'Mon') as month, own.amount, past.amount as before from month
      left join taken own on own.begins = month.begins
      left join taken past on past.begins = month.begins - interval '1 year' order by month.begins`.execute(db);
    if (rows.every(({ amount }) => amount === null)) return undefined;
    const hasBefore = rows.some(({ before }) => before !== null);
    const last = rows.at(-1);
    return {
      kind: 'bars',
      says: text`${{ amount: showRupees(last?.amount ?? 0) }} in ${{ month: last?.month ?? '' }} so far`,
      unit: 'money',
      head: text`Month`,
      series: [
        ...(hasBefore ? [{ label: text`The year before`, tone: 'info' as const }] : []),
        { label: text`Received`, tone: 'accent' },
      ],
      points: rows.map(({ month, amount, before }) => ({
        label: verbatim(month),
        values: [...(hasBefore ? [before] : []), amount ?? 0],
      })),
    };
  },
};
