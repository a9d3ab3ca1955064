import { sql } from 'kysely';
import { closedYear } from '#features/calendar/contract/closed-year.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, daysBetween, toLocalDate } from '#kit/server/day.ts';
import { readSetting } from '#kit/server/settings.ts';
import { staffLeaveMessages as messages } from '../contract/leave.ts';
import { closedMonthOf } from './closed-month.ts';
import { daysBack } from './settings.ts';

/** How far leave beside a new one is read, as `workday_weigh` reads it. */
const reach = 70;
/** The id of a leave that is planned, in `workday_halves`. */
const planned = 2_147_483_647;

export const showDays = (halves: number): string => String(halves / 2);

export const showSpan = ({ fromDay, toDay }: { fromDay: string; toDay: string }): string =>
  fromDay === toDay ? showDate(fromDay) : `${showDate(fromDay)} – ${showDate(toDay)}`;

/** The days of a leave in the form of its row. */
export interface Span {
  fromDay: string;
  toDay: string;
  fromHalf: number;
  toHalf: number;
}

export const spanOf = ({
  fromDay,
  toDay,
  begins,
  ends,
}: {
  fromDay: string;
  toDay: string;
  begins: string;
  ends: string;
}) => ({ fromDay, toDay, fromHalf: begins === 'At noon' ? 2 : 1, toHalf: ends === 'At noon' ? 1 : 2 }) satisfies Span;

export interface Plan extends Span {
  staffId: number;
  typeId: number;
  /** The person asks; HR enters what notice and days back would refuse. */
  isOwn: boolean;
}

export interface Planned {
  yearId: number;
  typeName: string;
  cost: number;
  counted: number;
  /** Undefined where the type may go below zero: no balance is kept of it. */
  left: number | undefined;
  between: string[];
  refusal: { field: string; message: Text } | undefined;
}

/** The year of the first day, locked against closing if `locks`. */
async function findYear({ db }: Pick<UserContext, 'db'>, day: string, locks: boolean) {
  const query = db
    .selectFrom('academic_year')
    .where('starts_on', '<=', day)
    .where('ends_on', '>=', day)
    .select(['id', 'name', 'ends_on', 'closed_at']);
  return (locks ? query.forShare() : query).executeTakeFirst();
}

/** Takes the locks of an act on one person's leave: the year, then the person. */
export async function lockPerson(ctx: Pick<UserContext, 'db'>, staffId: number, day: string) {
  await findYear(ctx, day, true);
  await sql`select from staff where id = ${staffId} for no key update`.execute(ctx.db);
}

const nothing = { cost: 0, counted: 0, left: undefined, between: [] };

/** What a leave would cost, and the first reason to refuse it. An act has locked the person before. */
export async function planLeave(ctx: UserContext, plan: Plan): Promise<Planned> {
  const { staffId, typeId, fromDay, toDay } = plan;
  const year = await findYear(ctx, fromDay, false);
  const type = await ctx.db.selectFrom('workday_leave_type').where('id', '=', typeId).selectAll().executeTakeFirst();
  const refused = (field: string, message: Text): Planned => ({
    ...nothing,
    yearId: year?.id ?? 0,
    typeName: type?.name ?? '',
    refusal: { field, message },
  });
  if (!type?.is_active) return refused('typeId', messages.noType);
  if (!year) return refused('fromDay', messages.noYear);
  if (year.closed_at) return refused('fromDay', closedYear(year.name, toLocalDate(year.closed_at), 'reopen'));
  const closed = await closedMonthOf(ctx, fromDay, toDay);
  if (closed) return refused('fromDay', closed);
  if (toDay > year.ends_on) return refused('toDay', messages.twoYears(showDate(year.ends_on)));
  const json = JSON.stringify({ typeId, fromDay, toDay, fromHalf: plan.fromHalf, toHalf: plan.toHalf });
  const { rows } = await sql<{
    cost: number;
    worked: number;
    counted: number;
    inARow: number;
    between: string[];
    known: number;
    balance: number;
    gender: string;
    other: { type: string; fromDay: string; toDay: string } | null;
    off: string;
  }>`
    select own.cost, own.worked, own.counted, own.in_a_row as "inARow", own.between_days::text[] as between,
      own.known_days as known, workday_balance(staff.id, ${typeId}, ${year.id}, ${toDay}) as balance, staff.gender,
      (select jsonb_build_object('type', type.name, 'fromDay', leave.from_day, 'toDay', leave.to_day)
        from workday_leave_half half join workday_leave leave on leave.id = half.leave_id
        join workday_leave_type type on type.id = leave.type_id
        where half.staff_id = staff.id and not half.is_between
          and (half.day, half.half) >= (${fromDay}::date, ${plan.fromHalf}::smallint)
          and (half.day, half.half) <= (${toDay}::date, ${plan.toHalf}::smallint)
        order by half.day limit 1) as other,
      coalesce((select coalesce(nullif(days.name, ''), case days.kind when 'Working day' then '' else days.kind end)
        from workday_on(array[staff.id], ${fromDay}, ${fromDay}) as days), '') as off
    from staff
    cross join lateral workday_sum(staff.id, ${addDays(fromDay, -reach)}, ${addDays(toDay, reach)}, ${json}::jsonb, ${planned}) as own
    where staff.id = ${staffId}`.execute(ctx.db);
  const [own] = rows;
  if (!own || own.known <= daysBetween(fromDay, toDay)) return refused('fromDay', messages.notEmployed);
  const isHalf = plan.fromHalf === 2 || plan.toHalf === 1;
  if (type.gender && type.gender !== own.gender) return refused('typeId', messages.gender);
  if (isHalf && !type.is_half_allowed) return refused(plan.fromHalf === 2 ? 'begins' : 'ends', messages.wholeDays);
  if (own.other) return refused('fromDay', messages.overlap(own.other.type, showSpan(own.other)));
  if (own.worked === 0)
    return refused(
      'fromDay',
      fromDay === toDay && own.off ? messages.noWork(showDate(fromDay), own.off) : messages.noWorkAtAll,
    );
  const left = type.may_go_below ? undefined : own.balance - own.cost;
  const found = {
    yearId: year.id,
    typeName: type.name,
    cost: own.cost,
    counted: own.counted,
    left,
    between: own.between,
  };
  const refuse = (field: string, message: Text): Planned => ({ ...found, refusal: { field, message } });
  const today = toLocalDate(ctx.now());
  if (plan.isOwn) {
    const back = type.back_days ?? (await readSetting(ctx, daysBack));
    if (fromDay < addDays(today, -back)) return refuse('fromDay', messages.tooLate(back));
    if (type.notice_days > 0 && fromDay < addDays(today, type.notice_days))
      return refuse('fromDay', messages.tooSoon(type.notice_days));
  }
  if (left !== undefined && left < 0) return refuse('typeId', messages.left(showDays(Math.max(own.balance, 0))));
  if (type.most_halves_in_a_row !== null && own.inARow > type.most_halves_in_a_row)
    return refuse('toDay', messages.tooLong(showDays(type.most_halves_in_a_row)));
  return { ...found, refusal: undefined };
}

/** As `planLeave`, for an act: throws the refusal at its field. */
export async function requirePlan(ctx: UserContext, plan: Plan): Promise<Planned> {
  const found = await planLeave(ctx, plan);
  if (found.refusal) throw fieldRefusal(found.refusal.field, found.refusal.message);
  return found;
}

/** Writes the half days of new leave and weighs the days around it. */
export async function takeHalves(
  { db }: Pick<UserContext, 'db'>,
  leaveId: number,
  { staffId, ...span }: Span & { staffId: number },
) {
  const { fromDay, toDay, fromHalf, toHalf } = span;
  const within = sql`(day, half) >= (${fromDay}::date, ${fromHalf}::smallint) and (day, half) <= (${toDay}::date, ${toHalf}::smallint)`;
  await sql`delete from workday_leave_half where staff_id = ${staffId} and is_between and ${within}`.execute(db);
  await sql`insert into workday_leave_half (staff_id, day, half, leave_id)
    select ${staffId}, day, half, ${leaveId}
    from (select series.moment::date as day, halves.half
      from generate_series(${fromDay}::timestamp, ${toDay}::timestamp, interval '1 day') as series (moment)
      cross join (values (1::smallint), (2::smallint)) as halves (half)) as own
    where ${within}`.execute(db);
  await weigh({ db }, { people: [staffId], fromDay, toDay });
}

/** Ends the half days of leaves, from a half on where one is given, and weighs the days around them. */
export async function freeHalves({ db }: Pick<UserContext, 'db'>, ids: readonly number[], after = '-infinity') {
  await sql`delete from workday_leave_half where leave_id = any(${[...ids]}::integer[]) and (is_between or day > ${after}::date)`.execute(
    db,
  );
  const { rows } = await sql<{ people: number[]; fromDay: string; toDay: string }>`
    select array_agg(distinct staff_id order by staff_id) as people, min(from_day)::text as "fromDay", max(to_day)::text as "toDay"
    from workday_leave where id = any(${[...ids]}::integer[]) having count(*) > 0`.execute(db);
  for (const touched of rows) await weigh({ db }, touched);
}

interface Weighed {
  leaveId: number;
  before: number;
  after: number;
}

/** Weighs the leave of people around some days again; answers the leaves that cost another number of half days. */
export async function weigh(
  { db }: Pick<UserContext, 'db'>,
  { people, fromDay, toDay }: { people: readonly number[]; fromDay: string; toDay: string },
): Promise<Weighed[]> {
  const { rows } = await sql<Weighed>`select leave_id as "leaveId", before, after
    from workday_weigh(${[...people]}::integer[], ${fromDay}::date, ${toDay}::date)`.execute(db);
  return rows;
}
