import { type RawBuilder, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { requestApproval } from '#features/approval/api.ts';
import { yearNames } from '#features/school/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { isDuplicate } from '#kit/server/database/database.ts';
import { nextNumber } from '#kit/server/database/numbering.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { notFound } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type SlabPrice, usualPrice } from '../contract/price.ts';
import type { RiderKind } from '../contract/rider.ts';
import {
  type ChangeAction,
  type ChangeState,
  changeMessages,
  rideApi,
  type StopChanges,
  stopChanges,
} from '../contract/stop-change.ts';
import { findPassed, lockRiders } from './assign.ts';
import { chargeRides, firstMonth } from './fee-link.ts';
import { giveFormerBack } from './kept-day-rides.ts';
import { withTransportMessages } from './messages.ts';
import { lockRidesById } from './ride-locks.ts';
import { cutOffDay } from './settings.ts';

export const stopChangeKind = 'transport.stop-change';

/** In a query of `own`, whose rides begin on its day: those words, and what a month costs before and after. */
const stateOn = (today: string) => sql<ChangeState>`case
  when own.outcome is null then 'Pending'
  when own.outcome = 'Approved' and own.effective_from > ${today}::date then 'Upcoming'
  when own.outcome = 'Approved' then 'Applied'
  else own.outcome end`;

/** The requests with their riders: the branch is that of the student, or of the post of the day. */
export const changesOf = ({ db }: Pick<UserContext, 'db'>, today: string) =>
  db
    .selectFrom('transport_stop_change as own')
    .leftJoin('student', 'student.id', 'own.student_id')
    .leftJoin('staff', 'staff.id', 'own.staff_id')
    .leftJoin('staff_post as post', (join) =>
      join
        .onRef('post.staff_id', '=', 'own.staff_id')
        .on(sql<boolean>`${today}::date between post.effective_from and coalesce(post.effective_to, 'infinity')`),
    )
    .leftJoin('academic_department as department', 'department.id', 'post.department_id')
    .innerJoin('staff as asker', 'asker.id', 'own.requested_by')
    .leftJoin('transport_stop as pickup', 'pickup.id', 'own.pickup_stop_id')
    .leftJoin('transport_stop as drop_stop', 'drop_stop.id', 'own.drop_stop_id')
    // The ride that the change replaces: the recorded one once it is decided.
    .leftJoin('transport_assignment as before', (join) =>
      join.on(
        sql<boolean>`case when own.outcome is null
          then (before.student_id = own.student_id or before.staff_id = own.staff_id)
            and own.effective_from between before.effective_from and coalesce(before.effective_to, 'infinity')
          else before.id = own.from_assignment_id end`,
      ),
    )
    .leftJoin('transport_stop as old_pickup', 'old_pickup.id', 'before.pickup_stop_id')
    .leftJoin('transport_stop as old_drop', 'old_drop.id', 'before.drop_stop_id')
    .select(['own.id', 'own.request_no', 'own.student_id', 'own.staff_id', 'own.effective_from', 'own.reason'])
    .select(['own.version', 'own.outcome', 'asker.name as requested_by', 'department.name as department'])
    .select(['own.pickup_trip_id', 'own.pickup_stop_id', 'own.drop_trip_id', 'own.drop_stop_id'])
    .select(['pickup.name as pickup', 'drop_stop.name as drop', 'before.id as before_id', 'before.fee as before_fee'])
    .select(['old_pickup.name as old_pickup', 'old_drop.name as old_drop', 'before.version as before_version'])
    .select([
      sql<ChangeAction>`own.action`.as('action'),
      sql<string>`coalesce(student.name, staff.name)`.as('name'),
      sql<number | null>`coalesce(student.branch_id, post.branch_id)`.as('branch_id'),
      sql<string | null>`(select name from student_place(own.student_id, ${today}::date))`.as('section'),
      stateOn(today).as('status'),
      sql<SlabPrice | null>`transport_price(own.pickup_stop_id, own.effective_from)`.as('pickup_price'),
      sql<SlabPrice | null>`transport_price(own.drop_stop_id, own.effective_from)`.as('drop_price'),
      sql<SlabPrice | null>`transport_price(before.pickup_stop_id, own.effective_from)`.as('old_pickup_price'),
      sql<SlabPrice | null>`transport_price(before.drop_stop_id, own.effective_from)`.as('old_drop_price'),
    ]);
export type FoundChange = Awaited<ReturnType<ReturnType<typeof changesOf>['executeTakeFirstOrThrow']>>;

/** What a month costs before and after, in paise. */
export function amountsOf(row: FoundChange): { before: number; after: number } {
  const isFree = row.before_fee !== null && row.before_fee !== 'By stop';
  const way = (stop: string | null, price: SlabPrice | null) => (stop === null ? undefined : price);
  const before = row.before_id
    ? usualPrice({
        isFree,
        pickup: way(row.old_pickup, row.old_pickup_price),
        drop: way(row.old_drop, row.old_drop_price),
      })
    : 0;
  // Staff pay by payroll.
  const after =
    row.action === 'Stop' || row.staff_id !== null
      ? 0
      : usualPrice({ isFree, pickup: way(row.pickup, row.pickup_price), drop: way(row.drop, row.drop_price) });
  return { before: row.staff_id === null ? before : 0, after };
}

/** Pickup and drop stop: one name where both are the same. */
export const stopsOf = (pickup: string | null, drop: string | null) =>
  pickup === drop ? (pickup ?? '') : [pickup ?? '–', drop ?? '–'].join(' → ');

const isOf = (kind: RiderKind): RawBuilder<boolean> =>
  kind === 'Student' ? sql`own.student_id is not null` : sql`own.staff_id is not null`;

const inBranch = (user: UserContext['user'], access: Parameters<typeof inScope>[1]) =>
  inScope(user, access, { branch: sql`coalesce(student.branch_id, post.branch_id)` });

function serveChanges({ kind, list, api }: StopChanges) {
  const { routes: listRoutes } = serveList(list, (ctx) => {
    const today = toLocalDate(ctx.now());
    const mayCancel = isGranted(api.cancel.access, ctx.user);
    return {
      query: changesOf(ctx, today).where(isOf(kind)).where(inBranch(ctx.user, list.access)),
      id: 'own.id',
      isPeople: true,
      matches: (word) =>
        sql<boolean>`concat_ws(' ', own.request_no, student.name, student.gr_no, staff.name) ilike ${contains(word)}`,
      tabs: {
        pending: sql<boolean>`own.outcome is null`,
        upcoming: sql<boolean>`own.outcome = 'Approved' and own.effective_from > ${today}::date`,
        applied: sql<boolean>`own.outcome = 'Approved' and own.effective_from <= ${today}::date`,
        closed: sql<boolean>`own.outcome in ('Rejected', 'Withdrawn', 'Cancelled')`,
      },
      filters: {
        action: (word) => sql<boolean>`own.action = ${word}`,
        stopId: (id) => sql<boolean>`${Number(id)} in (own.pickup_stop_id, own.drop_stop_id)`,
      },
      sorts: {
        name: { by: sql`coalesce(student.sort_name, lower(staff.name))`, as: 'text' },
        effectiveFrom: { by: sql`own.effective_from`, as: 'date' },
      },
      toRows: async (rows: FoundChange[]) =>
        rows.map((row) => {
          const { before, after } = amountsOf(row);
          return toOutput(list.row, row, {
            place: row.section ?? row.department ?? '',
            before: stopsOf(row.old_pickup, row.old_drop),
            after: stopsOf(row.pickup, row.drop),
            delta: after - before,
            may: { cancel: mayCancel && row.status === 'Upcoming' },
          });
        }),
    };
  });

  const request: Handler<typeof api.request> = async (ctx, input) => {
    const { db, user } = ctx;
    const { action, effectiveFrom, reason, studentId, staffId } = input;
    const rider = kind === 'Student' ? { studentId, staffId: null } : { studentId: null, staffId };
    if (effectiveFrom <= toLocalDate(ctx.now()) && !user.sets.includes('transportIncharge'))
      throw fieldRefusal('effectiveFrom', changeMessages.tooEarly);
    const ride =
      action === 'Stop'
        ? { pickupTripId: null, pickupStopId: null, dropTripId: null, dropStopId: null }
        : {
            pickupTripId: input.pickupTripId,
            pickupStopId: input.pickupStopId,
            dropTripId: input.dropTripId,
            dropStopId: input.dropStopId,
          };
    const problems = await lockRiders(ctx, [{ ...rider, ...ride }], effectiveFrom);
    const [problem] = Object.entries(problems);
    if (problem) throw fieldRefusal(problem[0].replace(/^riders\.0\./, ''), problem[1]);
    const present = await rideOn(ctx, rider, effectiveFrom);
    if (action === 'Start' && present) throw fieldRefusal('action', changeMessages.rides);
    if (action !== 'Start' && !present) throw fieldRefusal('action', changeMessages.ridesNot);
    const isSame =
      present !== undefined &&
      (Object.keys(ride) as (keyof typeof ride)[]).every((name) => present[name] === ride[name]);
    if (isSame) throw fieldRefusal('action', changeMessages.nothing);
    const requestNo = await nextNumber(db, { code: 'stop-change' }, await yearNames(ctx));
    const asked = { requestNo, action: String(action), effectiveFrom, reason };
    const by = { requestedBy: user.staffId, requestedAt: ctx.now() };
    const [{ id } = { id: 0 }] = await insertTogether(
      db,
      'transport_stop_change',
      [{ ...rider, ...ride, ...asked, ...by }],
      ['id'],
    ).catch((error: unknown) => {
      if (isDuplicate(error, 'transport_stop_change_open')) throw new AppError('conflict', changeMessages.open);
      throw error;
    });
    const [made] = await changesOf(ctx, toLocalDate(ctx.now())).where('own.id', '=', id).execute();
    const { before, after } = made ? amountsOf(made) : { before: 0, after: 0 };
    await audit(ctx, {
      action: 'stop-change.requested',
      entity: 'transport_stop_change',
      entityId: id,
      version: 1,
      details: { Request: requestNo, Action: action, From: showDate(effectiveFrom), Reason: reason },
    });
    await requestApproval(ctx, {
      kind: stopChangeKind,
      subjectId: id,
      branchId: made?.branch_id ?? null,
      studentId: rider.studentId,
      title: titleOf(action as ChangeAction, showDate(effectiveFrom)),
      amount: after - before,
      reason,
    });
    return { id, requestNo };
  };

  const cancel: Handler<typeof api.cancel> = async (ctx, { id }) => {
    const today = toLocalDate(ctx.now());
    const query = changesOf(ctx, today).where('own.id', '=', id).where(isOf(kind));
    const found = await query.where(inBranch(ctx.user, api.cancel.access)).executeTakeFirstOrThrow(notFound);
    await lockPeople(ctx, [found]);
    const row = await ctx.db
      .selectFrom('transport_stop_change')
      .where('id', '=', id)
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.outcome !== 'Approved' || row.effective_from <= today) throw new AppError('conflict', changeMessages.begun);
    await lockRidesById(
      ctx,
      [row.made_assignment_id, row.from_assignment_id].filter((ride) => ride !== null),
    );
    const { made_assignment_id: madeId, from_assignment_id: formerId, former_to: formerTo } = row;
    const dropped = await withTransportMessages(ctx, async () => {
      if (madeId !== null) return giveFormerBack(ctx, { madeId, formerId, formerTo });
      if (formerId !== null)
        await ctx.db
          .updateTable('transport_assignment')
          .set({ effective_to: formerTo, version: sql`version + 1` })
          .where('id', '=', formerId)
          .execute();
      return [];
    });
    await chargeRides(ctx, [row.student_id]);
    await ctx.db
      .updateTable('transport_stop_change')
      .set({ outcome: 'Cancelled', version: sql`version + 1` })
      .where('id', '=', id)
      .execute();
    await audit(ctx, {
      action: 'stop-change.cancelled',
      entity: 'transport_stop_change',
      entityId: id,
      version: row.version + 1,
      details: {
        Request: row.request_no,
        ...(dropped.length > 0 && { 'No longer on another bus': dropped.join('; ') }),
      },
    });
    return { dropped };
  };

  return [...listRoutes, ...routes(api, { request, cancel })];
}

const titleOf = (action: ChangeAction, day: string): Text =>
  action === 'Start'
    ? text`Transport from ${{ day }}`
    : action === 'Stop'
      ? text`Transport until the day before ${{ day }}`
      : text`Another stop from ${{ day }}`;

/** Locks the riders of requests, so that none leaves at the same time. */
export async function lockPeople(
  { db }: Pick<UserContext, 'db'>,
  rows: readonly Pick<FoundChange, 'student_id' | 'staff_id'>[],
) {
  const [students, staff] = [rows.map(({ student_id }) => student_id), rows.map(({ staff_id }) => staff_id)];
  await sql`select from student where id = any(${students}::integer[]) order by id for share`.execute(db);
  await sql`select from staff where id = any(${staff}::integer[]) order by id for share`.execute(db);
}

interface Rider {
  studentId: number | null;
  staffId: number | null;
}

/** The ride of a day, with its stops in words. */
async function rideOn({ db }: Pick<UserContext, 'db'>, { studentId, staffId }: Rider, day: string) {
  const found = await db
    .selectFrom('transport_assignment as own')
    .leftJoin('transport_stop as pickup', 'pickup.id', 'own.pickup_stop_id')
    .leftJoin('transport_stop as drop_stop', 'drop_stop.id', 'own.drop_stop_id')
    .where(sql<boolean>`(own.student_id = ${studentId} or own.staff_id = ${staffId})`)
    .where(sql<boolean>`${day}::date between own.effective_from and coalesce(own.effective_to, 'infinity')`)
    .select(['own.pickup_trip_id as pickupTripId', 'own.pickup_stop_id as pickupStopId'])
    .select(['own.drop_trip_id as dropTripId', 'own.drop_stop_id as dropStopId', 'own.fee'])
    .select(['pickup.name as pickup', 'drop_stop.name as drop'])
    .select([
      sql<SlabPrice | null>`transport_price(own.pickup_stop_id, ${day})`.as('pickupPrice'),
      sql<SlabPrice | null>`transport_price(own.drop_stop_id, ${day})`.as('dropPrice'),
    ])
    .executeTakeFirst();
  if (!found) return undefined;
  const { pickup, drop, fee, pickupPrice, dropPrice, ...ride } = found;
  const isFree = fee !== 'By stop';
  return {
    ...ride,
    isFree,
    words: stopsOf(pickup, drop),
    amount: usualPrice({
      isFree,
      pickup: pickup === null ? undefined : pickupPrice,
      drop: drop === null ? undefined : dropPrice,
    }),
  };
}

/** What a month costs with these stops on a day; undefined without a stop. */
async function priceOfStops(
  { db }: Pick<UserContext, 'db'>,
  stops: { isFree: boolean; pickupStopId: number | null; dropStopId: number | null },
  day: string,
): Promise<number | undefined> {
  const { isFree, pickupStopId, dropStopId } = stops;
  if (pickupStopId === null && dropStopId === null) return undefined;
  const { rows } = await sql<{ pickup: SlabPrice | null; drop: SlabPrice | null }>`
    select transport_price(${pickupStopId}, ${day}) as pickup, transport_price(${dropStopId}, ${day}) as "drop"`.execute(
    db,
  );
  return usualPrice({
    isFree,
    pickup: pickupStopId === null ? undefined : rows[0]?.pickup,
    drop: dropStopId === null ? undefined : rows[0]?.drop,
  });
}

const ride: Handler<typeof rideApi.ride> = async (ctx, asked) => {
  const { day, pickupStopId, dropStopId, pickupTripId, dropTripId, ...rider } = asked;
  const problems = await lockRiders(
    ctx,
    [{ ...rider, pickupTripId: null, pickupStopId: null, dropTripId: null, dropStopId: null }],
    day,
  );
  // A rider outside the user's branches does not exist for them.
  if (Object.keys(problems).length > 0) return { ride: null, asked: null, passed: null };
  const present = await rideOn(ctx, rider, day);
  const isFree = rider.staffId !== null || present?.isFree === true;
  const amount = await priceOfStops(ctx, { isFree, pickupStopId, dropStopId }, day);
  const passed = await findPassed(ctx, [{ key: 0, riders: [{ ...rider, pickupTripId, dropTripId }], day }]);
  return {
    passed: passed.get(0) ?? null,
    ride: present ?? null,
    asked: amount === undefined ? null : { amount, month: firstMonth(day, await readSetting(ctx, cutOffDay)) },
  };
};

export const stopChangeRoutes = [
  ...serveChanges(stopChanges.Student),
  ...serveChanges(stopChanges.Staff),
  ...routes(rideApi, { ride }),
];
