import { sql } from 'kysely';
import { transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { fleetApi } from '../contract/fleet.ts';
import { paperFigures } from './paper-list.ts';
import { riderFigures } from './rider.ts';
import { routeFigures } from './route.ts';
import { waitFigures } from './wait.ts';

/** Riders, seats, requests and papers of today, each with its list. */
export async function transportFigures(ctx: UserContext) {
  const { db, user, now } = ctx;
  const today = toLocalDate(now());
  const seen = inScope(user, transportReaders, { branch: sql`route.branch_id` });
  const { rows } = await sql<{
    free: number;
    vehicles: number;
    students: number;
    staff: number;
  }>`
    with trips as (
      select duty.seats, transport_riders(trip.id, ${today}) as riders, duty.vehicle_id from transport_trip trip
      join transport_route route on route.id = trip.route_id
      join transport_duty duty on duty.trip_id = trip.id
        and ${today}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
      where ${seen})
    select
      (select coalesce(sum(seats - riders), 0)::integer from trips) as free,
      (select count(distinct vehicle_id)::integer from trips) as vehicles,
      (select count(*)::integer from transport_stop_change change join student on student.id = change.student_id
        where change.outcome is null
          and ${inScope(user, transportReaders, { branch: sql`student.branch_id` })}) as students,
      (select count(*)::integer from transport_stop_change change join staff_post post on post.staff_id = change.staff_id
          and ${today}::date between post.effective_from and coalesce(post.effective_to, 'infinity')
        where change.outcome is null and ${inScope(user, transportReaders, { branch: sql`post.branch_id` })}) as staff`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) return [];
  return [
    ...(await riderFigures(ctx, 'transport/', [{ label: text`Riders today`, query: {} }])),
    { label: text`Vehicles in use`, value: counts.vehicles },
    { label: text`Free seats`, value: counts.free },
    ...(await routeFigures(ctx, 'transport/route', [{ label: text`Routes over 90 % full`, query: { tab: 'full' } }])),
    ...(await waitFigures(ctx, 'transport/wait', [{ label: text`Waiting for a seat`, query: {} }])),
    { label: text`Student stop changes`, value: counts.students, to: 'transport/student-stop-change?tab=pending' },
    { label: text`Staff stop changes`, value: counts.staff, to: 'transport/staff-stop-change?tab=pending' },
    ...(await paperFigures(ctx, 'transport/paper', [
      { label: text`Papers expired`, query: {}, isLate: true },
      { label: text`Papers that expire soon`, query: { tab: 'soon' } },
    ])),
  ];
}

export const summary: Handler<typeof fleetApi.summary> = async (ctx) => ({ figures: await transportFigures(ctx) });
