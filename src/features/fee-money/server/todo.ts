import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { cheques, isToDeposit } from './cheque.ts';
import { refunds } from './refund.ts';

const page = 'fee/student-wise-fees-structure?part=';
const path = `${page}day`;

interface OpenShift {
  id: number;
  staffId: number;
  cashier: string;
  day: string;
  shift: number;
  total: number;
}

/** Shifts of earlier days that nobody has closed, the own ones first; of all cashiers without a limit to branches. */
export const openShiftTodo: TodoSource = {
  kind: 'fee-day',
  title: text`Shifts not closed`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant', 'financeApprover', 'principal'],
  find: async ({ db, now, user }, most) => {
    const today = toLocalDate(now());
    const { rows } = await sql<OpenShift>`
      select own.id, own.staff_id as "staffId", staff.name as cashier, own.day::text as day, own.shift,
        (count(*) over ())::integer as total
      from fee_day own join staff on staff.id = own.staff_id
      where own.status = 'Open' and own.day < ${today}::date
        and (${user.scope.branches.length === 0} or own.staff_id = ${user.staffId})
      order by own.staff_id = ${user.staffId} desc, own.day, own.id limit ${most}`.execute(db);
    return {
      total: rows[0]?.total ?? 0,
      to: path,
      rows: rows.map(({ id, staffId, cashier, day, shift }) => ({
        id,
        when: 'late' as const,
        title: cashier,
        about: showDate(day, today),
        detail:
          staffId === user.staffId
            ? text`Count your cash of ${{ day: showDate(day, today) }}`
            : text`The cash of ${{ day: showDate(day, today) }} is not counted`,
        to: `${path}&day=${day}&cashier=${staffId}&shift=${shift}`,
        act: text`Close`,
      })),
    };
  },
};

/** The cheques that can go to the bank today, as one row: they go on one slip. */
export const depositTodo: TodoSource = {
  kind: 'fee-deposit',
  title: text`Cheques to deposit`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async (ctx) => {
    const today = toLocalDate(ctx.now());
    const { count, sum, since } = await cheques(ctx)
      .clearSelect()
      .where(isToDeposit(today))
      .select([
        sql<number>`count(*)::integer`.as('count'),
        sql<number>`coalesce(sum(own.amount), 0)::bigint`.as('sum'),
        sql<string>`coalesce(min(greatest(own.dated_on, own.received_on))::text, '')`.as('since'),
      ])
      .executeTakeFirstOrThrow();
    const to = `${page}cheques&tab=today`;
    return {
      total: count > 0 ? 1 : 0,
      to,
      rows:
        count === 0
          ? []
          : [
              {
                id: 1,
                when: since < today ? ('late' as const) : ('today' as const),
                title: text(
                  { message: '{count, plural, one {# cheque to deposit} other {# cheques to deposit}}' },
                  { count },
                ),
                about: showRupees(sum),
                detail: text(
                  { message: '{count, plural, one {Received {day}} other {The oldest since {day}}}' },
                  { count, day: showDate(since, today) },
                ),
                to,
                act: text`Deposit…`,
              },
            ],
    };
  },
};

/** Refunds that a second person has approved, the oldest first. */
export const payOutTodo: TodoSource = {
  kind: 'fee-refund',
  title: text`Refunds to pay out`,
  icon: 'money',
  roles: ['Staff'],
  sets: ['accountant'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const approved = refunds(ctx).where('own.status', '=', 'Approved');
    const rows = await approved.orderBy('own.asked_at').orderBy('own.id').limit(most).execute();
    const { total } = await approved
      .clearSelect()
      .select(sql<number>`count(*)::integer`.as('total'))
      .executeTakeFirstOrThrow();
    return {
      total,
      to: `${page}refunds`,
      rows: rows.map(({ id, student, payee, amount, asked_at: asked }) => ({
        id,
        when: 'today' as const,
        title: student || payee,
        about: showRupees(amount),
        detail: text`Refund approved, asked for on ${{ day: showDate(toLocalDate(asked), today) }}`,
        to: `${page}refunds`,
        act: text`Pay out…`,
      })),
    };
  },
};
