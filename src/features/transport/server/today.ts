import { type RawBuilder, sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { absentOn } from '#features/attendance/api.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { mandatoryPapers } from '../contract/masters.ts';
import { type DayTrip, dayReaders, type todayApi } from '../contract/today.ts';
import { awayCrew, halfOf } from './away.ts';
import { isOn } from './route.ts';

/** In a query of `trip`: what the role has on a day, with what it replaces; null for none. */
function givenOf(role: 'Vehicle' | 'Driver' | 'Attendant', day: string): RawBuilder<unknown> {
  const isVehicle = role === 'Vehicle';
  const own = isVehicle ? sql`own.vehicle_id` : sql`own.crew_id`;
  const nameOf = (id: RawBuilder<unknown>) =>
    isVehicle
      ? sql`(select fleet_no from transport_vehicle where id = ${id})`
      : sql`(select staff.name from transport_crew crew join staff on staff.id = crew.staff_id where crew.id = ${id})`;
  const detail = isVehicle
    ? sql`(select registration_no from transport_vehicle where id = own.vehicle_id)`
    : sql`(select staff.mobile from transport_crew crew join staff on staff.id = crew.staff_id where crew.id = own.crew_id)`;
  const isAway = isVehicle
    ? sql`exists (select from transport_vehicle_away away where away.vehicle_id = own.vehicle_id and away.is_active
        and ${isOn(day, sql`away.effective_from`, sql`away.effective_to`)})`
    : sql`own.crew_id in (select crew_id from ${awayCrew(day, day, sql`array[${halfOf(sql`plan.starts`)}]`)} as away)`;
  const lacking =
    role === 'Attendant'
      ? sql`'[]'::json`
      : isVehicle
        ? sql`(select coalesce(json_agg(needed.kind), '[]') from unnest(${mandatoryPapers}::text[]) as needed (kind)
            where not exists (select from transport_vehicle_document paper where paper.vehicle_id = own.vehicle_id
              and paper.kind = needed.kind and paper.is_active and paper.expires_on >= ${day}::date))`
        : sql`(select coalesce(json_agg(lacks.what), '[]') from transport_crew crew cross join lateral (
            select 'Licence' as what where coalesce(crew.licence_expires_on, '-infinity') < ${day}::date
            union all select 'Medical check' where coalesce(crew.medical_expires_on, '-infinity') < ${day}::date) as lacks
            where crew.id = own.crew_id)`;
  return sql`(
    select json_build_object('id', ${own}, 'name', ${nameOf(own)}, 'detail', coalesce(${detail}, ''), 'isAway', ${isAway},
      'lacking', ${lacking}, 'until', coalesce(own.until::text, ''), 'insteadOf', case when own.until is null then '' else
        coalesce((select ${nameOf(isVehicle ? sql`was.vehicle_id` : sql`was.crew_id`)} from transport_standing was
          where was.trip_id = trip.id and was.role = ${role} and ${isOn(day, sql`was.effective_from`, sql`was.effective_to`)}),
          '') end)
    from (
      select vehicle_id, crew_id, effective_to as until, id as place from transport_stand_in stand
      where stand.trip_id = trip.id and stand.role = ${role} and ${day}::date between stand.effective_from and stand.effective_to
      union all
      select vehicle_id, crew_id, null, 0 from transport_standing stand
      where stand.trip_id = trip.id and stand.role = ${role} and ${isOn(day, sql`stand.effective_from`, sql`stand.effective_to`)}
      order by place desc limit 1) as own)`;
}

/** Trips that run on a day by their slot, with what they have on it. */
async function readTrips({ db, user }: UserContext, day: string) {
  const { rows } = await sql<Omit<DayTrip, 'absent'> & { studentIds: number[] }>`
    select trip.id, route.id as "routeId", route.name as route, slot.name as slot, trip.direction,
      case when extract(isodow from ${day}::date) = 6 and plan.saturday_starts <> '' then plan.saturday_starts
        else plan.starts end as starts,
      case when extract(isodow from ${day}::date) = 6 and plan.saturday_ends <> '' then plan.saturday_ends
        else plan.ends end as ends,
      coalesce(duty.seats, 0) as seats, riding.riders, riding.guests, riding."studentIds",
      (select count(*)::integer from transport_rides_on(${day}) ride
        where ride.is_other and ride.usual_trip_id = trip.id and ride.trip_id is distinct from trip.id) as elsewhere,
      exists (select from transport_stand_in stand where stand.trip_id = trip.id and stand.role = 'Not running'
        and ${day}::date between stand.effective_from and stand.effective_to) as "isNotRunning",
      ${givenOf('Vehicle', day)} as vehicle, ${givenOf('Driver', day)} as driver, ${givenOf('Attendant', day)} as attendant,
      array(select act::text from (
          select act, entered_at from transport_stand_in stand
          where stand.trip_id = trip.id and ${day}::date between stand.effective_from and stand.effective_to
          union all
          select other.act, other.entered_at from transport_day_ride other
          join transport_assignment ride on ride.id = other.assignment_id
            and trip.id = case other.way when 'Pickup' then ride.pickup_trip_id else ride.drop_trip_id end
          where ${day}::date between other.effective_from and other.effective_to) as own
        group by act order by max(entered_at) desc, act) as acts
    from transport_trip trip
    join transport_route route on route.id = trip.route_id and route.is_active
    join transport_time_slot slot on slot.id = trip.time_slot_id
    join transport_slot_plan plan on plan.time_slot_id = slot.id
      and ${isOn(day, sql`plan.effective_from`, sql`plan.effective_to`)}
      and to_char(${day}::date, 'FMDay') = any(plan.weekdays)
    left join transport_duty duty on duty.trip_id = trip.id
      and ${isOn(day, sql`duty.effective_from`, sql`duty.effective_to`)}
    cross join lateral (
      select count(*)::integer as riders, count(*) filter (where ride.is_other and ride.usual_trip_id <> trip.id)::integer as guests,
        coalesce(array_agg(ride.student_id) filter (where ride.student_id is not null), '{}') as "studentIds"
      from transport_rides_on(${day}) ride where ride.trip_id = trip.id) as riding
    where ${inScope(user, dayReaders, { branch: sql`route.branch_id` })}
      and (duty.id is not null or exists (select from transport_standing own where own.trip_id = trip.id
        and ${isOn(day, sql`own.effective_from`, sql`own.effective_to`)}))
    order by starts, route.name, trip.id`.execute(db);
  return rows;
}

async function isWorkingDay({ db }: UserContext, day: string): Promise<boolean> {
  const { rows } = await sql<{ isWorking: boolean }>`
    select coalesce(bool_or(days.work > 0), false) as "isWorking" from academic_year year
    cross join lateral academic_school_days(year.id, ${day}, ${day}) as days
    where ${day}::date between year.starts_on and year.ends_on`.execute(db);
  return rows[0]?.isWorking ?? false;
}

export const readDay: Handler<typeof todayApi.day> = async (ctx, { day }) => {
  const found = await readTrips(ctx, day);
  const absent = new Set(
    (
      await absentOn(
        ctx,
        day,
        found.flatMap(({ studentIds }) => studentIds),
      )
    ).map(({ studentId }) => studentId),
  );
  return {
    day,
    today: toLocalDate(ctx.now()),
    isSchoolDay: await isWorkingDay(ctx, day),
    trips: found.map(({ studentIds, ...trip }) => ({
      ...trip,
      absent: studentIds.filter((studentId) => absent.has(studentId)).length,
    })),
    may: { replace: isGranted(transportKeepers, ctx.user) },
  };
};
