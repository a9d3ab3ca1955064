import { sql } from 'kysely';
import { withdrawApproval } from '#features/approval/api.ts';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { answer, ask } from '#kit/server/hook.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { atWorkHook } from '../contract/hooks.ts';
import { closedMonthOf } from './closed-month.ts';
import { freeHalves, showDays, showSpan } from './cost.ts';

interface Later {
  id: number;
  version: number;
  state: string;
  fromDay: string;
  toDay: string;
}

/** Leave after the last day is cancelled, and one over it ends on it; leave taken beyond the entitlement is named. */
export const endLeave = answer(
  relieveHook,
  {
    by: 'workday',
    step: 7,
    lock: ({ db }, { staffId, lastDay }) =>
      sql`select from workday_leave where staff_id = ${staffId} and to_day > ${lastDay} and state in ('Asked', 'Granted')
        order by id for update`.execute(db),
  },
  async (ctx, { staffId, lastDay }) => {
    const { rows } = await sql<Later>`select id, version, state, from_day::text as "fromDay",
      to_day::text as "toDay" from workday_leave
      where staff_id = ${staffId} and to_day > ${lastDay} and state in ('Asked', 'Granted') order by id`.execute(
      ctx.db,
    );
    // The month of leave that would end is reopened before.
    const [first] = rows.map(({ fromDay }) => (fromDay > lastDay ? fromDay : addDays(lastDay, 1))).toSorted();
    const last = rows
      .map(({ toDay }) => toDay)
      .toSorted()
      .at(-1);
    const closed = first && last ? await closedMonthOf(ctx, first, last) : undefined;
    if (closed) throw new AppError('conflict', closed);
    const cancelled = rows.filter(({ fromDay }) => fromDay > lastDay).map(({ id }) => id);
    const cut = rows.filter(({ fromDay }) => fromDay <= lastDay).map(({ id }) => id);
    await freeHalves(ctx, cancelled);
    await freeHalves(ctx, cut, lastDay);
    await sql`update workday_leave set state = 'Cancelled', version = version + 1 where id = any(${cancelled}::integer[])`.execute(
      ctx.db,
    );
    await sql`update workday_leave set to_day = ${lastDay}, to_half = 2, version = version + 1 where id = any(${cut}::integer[])`.execute(
      ctx.db,
    );
    const { user } = ctx;
    if (user)
      for (const { id } of rows.filter(({ fromDay, state }) => fromDay > lastDay && state === 'Asked'))
        await withdrawApproval({ ...ctx, user }, { kind: 'workday.leave', subjectId: id });
    await auditAll(
      ctx,
      rows.map(({ fromDay, toDay }) => ({
        action: fromDay > lastDay ? 'workday-leave.cancelled' : 'workday-leave.shortened',
        entity: 'staff',
        entityId: staffId,
        details: { days: showSpan({ fromDay, toDay: fromDay > lastDay ? toDay : lastDay }) },
      })),
    );
    await ask(ctx, atWorkHook, { staffIds: [staffId] });
    const { rows: over } = await sql<{ name: string; over: number }>`
      select type.name, -workday_balance(${staffId}, type.id, year.id, ${lastDay}) as over
      from academic_year year cross join workday_leave_type type
      where year.id = academic_year_on(${lastDay}::date) and not type.may_go_below
        and workday_balance(${staffId}, type.id, year.id, ${lastDay}) < 0
      order by type.code`.execute(ctx.db);
    const count = rows.length;
    const ends: Text[] = [
      ...(count > 0
        ? [text({ message: '{count, plural, one {# leave} other {# leaves}} after the last day will end.' }, { count })]
        : []),
      ...over.map(
        ({ name, over: halves }) => text`${{ type: name }}: ${{ days: showDays(halves) }} days more taken than earned.`,
      ),
    ];
    return { ends, blocks: [], basis: [rows.map(({ id, version }) => [id, version]), over] };
  },
);
