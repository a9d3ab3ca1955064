import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { branchOn } from '#features/staff/api.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { leaveKeepers, leaveReaders } from '../contract/access.ts';
import type { StaffLeaveState, staffLeaveApi, WorkdayOfPerson } from '../contract/leave.ts';
import { showDays } from './cost.ts';
import { findPerson } from './leave.ts';

/** The most leaves that a person's card shows. */
const mostShown = 20;

export interface Balance {
  code: string;
  name: string;
  earned: number;
  credited: number;
  taken: number;
  left: number;
}

/** What a person has of each type on a day: the types that were given, credited or taken. */
export async function balancesOf({ db }: Pick<UserContext, 'db'>, staffId: number, day: string): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select * from (
      select type.code, type.name, workday_entitled(${staffId}, type.id, year.id, ${day}) as earned,
        coalesce((select sum(credit.halves) from workday_credit credit
          where credit.staff_id = ${staffId} and credit.type_id = type.id and credit.academic_year_id = year.id), 0)::integer as credited,
        coalesce((select sum(half.cost) from workday_leave leave join workday_leave_half half on half.leave_id = leave.id
          where leave.staff_id = ${staffId} and leave.type_id = type.id and leave.academic_year_id = year.id), 0)::integer as taken,
        workday_balance(${staffId}, type.id, year.id, ${day}) as left
      from academic_year year cross join workday_leave_type type join staff on staff.id = ${staffId}
      where year.id = academic_year_on(${day}::date) and type.is_active and type.gender in ('', staff.gender)) as own
    where earned <> 0 or credited <> 0 or taken <> 0 order by code`.execute(db);
  return rows;
}

/** What a user may do with a leave now, by SQL over `leave`. */
export const abilitiesOf = (ctx: UserContext, isKept: ReturnType<typeof sql<boolean>>) => {
  const today = toLocalDate(ctx.now());
  const isOwn = sql<boolean>`leave.staff_id = ${ctx.user.staffId}`;
  const isMine = sql<boolean>`(${isOwn} or ${isKept})`;
  return sql<{ cancel: boolean; shorten: boolean; paper: boolean }>`jsonb_build_object(
    'cancel', ${isMine} and (leave.state = 'Asked' or (leave.state = 'Granted' and (leave.from_day > ${today}::date or not ${isOwn}))),
    'shorten', ${isMine} and leave.state = 'Granted' and leave.from_day <= ${today}::date and leave.from_day < leave.to_day
      and (not ${isOwn} or leave.to_day >= ${today}::date),
    'paper', ${isMine} and leave.state in ('Asked', 'Granted'))`;
};

export const own: Handler<typeof staffLeaveApi.own> = (ctx) => readPerson(ctx, ctx.user.staffId);

export const ofPerson: Handler<typeof staffLeaveApi.ofPerson> = async (ctx, { id }) => {
  if (ctx.user.staffId !== id) await findPerson(ctx, id, leaveReaders);
  return readPerson(ctx, id);
};

/** The shift of a person on a day, and their own ones that begin later. */
async function readShifts({ db }: Pick<UserContext, 'db'>, id: number, day: string) {
  const { rows } = await sql<Pick<WorkdayOfPerson, 'shift' | 'shiftUntil' | 'nextShifts'>>`
    select coalesce((select shift.name || ' ' || shift.starts || '–' || shift.ends from workday_on(array[${id}]::integer[], ${day}, ${day}) own
        join workday_shift shift on shift.id = own.shift_id), '') as shift,
      coalesce((select own.effective_to::text from workday_shift_person own
        where own.staff_id = ${id} and ${day}::date between own.effective_from and own.effective_to), '') as "shiftUntil",
      coalesce((select json_agg(json_build_object('name', shift.name, 'from', own.effective_from,
          'until', coalesce(own.effective_to::text, '')) order by own.effective_from)
        from workday_shift_person own join workday_shift shift on shift.id = own.shift_id
        where own.staff_id = ${id} and own.effective_from > ${day}::date), '[]') as "nextShifts"`.execute(db);
  return rows[0] ?? { shift: '', shiftUntil: '', nextShifts: [] };
}

async function readPerson(ctx: UserContext, id: number): Promise<WorkdayOfPerson> {
  const { db, user, now } = ctx;
  const isOwn = user.staffId === id;
  const day = toLocalDate(now());
  const isKept = inScope(user, leaveKeepers, { branch: branchOn(day) });
  const [balances, shifts, leaves, marks] = await Promise.all([
    balancesOf(ctx, id, day),
    readShifts(ctx, id, day),
    db
      .selectFrom('workday_leave as leave')
      .innerJoin('staff', 'staff.id', 'leave.staff_id')
      .innerJoin('workday_leave_type as type', 'type.id', 'leave.type_id')
      .where('leave.staff_id', '=', id)
      .select(['leave.id', 'leave.version', 'type.name as type', 'leave.from_day as fromDay', 'leave.to_day as toDay'])
      .select(['leave.from_half as fromHalf', 'leave.to_half as toHalf', 'leave.reason', 'leave.state'])
      .select([
        sql<boolean>`leave.paper_id is not null`.as('hasPaper'),
        sql<number>`coalesce((select sum(cost) from workday_leave_half where leave_id = leave.id), 0)::integer`.as(
          'cost',
        ),
        abilitiesOf(ctx, isKept).as('may'),
      ])
      .orderBy('leave.from_day', 'desc')
      .orderBy('leave.id', 'desc')
      .limit(mostShown)
      .execute(),
    db
      .selectFrom('workday_presence')
      .where('staff_id', '=', id)
      .where('day', '>', addDays(day, -31))
      .where('kind', '<>', 'Present')
      .select(['day', 'kind', 'note', sql<string>`coalesce(to_char(in_at, 'HH24:MI'), '')`.as('inAt')])
      .orderBy('day', 'desc')
      .execute(),
  ]);
  return {
    id,
    day,
    isOwn,
    mayEnter: !isOwn && user.sets.includes('hr'),
    ...shifts,
    balances: balances.map(({ code, name, earned, credited, taken, left }) => ({
      code,
      name,
      earned: showDays(earned),
      credited: showDays(credited),
      taken: showDays(taken),
      left: showDays(left),
    })),
    leaves: leaves.map(({ cost, state, ...leave }) => ({
      ...leave,
      state: state as StaffLeaveState,
      costs: showDays(cost),
    })),
    marks,
  };
}
