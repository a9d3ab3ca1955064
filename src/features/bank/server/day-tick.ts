import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { DayFigure } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { audit } from '#kit/server/security/audit.ts';
import { dayTickApi } from '../contract/line.ts';
import { bankSaw } from './bank-saw.ts';
import { requireWhole } from './whole.ts';

/** The days that are shown. */
const daysShown = 31;

/** UPI and card money that neither a statement nor the tick of its day covers, for accountants of all branches. */
export const untickedFigure: DayFigure = {
  title: text`To tick off`,
  place: 55,
  roles: ['Staff'],
  sets: ['accountant'],
  read: async ({ db, now, user }) => {
    if (user.scope.branches.length > 0) return undefined;
    const today = toLocalDate(now());
    const { rows } = await sql<{ count: number; amount: number }>`
      select count(*)::integer as count, coalesce(sum(amount), 0)::bigint as amount from fee_payment payment
      where mode in ('UPI', 'Card') and ended_as is null
        and value_on between ${addDays(today, -daysShown)}::date and ${today}::date and not ${bankSaw(sql`payment`)}
        and not exists (select from bank_day_tick tick where tick.day = payment.value_on and tick.mode = payment.mode)`.execute(
      db,
    );
    const { count, amount } = rows[0] ?? { count: 0, amount: 0 };
    if (count === 0) return undefined;
    return {
      value: amount,
      unit: 'money',
      before: text({ message: '{count, plural, one {# payment} other {# payments}}' }, { count }),
      to: 'fee/student-wise-fees-structure?part=bank&inside=day',
    };
  },
};

const list: Handler<typeof dayTickApi.list> = async ({ db, user, now }) => {
  const today = toLocalDate(now());
  const { rows } = await sql<{
    day: string;
    mode: 'UPI' | 'Card';
    count: number;
    amount: number;
    seen: number;
    ticked: number | null;
    by: string | null;
    at: Date | null;
  }>`
    select own.*, tick.amount as ticked, staff.name as by, tick.ticked_at as at from (
      select value_on as day, mode, count(*)::integer as count, sum(amount)::bigint as amount,
        coalesce(sum(amount) filter (where ${bankSaw(sql`payment`)}), 0)::bigint as seen
      from fee_payment payment where mode in ('UPI', 'Card') and ended_as is null
        and value_on between ${addDays(today, -daysShown)}::date and ${today}::date
        and ${user.scope.branches.length === 0} group by 1, 2) as own
    left join bank_day_tick tick on tick.day = own.day and tick.mode = own.mode
    left join staff on staff.id = tick.ticked_by order by own.day desc, own.mode`.execute(db);
  return {
    rows: rows.map(({ ticked, by, at, ...row }) => ({
      ...row,
      ticked: ticked === null ? null : { amount: ticked, by: by ?? '', at: (at ?? now()).toISOString() },
    })),
  };
};

const tick: Handler<typeof dayTickApi.tick> = async (ctx, { day, mode, amount }) => {
  requireWhole(ctx);
  await sql`insert into bank_day_tick as own (day, mode, amount, ticked_by, ticked_at)
    values (${day}::date, ${mode}, ${amount}, ${ctx.user.staffId}, ${ctx.now()})
    on conflict (day, mode) do update set amount = excluded.amount, ticked_by = excluded.ticked_by,
      ticked_at = excluded.ticked_at`.execute(ctx.db);
  const details = { Day: showDate(day), Mode: mode, Amount: showMoney(amount ?? 0) };
  await audit(ctx, { action: 'bank-day.ticked', entity: 'bank_day_tick', entityId: 0, details });
  return {};
};

export const dayTickRoutes = routes(dayTickApi, { list, tick });
