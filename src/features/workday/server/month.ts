import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { readFile, saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { type Table, tableFile } from '#kit/server/list/table-file.ts';
import { audit } from '#kit/server/security/audit.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { readSetting } from '#kit/server/settings.ts';
import {
  type MonthPerson,
  monthKeepers,
  monthMessages,
  monthName,
  peopleOfPage,
  type staffMonthApi,
} from '../contract/month.ts';
import { latesPerHalf } from './settings.ts';

const fileOwner = (id: number) => ({ table: 'workday_month', id });

interface Days {
  first: string;
  last: string;
}

/** The first and last day of a month as 2026-10; of the current one without it. */
function daysOf({ now }: UserContext, month: string): Days & { month: string; today: string } {
  const today = toLocalDate(now());
  const first = `${(month || today).slice(0, 7)}-01`;
  const last = addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
  return { today, month: first.slice(0, 7), first, last };
}

interface LeaveType {
  code: string;
  name: string;
}

interface Found {
  people: MonthPerson[];
  count: number;
  unmarked: number;
  presentOnLeave: number;
}

interface Sheet extends Found {
  types: LeaveType[];
}

/** The branch of a person at the end of a month. */
const branchAt = (last: string) => sql`(select post.branch_id from staff_post post where post.staff_id = staff.id
  and post.effective_from <= ${last}::date order by post.effective_from desc limit 1)`;

/** The sheet of a month: as it was closed while it is, else computed; the people of a page, or all. */
async function readSheet(ctx: UserContext, days: Days, page?: number): Promise<Sheet> {
  const kept = await readKept(ctx, days, page);
  if (kept) return kept;
  const [found, types] = await Promise.all([computeSheet(ctx, days, page), readTypes(ctx)]);
  return { ...found, types };
}

/** What a closed month keeps of the people of the user's branches. */
async function readKept(ctx: UserContext, { first, last }: Days, page?: number): Promise<Sheet | undefined> {
  const { rows } = await sql<Sheet>`
    with closed as materialized (
      select figures from workday_month where month = ${first}::date and reopened_at is null and figures is not null),
    own as materialized (
      select given.person, row_number() over (order by given.place) as place
      from closed cross join lateral jsonb_array_elements(closed.figures -> 'people') with ordinality as given (person, place)
      join staff on staff.id = (given.person ->> 'staffId')::integer
      where ${inScope(ctx.user, monthKeepers, { branch: branchAt(last) })})
    select closed.figures -> 'types' as types,
      coalesce((select jsonb_agg(person order by place) from own where ${page ?? null}::integer is null
        or place between ${((page ?? 1) - 1) * peopleOfPage + 1}::integer and ${(page ?? 1) * peopleOfPage}::integer), '[]') as people,
      (select count(*) from own)::integer as count,
      coalesce((select sum((person ->> 'unmarked')::numeric) from own), 0)::float8 as unmarked,
      coalesce((select sum((person ->> 'presentOnLeave')::integer) from own), 0)::integer as "presentOnLeave"
    from closed`.execute(ctx.db);
  return rows[0];
}

/** The people of the user's branches who are employed in a month, with what they worked; those of a page, or all. */
async function computeSheet(ctx: UserContext, { first, last }: Days, page?: number): Promise<Found> {
  const lates = await readSetting(ctx, latesPerHalf);
  const today = toLocalDate(ctx.now());
  const { rows } = await sql<Found>`
    with own as materialized (
      select staff.id, staff.name, staff.employee_number as number, row_number() over (order by lower(staff.name), staff.id) as place,
        (select sum(least(coalesce(spell.last_day, ${last}::date), ${last}::date) - greatest(spell.joined_on, ${first}::date) + 1)
          from staff_employment spell where spell.staff_id = staff.id and spell.joined_on <= ${last}::date
            and coalesce(spell.last_day, 'infinity') >= ${first}::date)::integer as employed
      from staff
      where exists (select from staff_employment spell where spell.staff_id = staff.id and spell.joined_on <= ${last}::date
          and coalesce(spell.last_day, 'infinity') >= ${first}::date)
        and ${inScope(ctx.user, monthKeepers, { branch: branchAt(last) })}),
    types as materialized (select id, code, row_number() over (order by code) as nth from workday_leave_type),
    taken as materialized (
      select half.staff_id, half.day, half.half, half.cost, leave.type_id, type.code, type.is_paid
      from workday_leave_half half
      join own on own.id = half.staff_id
      join workday_leave leave on leave.id = half.leave_id and leave.state = 'Granted'
      join workday_leave_type type on type.id = leave.type_id
      where half.day between ${first}::date and ${last}::date),
    -- A half day off costs nothing unless its leave counts it.
    leave as (
      select staff_id, day, max(code) filter (where half = 1) as first, max(code) filter (where half = 2) as second,
        coalesce(sum(cost) filter (where not is_paid), 0)::integer as unpaid
      from taken group by staff_id, day),
    days as materialized (
      select of.staff_id, of.day, work.halves as works, coalesce(mark.kind, '') as kind, leave.unpaid,
        coalesce(leave.first, '') as first, coalesce(leave.second, '') as second,
        (of.first_works and leave.first is not null)::integer + (of.second_works and leave.second is not null)::integer as on_leave,
        case mark.kind when 'Present' then 'P' when 'Late' then 'L' when 'Half day' then 'H' when 'Absent' then 'A'
          when 'On duty' then 'D' else '' end as letter
      from workday_on(array(select id from own), ${first}::date, ${last}::date) as of
      cross join lateral (select of.first_works::integer + of.second_works::integer as halves) as work
      left join workday_presence mark on mark.staff_id = of.staff_id and mark.day = of.day
      left join leave on leave.staff_id = of.staff_id and leave.day = of.day),
    sums as (
      select staff_id,
        sum(works)::integer as working,
        sum(case when kind in ('Present', 'Late', 'On duty') then case when works = 0 then 2 when on_leave >= works then works else works - on_leave end
          when kind = 'Half day' then 1 else 0 end)::integer as present,
        (count(*) filter (where kind = 'Late'))::integer as late,
        (count(*) filter (where kind = 'Half day'))::integer as half_days,
        sum(case kind when 'Absent' then works - on_leave when 'Half day' then greatest(works - 1 - on_leave, 0) else 0 end)::integer as absent,
        sum(case when kind = '' and day <= ${today}::date then works - on_leave else 0 end)::integer as unmarked,
        (count(*) filter (where works > 0 and on_leave >= works
          and (kind in ('Present', 'Late', 'On duty') or kind = 'Half day' and works > 1)))::integer as present_on_leave,
        coalesce(sum(unpaid), 0)::integer as unpaid
      from days group by staff_id),
    -- The days and the types of a person as one value each, so that no cell searches those of everybody.
    cells as materialized (
      select staff_id, jsonb_object_agg(day, case
          when first = '' and second = '' then case when letter = '' and works = 0 then '·' else letter end
          when first <> '' and second <> '' or on_leave >= works then
            case when kind in ('Present', 'Late', 'On duty') or kind = 'Half day' and works > 1 then letter || '+' else '' end
              || case when first = second or second = '' then first when first = '' then second else first || '/' || second end
          when first <> '' then first || '/' || letter
          else letter || '/' || second end) as by_day
      from days group by staff_id),
    costs as materialized (
      select staff_id, jsonb_object_agg(type_id, cost) as by_type
      from (select staff_id, type_id, sum(cost) as cost from taken group by staff_id, type_id) as its group by staff_id),
    rows as (
      select own.place, own.employed, sums.*, json_build_object(
        'staffId', own.id, 'name', own.name, 'number', own.number, 'employed', own.employed,
        'working', coalesce(sums.working, 0) / 2.0, 'present', coalesce(sums.present, 0) / 2.0, 'late', coalesce(sums.late, 0),
        'halfDays', coalesce(sums.half_days, 0), 'absent', coalesce(sums.absent, 0) / 2.0,
        'unmarked', coalesce(sums.unmarked, 0) / 2.0, 'presentOnLeave', coalesce(sums.present_on_leave, 0),
        'unpaid', coalesce(sums.unpaid, 0) / 2.0,
        'payable', own.employed - (coalesce(sums.absent, 0) + coalesce(sums.unpaid, 0)
          + case when ${lates}::integer > 0 then coalesce(sums.late, 0) / ${Math.max(lates, 1)}::integer else 0 end) / 2.0,
        'marks', array(select coalesce(cells.by_day ->> series.moment::date::text, '')
          from generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day') as series (moment) order by series.moment),
        'leave', array(select coalesce((costs.by_type ->> types.id::text)::integer, 0) / 2.0 from types order by types.nth)) as person
      from own
      left join sums on sums.staff_id = own.id
      left join cells on cells.staff_id = own.id
      left join costs on costs.staff_id = own.id
      where ${page ?? null}::integer is null
        or own.place between ${((page ?? 1) - 1) * peopleOfPage + 1}::integer and ${(page ?? 1) * peopleOfPage}::integer)
    select coalesce((select json_agg(person order by place) from rows), '[]') as people,
      (select count(*) from own)::integer as count,
      coalesce((select sum(unmarked) from sums), 0) / 2.0 as unmarked,
      coalesce((select sum(present_on_leave) from sums), 0)::integer as "presentOnLeave"`.execute(ctx.db);
  const [found] = rows;
  return {
    people: found?.people ?? [],
    count: found?.count ?? 0,
    unmarked: Number(found?.unmarked ?? 0),
    presentOnLeave: found?.presentOnLeave ?? 0,
  };
}

const readTypes = ({ db }: Pick<UserContext, 'db'>) =>
  db.selectFrom('workday_leave_type').select(['code', 'name']).orderBy('code').execute();

export const readMonth: Handler<typeof staffMonthApi.read> = async (ctx, asked) => {
  const { today, month, first, last } = daysOf(ctx, asked.month);
  const [sheet, closings] = await Promise.all([
    readSheet(ctx, { first, last }, asked.page ?? 1),
    ctx.db
      .selectFrom('workday_month')
      .innerJoin('staff', 'staff.id', 'workday_month.closed_by')
      .where('month', '=', first)
      .select(['workday_month.id', 'closed_at as closedAt', 'closed_by', 'staff.name as closedBy'])
      .select(sql<boolean>`reopened_at is not null`.as('isOpen'))
      .orderBy('workday_month.id', 'desc')
      .limit(20)
      .execute(),
  ]);
  const closed = closings.find(({ isOpen }) => !isOpen);
  const isWhole = ctx.user.scope.branches.length === 0;
  return {
    today,
    month,
    lastDay: last,
    ...sheet,
    closings: closings.map(({ closed_by: _, closedAt, ...closing }) => ({
      ...closing,
      closedAt: closedAt.toISOString(),
    })),
    mayClose: isWhole && !closed && last < today,
    mayRead: isWhole,
    mayReopen: isWhole && closed !== undefined && closed.closed_by !== ctx.user.staffId,
  };
};

function tableOf({ people, count, types }: Sheet, days: Days): Table & { count: number } {
  const dayCount = Number(days.last.slice(8));
  return {
    count,
    name: `staff-month-${days.first.slice(0, 7)}`,
    title: text`Staff in ${{ month: monthName(days.first) }}`,
    heads: [
      text`Employee number`,
      text`Name`,
      ...Array.from({ length: dayCount }, (_, index) => verbatim(String(index + 1))),
      text`Employed`,
      text`Working days`,
      text`Present`,
      text`Late`,
      text`Half days`,
      text`Absent`,
      ...types.map(({ code }) => verbatim(code)),
      text`Unpaid`,
      text`Not marked`,
      text`Payable`,
    ],
    rows: people.map((person) => [
      person.number,
      person.name,
      ...person.marks,
      person.employed,
      person.working,
      person.present,
      person.late,
      person.halfDays,
      person.absent,
      ...person.leave,
      person.unpaid,
      person.unmarked,
      person.payable,
    ]),
  };
}

export const exportMonth: Handler<typeof staffMonthApi.export> = async (ctx, { month, as }) => {
  const days = daysOf(ctx, month);
  const table = tableOf(await readSheet(ctx, days), days);
  const details = { Month: days.month, rows: table.count, as };
  return takeNames(
    ctx,
    { action: 'workday-month.exported', entity: 'workday_month', entityId: 0, details, names: table.count },
    () => tableFile(ctx, table, as),
  );
};

function requireWhole({ user }: UserContext) {
  if (user.scope.branches.length > 0) throw new AppError('conflict', monthMessages.whole);
}

/** Presence and leave wait for a closing, and it for them. */
const lockMonths = ({ db }: UserContext) => sql`select pg_advisory_xact_lock(hashtext('workday_month'))`.execute(db);

const findClosed = ({ db }: UserContext, first: string) =>
  db
    .selectFrom('workday_month')
    .where('month', '=', first)
    .where('reopened_at', 'is', null)
    .select(['id', 'closed_by'])
    .forUpdate()
    .executeTakeFirst();

export const closeMonth: Handler<typeof staffMonthApi.close> = async (ctx, asked) => {
  requireWhole(ctx);
  const { today, month, first, last } = daysOf(ctx, asked.month);
  if (last >= today) throw new AppError('conflict', monthMessages.notOver(last));
  await lockMonths(ctx);
  if (await findClosed(ctx, first)) throw new AppError('conflict', monthMessages.isClosed);
  const { rows: asking } = await sql<{ name: string }>`select distinct staff.name from workday_leave leave
    join staff on staff.id = leave.staff_id
    where leave.state = 'Asked' and leave.from_day <= ${last}::date and leave.to_day >= ${first}::date
    order by staff.name limit 3`.execute(ctx.db);
  if (asking.length > 0) throw new AppError('conflict', monthMessages.asked(asking.map(({ name }) => name).join(', ')));
  const sheet = await readSheet(ctx, { first, last });
  const { types, people } = sheet;
  const figures = JSON.stringify({ types, people });
  const { id } = await ctx.db
    .insertInto('workday_month')
    .values({ month: first, closed_by: ctx.user.staffId, closed_at: ctx.now(), figures })
    .returning('id')
    .executeTakeFirstOrThrow();
  const file = await tableFile(ctx, tableOf(sheet, { first, last }), 'xlsx');
  const bytes = Buffer.from(file.bytes);
  const file_id = await saveFile(ctx, fileOwner(id), 'sheet', {
    name: file.name,
    mediaType: file.mediaType,
    bytes,
    sha256: createHash('sha256').update(bytes).digest(),
  });
  await ctx.db.updateTable('workday_month').set({ file_id }).where('id', '=', id).execute();
  await audit(ctx, {
    action: 'workday-month.closed',
    entity: 'workday_month',
    entityId: id,
    details: { Month: month },
  });
  return {};
};

export const reopenMonth: Handler<typeof staffMonthApi.reopen> = async (ctx, asked) => {
  requireWhole(ctx);
  const { month, first } = daysOf(ctx, asked.month);
  await lockMonths(ctx);
  const closed = await findClosed(ctx, first);
  if (!closed) throw new AppError('conflict', monthMessages.notClosed);
  if (closed.closed_by === ctx.user.staffId) throw new AppError('conflict', monthMessages.ownClosing);
  await ctx.db
    .updateTable('workday_month')
    .set({ reopened_by: ctx.user.staffId, reopened_at: ctx.now() })
    .where('id', '=', closed.id)
    .execute();
  const act = { action: 'workday-month.reopened', entity: 'workday_month', entityId: closed.id };
  await audit(ctx, { ...act, details: { Month: month } });
  return {};
};

export const keptMonth: Handler<typeof staffMonthApi.kept> = async (ctx, { id }) => {
  requireWhole(ctx);
  const kept = await ctx.db
    .selectFrom('workday_month')
    .where('id', '=', id)
    .select(['month', 'file_id'])
    .executeTakeFirst();
  const fileId = kept?.file_id;
  if (!kept || !fileId) throw new AppError('not_found', notFoundMessage);
  const { rows } = await sql<{
    people: number;
  }>`select count(distinct staff_id)::integer as people from staff_employment
    where joined_on < ${kept.month}::date + interval '1 month' and coalesce(last_day, 'infinity') >= ${kept.month}::date`.execute(
    ctx.db,
  );
  const people = rows[0]?.people ?? 0;
  const details = { Month: kept.month.slice(0, 7), rows: people, as: 'xlsx' };
  const act = { action: 'workday-month.exported', entity: 'workday_month', entityId: id, details };
  return takeNames(ctx, { ...act, names: people }, () => readFile(ctx, fileOwner(id), fileId));
};
