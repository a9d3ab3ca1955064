import { sql } from 'kysely';
import { awayHook } from '#features/workday/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import { answer } from '#kit/server/hook.ts';
import { halfOf } from './away.ts';

/** The trips that a member of staff drives or attends in half days of leave. */
export const answerAway = answer(awayHook, { by: 'transport', step: 8 }, async ({ db }, { staffId, halves }) => {
  const { rows } = await sql<{ role: string; vehicle: string; route: string; starts: string; days: number }>`
    select case when duty.driver_id = crew.id then 'Driver' else 'Attendant' end as role, vehicle.fleet_no as vehicle,
      route.name as route, plan.starts, count(distinct away.day)::integer as days
    from jsonb_to_recordset(${JSON.stringify(halves)}::jsonb) as away (day date, half integer)
    join transport_crew crew on crew.staff_id = ${staffId}
    join transport_duty duty on crew.id in (duty.driver_id, duty.attendant_id)
      and away.day between duty.effective_from and coalesce(duty.effective_to, 'infinity')
    join transport_slot_plan plan on plan.id = duty.slot_plan_id and to_char(away.day, 'FMDay') = any(plan.weekdays)
      and ${halfOf(sql`plan.starts`)} = away.half
    join transport_vehicle vehicle on vehicle.id = duty.vehicle_id
    join transport_trip trip on trip.id = duty.trip_id
    join transport_route route on route.id = trip.route_id
    group by role, vehicle.fleet_no, route.name, plan.starts, trip.id
    order by plan.starts, route.name, trip.id`.execute(db);
  return {
    texts: rows.map(({ role, ...words }) =>
      role === 'Driver'
        ? text({ message: 'Drives {vehicle}, {route} at {starts}: {days, plural, one {# day} other {# days}}.' }, words)
        : text(
            { message: 'Attends {vehicle}, {route} at {starts}: {days, plural, one {# day} other {# days}}.' },
            words,
          ),
    ),
  };
});
