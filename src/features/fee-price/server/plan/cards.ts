import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney, showRupees } from '#kit/contract/money.ts';
import type { CardAnswer } from '#kit/contract/served-card.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { daysBetween, toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { type Period, touchesPeriod } from '#kit/server/period.ts';
import { runningFines } from '../../contract/hooks.ts';
import { accountsOf } from '../accounts-of.ts';
import { structureFigures } from '../structure/structure.ts';
import { planFigures } from './plan-list.ts';

const path = 'fee/fee-structure-allocation';

/**
 * The plans of a student in the branches that the user reaches and of years that touch the period, the latest year first;
 * without a period first that of today’s year.
 */
async function plansOf({ db, user, now }: UserContext, studentId: number, period: Period) {
  const { rows } = await sql<{
    id: number;
    year: string;
    joinedOn: string;
    leftOn: string | null;
    net: number;
    paid: number;
    balance: number;
  }>`select plan.id, year.name as year, plan.joined_on as "joinedOn", plan.left_on as "leftOn", account.balance, sums.*
    from fee_plan plan
    join fee_account account on account.id = plan.account_id
    join academic_year year on year.id = plan.academic_year_id
    cross join lateral (select coalesce(sum(net), 0)::bigint as net, coalesce(sum(paid), 0)::bigint as paid
      from fee_due where plan_id = plan.id) as sums
    where account.student_id = ${studentId} and plan.status = 'Active'
      and ${touchesPeriod(sql`year.starts_on`, sql`year.ends_on`, period)}
      and exists (select from student_enrollment enrollment where enrollment.student_id = ${studentId}
        and ${inScope(user, feeReaders, { branch: sql`enrollment.branch_id` })})
    order by ${period.from === '' && period.to === ''} and year.id = academic_year_on(${toLocalDate(now())}::date) desc,
      year.starts_on desc, plan.id desc limit 10`.execute(db);
  return rows;
}

interface Unpaid {
  due: number;
  /** What is due by now beside the plan, of which all may be fines. */
  beside: number;
  areFines: boolean;
  dueOn: string | null;
  nextOn: string | null;
  next: number;
}

/** What a child has not paid, of whichever year: what is due by now since its first day, and what comes due next. */
async function unpaidOf(ctx: UserContext, studentId: number, planId: number): Promise<Unpaid> {
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<Unpaid>`
    with unpaid as (select due_on, sum(net - paid)::bigint as amount,
        sum(net - paid) filter (where plan_id is distinct from ${planId}) as beside,
        bool_and(kind = 'Fine') filter (where plan_id is distinct from ${planId}) as "areFines"
      from fee_due due join fee_account account on account.id = due.account_id
      where account.student_id = ${studentId} and paid < net group by due_on)
    select coalesce(sum(amount) filter (where due_on <= ${today}::date), 0)::bigint as due,
      coalesce(sum(beside) filter (where due_on <= ${today}::date), 0)::bigint as beside,
      coalesce(bool_and("areFines") filter (where due_on <= ${today}::date), false) as "areFines",
      (min(due_on) filter (where due_on <= ${today}::date))::text as "dueOn",
      (min(due_on) filter (where due_on > ${today}::date))::text as "nextOn",
      coalesce((select amount from unpaid where due_on > ${today}::date order by due_on limit 1), 0)::bigint as next
    from unpaid`.execute(ctx.db);
  const [charged = { due: 0, beside: 0, areFines: false, dueOn: null, nextOn: null, next: 0 }] = rows;
  if (charged.dueOn === null) return charged;
  const running = (await ask(ctx, runningFines, studentId)).reduce((sum, { output }) => sum + output, 0);
  return {
    ...charged,
    due: charged.due + running,
    beside: charged.beside + running,
    areFines: charged.areFines || (running > 0 && charged.beside === 0),
  };
}

/** The last receipt whose payment stands, with its day. */
async function lastReceipt({ db }: UserContext, studentId: number) {
  const { rows } = await sql<{ number: string; amount: number; day: string }>`
    select receipt.receipt_no as number, receipt.amount, receipt.receipt_date::text as day
    from ${accountsOf(studentId)} account join fee_receipt receipt on receipt.account_id = account.id
    join fee_payment payment on payment.id = receipt.payment_id and payment.ended_as is null
    order by receipt.receipt_date desc, receipt.id desc limit 1`.execute(db);
  return rows[0];
}

/** What falls due in a period, and what of it is paid. */
async function duesOfPeriod({ db }: UserContext, studentId: number, { from, to }: { from: string; to: string }) {
  const { rows } = await sql<{ net: number; paid: number }>`
    select coalesce(sum(due.net), 0)::bigint as net, coalesce(sum(due.paid), 0)::bigint as paid
    from fee_due due join fee_account account on account.id = due.account_id
    where account.student_id = ${studentId} and due.plan_id is not null and due.due_on between ${from}::date and ${to}::date`.execute(
    db,
  );
  return rows[0] ?? { net: 0, paid: 0 };
}

/** What falls due in each month of a period and what of it is paid; nothing without a period, as on the record. */
async function duesByMonth(
  { db }: UserContext,
  studentId: number,
  { from, to }: { from: string; to: string },
): Promise<CardAnswer['chart']> {
  if (from === '' || to === '') return undefined;
  const { rows } = await sql<{ month: string; net: number; paid: number }>`
    select date_trunc('month', due.due_on)::date::text as month, sum(due.net)::bigint as net, sum(due.paid)::bigint as paid
    from fee_due due join fee_account account on account.id = due.account_id
    where account.student_id = ${studentId} and due.plan_id is not null and due.due_on between ${from}::date and ${to}::date
    group by 1 order by 1 limit 12`.execute(db);
  if (rows.length < 2) return undefined;
  const total = (of: 'net' | 'paid') => showMoney(rows.reduce((sum, row) => sum + row[of], 0));
  return {
    kind: 'bars',
    says: text`Dues by month: ${{ paid: total('paid') }} of ${{ net: total('net') }} is paid`,
    unit: 'money',
    head: text`Month`,
    series: [
      { label: text`Fees`, tone: 'info' },
      { label: text`Paid`, tone: 'good' },
    ],
    points: rows.map(({ month, net, paid }) => ({
      label: verbatim(showDate(month).slice(2).trim()),
      values: [net, paid],
    })),
  };
}

interface Instalment {
  dueOn: string;
  net: number;
  paid: number;
}

/** The most instalments that the record shows one by one. */
const mostInstalments = 4;

/**
 * The instalments of a plan: those paid at its start as one row, the late ones too where they are many, then the next ones,
 * and of the rest what is paid and what is not due yet as one row each.
 */
async function instalmentsOf({ db, now }: UserContext, planId: number): Promise<Text[][]> {
  const today = toLocalDate(now());
  const { rows } =
    await sql<Instalment>`select due_on::text as "dueOn", sum(net)::bigint as net, sum(paid)::bigint as paid
    from fee_due where plan_id = ${planId} group by due_on having sum(net) > 0 order by due_on limit 60`.execute(db);
  const open = rows.findIndex(({ net, paid }) => paid < net);
  const start = open === -1 ? rows.length : open;
  // A single row reads as it is.
  const shownFrom = start === 1 ? 0 : start;
  const late = rows.filter(({ dueOn, net, paid }) => dueOn < today && paid < net);
  const manyLate = late.length > mostInstalments ? late : [];
  const next = rows.slice(shownFrom).filter((row) => !manyLate.includes(row));
  const [shown, rest] = [next.slice(0, mostInstalments), next.slice(mostInstalments)];
  const isPaid = ({ net, paid }: Instalment) => paid >= net;
  const isAhead = (row: Instalment) => !isPaid(row) && row.dueOn > today;
  const one = (row: Instalment) => [verbatim(showDate(row.dueOn)), stateOf(row, today), verbatim(showMoney(row.net))];
  const together = (of: readonly Instalment[], words: 'Until' | 'From') => {
    const end = words === 'Until' ? of.at(-1) : of[0];
    if (!end) return [];
    const sum = (by: 'net' | 'paid') => of.reduce((total, row) => total + row[by], 0);
    const day = showDate(end.dueOn);
    const state = stateOf({ ...end, net: sum('net'), paid: sum('paid') }, today);
    return [
      [words === 'Until' ? text`Until ${{ day }}` : text`From ${{ day }}`, state, verbatim(showMoney(sum('net')))],
    ];
  };
  return [
    ...together(rows.slice(0, shownFrom), 'Until'),
    ...together(manyLate, 'Until'),
    ...shown.map(one),
    ...rest.filter((row) => !isPaid(row) && !isAhead(row)).map(one),
    ...together(rest.filter(isPaid), 'From'),
    ...together(rest.filter(isAhead), 'From'),
  ];
}

function stateOf({ dueOn, net, paid }: Instalment, today: string): Text {
  const left = showMoney(net - paid);
  if (paid >= net) return text`Paid`;
  if (dueOn < today) return text`${{ amount: left }} late`;
  if (dueOn === today) return text`${{ amount: left }} due today`;
  return paid > 0 ? text`${{ amount: left }} not due yet` : text`Not due yet`;
}

/** What a student owes; for the accountant, the finance approver, the office and the principal. */
export const feeCard: ServedCard = {
  card: studentCard('fee', 'now', 16, text`Fees`, feeReaders),
  read: async (ctx, id, period) => {
    const [latest, ...earlier] = await plansOf(ctx, id, period);
    const empty = period.from ? text`No fee plan for these days.` : text`No fee plan yet.`;
    if (!latest) return { asOf: '', facts: [], table: null, to: '', empty };
    const unpaid = await unpaidOf(ctx, id, latest.id);
    const receipt = await lastReceipt(ctx, id);
    // The record has the year of today; the report the years of its days.
    const isRecord = period.from === '' && period.to === '';
    const ofPeriod = period.from && period.to ? await duesOfPeriod(ctx, id, period) : undefined;
    const facts: { label: Text; value: Text }[] = [
      { label: text`Due now`, value: dueWords(unpaid) },
      ...(unpaid.nextOn && !isRecord
        ? [
            {
              label: text`Next due`,
              value: text`${{ amount: showMoney(unpaid.next) }} on ${{ day: showDate(unpaid.nextOn) }}`,
            },
          ]
        : []),
      ...(ofPeriod
        ? [
            {
              label: text`Due in these days`,
              value: text`${{ amount: showMoney(ofPeriod.net) }}, paid ${{ paid: showMoney(ofPeriod.paid) }}`,
            },
          ]
        : []),
      {
        label: isRecord ? text`Fees of ${{ year: latest.year }}` : text`Fees of the year`,
        value: verbatim(showMoney(latest.net)),
      },
      { label: text`Paid`, value: verbatim(showMoney(latest.paid)) },
      ...(receipt
        ? [
            {
              label: text`Last receipt`,
              value: text`${{ number: receipt.number }}, ${{ amount: showMoney(receipt.amount) }} on ${{ day: showDate(receipt.day) }}`,
            },
          ]
        : []),
    ];
    const rows = [latest, ...earlier];
    const chart = await duesByMonth(ctx, id, period);
    return {
      asOf: '',
      facts,
      ...(chart && { chart }),
      table: isRecord
        ? { heads: [text`Due on`, text`Status`, text`Amount`], rows: await instalmentsOf(ctx, latest.id) }
        : {
            heads: [text`Year`, text`From`, text`Until`, text`Fees`, text`Paid`],
            rows: rows.map(({ year, joinedOn, leftOn, net, paid }) =>
              [year, showDate(joinedOn), leftOn ? showDate(leftOn) : '', showMoney(net), showMoney(paid)].map(verbatim),
            ),
          },
      to: `/school-erp/${path}/plan/${id}`,
      empty,
    };
  },
  today: async (ctx, id) => {
    const [plan] = await plansOf(ctx, id, { from: '', to: '' });
    if (!plan) return undefined;
    const unpaid = await unpaidOf(ctx, id, plan.id);
    const days = unpaid.dueOn === null ? 0 : daysBetween(unpaid.dueOn, toLocalDate(ctx.now()));
    return {
      label: text`Dues`,
      value: verbatim(showRupees(unpaid.due)),
      detail: detailOf(unpaid, days),
      isLate: days > 0,
    };
  },
};

/** The sum that is due, and what of it the instalments don’t show. */
function dueWords({ due, beside, areFines }: Unpaid): Text {
  if (beside === 0) return verbatim(showMoney(due));
  const part = showMoney(beside);
  return areFines
    ? text`${{ due: showMoney(due) }}, including ${{ part }} of late fines`
    : text`${{ due: showMoney(due) }}, including ${{ part }} outside the fee plan`;
}

/** For how long it is due, or what is due next. */
function detailOf({ due, nextOn, next }: Unpaid, days: number): Text {
  if (days > 0) return text({ message: '{days, plural, one {# day late} other {# days late}}' }, { days });
  if (due > 0) return text`Due today`;
  return nextOn ? text`${{ amount: showRupees(next) }} on ${{ day: showDate(nextOn) }}` : verbatim('');
}

export const planCard: DashboardCard = {
  title: text`Fees`,
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'office', 'principal'],
  count: async (ctx, year) => {
    if (!year) return [];
    const yearId = String(year.id);
    const plans = await planFigures(ctx, `${path}?part=plan`, [
      { label: text`Without a fee plan`, query: { tab: 'without', yearId } },
      { label: text`With a fee plan`, query: { tab: 'planned', yearId } },
    ]);
    const drafts = await structureFigures(ctx, path, [
      { label: text`Prices in draft`, query: { tab: 'draft', academicYearId: yearId } },
    ]);
    return [...plans, ...drafts];
  },
};
