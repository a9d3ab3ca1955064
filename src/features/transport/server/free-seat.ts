import { sql } from 'kysely';
import { riderReaders, studentRiderReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { isPlacedOn, studentOptions } from '#features/student/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { FreeTrip, riderApi } from '../contract/rider.ts';

export const freeSeats: Handler<typeof riderApi.freeSeats> = async ({ db, user }, asked) => {
  const { stopId, direction, day, studentId, staffId } = asked;
  // The rider’s own seat is free for a change.
  const { rows } = await sql<FreeTrip>`
    select trip.id as "tripId", route.name as route, slot.name as slot, transport_time(trip.id, ${stopId}, ${day}) as time,
      coalesce(transport_bus(trip.id, ${day}), '') as vehicle,
      coalesce(first.free, later.free, 0) as free, coalesce(least(later.free, first.free), 0) as least,
      case when later.free < first.free then later.day::text else '' end as "leastOn",
      coalesce((case when least(later.free, first.free) > 0 then null
        else transport_first_free(trip.id, ${day}, 1, ${studentId}, ${staffId}) end)::text, '') as "freeFrom"
    from transport_trip trip
    join transport_route route on route.id = trip.route_id and route.is_active and route.direction = ${direction}
    join transport_time_slot slot on slot.id = trip.time_slot_id
    join transport_route_plan plan on plan.route_id = route.id
      and ${day}::date between plan.effective_from and coalesce(plan.effective_to, 'infinity')
    join transport_route_stop stop on stop.plan_id = plan.id and stop.stop_id = ${stopId}
    left join lateral student_place(${studentId}::integer, ${day}::date) place on true
    left join academic_grade grade on grade.id = place.grade_id
    left join academic_grade first_grade on first_grade.id = slot.from_grade_id
    left join academic_grade last_grade on last_grade.id = slot.to_grade_id
    cross join lateral (select transport_free(trip.id, ${day}, ${studentId}, ${staffId}) as free) as first
    left join lateral (
      select days.day, transport_free(trip.id, days.day, ${studentId}, ${staffId}) as free
      from (select changing as day from transport_changing_days(trip.id) changing) as days
      where days.day > ${day}::date
      order by free, days.day limit 1) as later on true
    where ${inScope(user, riderReaders, { branch: sql`route.branch_id` })}
      and (grade.position is null or (grade.position >= coalesce(first_grade.position, grade.position)
        and grade.position <= coalesce(last_grade.position, grade.position)))
    order by time, route.name`.execute(db);
  return { trips: rows };
};

/** Students with a place at the school, and which bus each has already: one with a seat gets another one by a stop change. */
export const students: Handler<typeof riderApi.students> = async (ctx, asked) => {
  const today = toLocalDate(ctx.now());
  const found = await studentOptions(ctx, studentRiderReaders, asked, isPlacedOn(today));
  const { rows } = await sql<{ studentId: number; since: string; bus: string }>`
    select distinct on (own.student_id) own.student_id as "studentId", own.effective_from::text as since,
      coalesce(transport_bus(coalesce(own.pickup_trip_id, own.drop_trip_id), greatest(own.effective_from, ${today}::date)), '') as bus
    from transport_assignment own
    where own.student_id = any(${found.map(({ id }) => id)}::integer[])
      and coalesce(own.effective_to, 'infinity') >= ${today}::date
    order by own.student_id, own.effective_from`.execute(ctx.db);
  const rides = new Map(rows.map((ride) => [ride.studentId, ride]));
  return found.map((student) => {
    const ride = rides.get(student.id);
    if (!ride) return student;
    const words = `${ride.bus || 'Bus'}, ${ride.since > today ? 'from' : 'since'} ${showDate(ride.since)}`;
    return { ...student, detail: [student.detail, words].filter(Boolean).join(' · ') };
  });
};
