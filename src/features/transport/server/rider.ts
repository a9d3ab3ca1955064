import { type RawBuilder, sql } from 'kysely';
import { transportKeepers, transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import type { Direction } from '../contract/masters.ts';
import { type SlabPrice, usualPrice } from '../contract/price.ts';
import { riderApi, riderList, riderMessages } from '../contract/rider.ts';
import { assign } from './assign.ts';
import { chargeRides } from './fee-link.ts';
import { freeSeats, students } from './free-seat.ts';
import { allManifests, manifest } from './manifest.ts';
import { withTransportMessages } from './messages.ts';
import { moveStop } from './move-stop.ts';
import { lockRidesById } from './ride-locks.ts';
import { isOn } from './route.ts';
import { wishes } from './wish.ts';

/** The day on which a ride is shown: today during the ride, else its first or last day. */
const shownDay = (today: string) =>
  sql<string>`greatest(own.effective_from, least(${today}::date, coalesce(own.effective_to, ${today}::date)))`;

/** The bus of a way on the day that is shown. */
const busOn = (way: Direction, today: string) => sql<string | null>`(
  select transport_bus(ride.trip_id, shown.day) from (select ${shownDay(today)} as day) as shown
  cross join lateral transport_rides_on(shown.day) ride where ride.assignment_id = own.id and ride.way = ${way})`;

const listedRiders = ({ db, user }: UserContext, today: string) =>
  db
    .selectFrom('transport_assignment as own')
    .leftJoin('student', 'student.id', 'own.student_id')
    .leftJoin('staff', 'staff.id', 'own.staff_id')
    .innerJoin('transport_trip as trip', (join) =>
      join.on(sql<boolean>`trip.id = coalesce(own.pickup_trip_id, own.drop_trip_id)`),
    )
    .innerJoin('transport_route as route', 'route.id', 'trip.route_id')
    .leftJoin('transport_stop as pickup_stop', 'pickup_stop.id', 'own.pickup_stop_id')
    .leftJoin('transport_stop as drop_stop', 'drop_stop.id', 'own.drop_stop_id')
    .where(inScope(user, transportReaders, { branch: sql`route.branch_id` }))
    .select(['own.id', 'own.student_id', 'own.staff_id', 'own.effective_from', 'own.effective_to', 'own.fee'])
    .select(['own.version', 'pickup_stop.name as pickup', 'drop_stop.name as drop'])
    .select([
      sql<string>`coalesce(student.name, staff.name)`.as('name'),
      sql<string | null>`case when own.student_id is not null
        then (select name from student_place(own.student_id, ${shownDay(today)}))
        else (select department.name from staff_post post join academic_department department
          on department.id = post.department_id where post.staff_id = own.staff_id
            and ${isOn(today, sql`post.effective_from`, sql`post.effective_to`)}) end`.as('place'),
      sql<string | null>`transport_time(own.pickup_trip_id, own.pickup_stop_id, ${shownDay(today)})`.as('pickup_time'),
      sql<string | null>`transport_time(own.drop_trip_id, own.drop_stop_id, ${shownDay(today)})`.as('drop_time'),
      busOn('Pickup', today).as('pickup_bus'),
      busOn('Drop', today).as('drop_bus'),
      sql<SlabPrice | null>`transport_price(own.pickup_stop_id, ${shownDay(today)})`.as('pickup_price'),
      sql<SlabPrice | null>`transport_price(own.drop_stop_id, ${shownDay(today)})`.as('drop_price'),
    ]);
type ListedRider = Awaited<ReturnType<ReturnType<typeof listedRiders>['executeTakeFirstOrThrow']>>;

const stopAt = (stop: string | null, time: string | null) => [stop, time].filter(Boolean).join(', ');

const {
  routes: riderListRoutes,
  selected: ridersSelected,
  figures: riderFigures,
} = serveList(riderList, (ctx) => {
  const today = toLocalDate(ctx.now());
  return {
    query: listedRiders(ctx, today),
    id: 'own.id',
    isPeople: true,
    matches: (word) => sql<boolean>`concat_ws(' ', student.name, student.gr_no, staff.name, pickup_stop.name,
      drop_stop.name) ilike ${contains(word)}`,
    tabs: {
      now: isOn(today, sql`own.effective_from`, sql`own.effective_to`),
      later: sql<boolean>`own.effective_from > ${today}::date`,
      ended: sql<boolean>`own.effective_to < ${today}::date`,
      all: undefined,
    },
    filters: {
      kind: (word) =>
        word === 'Student' ? sql<boolean>`own.student_id is not null` : sql<boolean>`own.staff_id is not null`,
      direction: (word) => ways[word as keyof typeof ways],
      stopId: (id) => sql<boolean>`${Number(id)} in (own.pickup_stop_id, own.drop_stop_id)`,
      vehicleId: (id) => sql<boolean>`exists (select from (select ${shownDay(today)} as day) as shown
        cross join lateral transport_rides_on(shown.day) ride
        join transport_duty duty on duty.trip_id = ride.trip_id and duty.vehicle_id = ${Number(id)}
          and shown.day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
        where ride.assignment_id = own.id)`,
      gradeId: (id) => sql<boolean>`exists (select from student_place(own.student_id, ${shownDay(today)}) place
        where place.grade_id = ${Number(id)})`,
      fee: (word) => sql<boolean>`own.fee = ${word}`,
    },
    sorts: {
      name: { by: sql`coalesce(student.sort_name, lower(staff.name))`, as: 'text' },
      since: { by: sql`own.effective_from`, as: 'date' },
    },
    toRows: async (rows: ListedRider[]) =>
      rows.map((row) =>
        toOutput(riderList.row, row, {
          kind: row.student_id === null ? 'Staff' : 'Student',
          personId: row.student_id ?? row.staff_id ?? 0,
          pickup: stopAt(row.pickup, row.pickup_time),
          drop: stopAt(row.drop, row.drop_time),
          since: row.effective_from,
          until: row.effective_to ?? '',
          amount: usualPrice({
            isFree: row.fee === 'Free',
            pickup: row.pickup === null ? undefined : row.pickup_price,
            drop: row.drop === null ? undefined : row.drop_price,
          }),
        }),
      ),
  };
});

const ways: Record<'Both' | 'Pickup' | 'Drop', RawBuilder<boolean>> = {
  Both: sql`num_nonnulls(own.pickup_trip_id, own.drop_trip_id) = 2`,
  Pickup: sql`own.drop_trip_id is null`,
  Drop: sql`own.pickup_trip_id is null`,
};

const end: Handler<typeof riderApi.end> = (ctx, { selection, lastDay, reason, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    const ids = await ridersSelected(ctx, selection);
    const rows = await listedRiders(ctx, toLocalDate(ctx.now()))
      .where(inScope(ctx.user, transportKeepers, { branch: sql`route.branch_id` }))
      .where('own.id', '=', sql<number>`any(${ids}::integer[])`)
      .orderBy('own.id')
      .execute();
    const skipped = rows.flatMap(({ id, name, effective_from, effective_to }) => {
      if (effective_from > lastDay) return [{ id, name, reason: riderMessages.beforeStart }];
      return effective_to !== null && effective_to <= lastDay ? [{ id, name, reason: riderMessages.endedBefore }] : [];
    });
    const isSkipped = new Set(skipped.map(({ id }) => id));
    const ended = rows.filter(({ id }) => !isSkipped.has(id)).map(({ id }) => id);
    await lockRidesById(ctx, ended);
    await withTransportMessages(ctx, () =>
      ctx.db
        .updateTable('transport_assignment')
        .set({ effective_to: lastDay, reason, version: sql`version + 1` })
        .where('id', '=', sql<number>`any(${ended}::integer[])`)
        .execute(),
    );
    await chargeRides(
      ctx,
      rows.filter(({ id }) => !isSkipped.has(id)).map(({ student_id }) => student_id),
    );
    const details = { Until: showDate(lastDay), ...(reason && { Reason: reason }) };
    await auditEach(ctx, { action: 'transport-rider.ended', entity: 'transport_assignment', details }, ended);
    return {
      answer: { changed: ended.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [lastDay, reason, rows.map(({ id, version }) => [id, version, isSkipped.has(id)])],
      isRefused: ended.length === 0,
    };
  });

export const riderRoutes = [
  ...riderListRoutes,
  ...routes(riderApi, { students, freeSeats, wishes, assign, end, moveStop, manifest, allManifests }),
];

export { riderFigures };
