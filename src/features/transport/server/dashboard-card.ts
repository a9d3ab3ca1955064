import { sql } from 'kysely';
import { transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { mandatoryPapers } from '../contract/masters.ts';

/** Riders, seats and papers of today. */
export const transportCard: DashboardCard = {
  title: text`Transport`,
  sets: ['transportIncharge', 'principal'],
  count: async ({ db, user, now }) => {
    const today = toLocalDate(now());
    const soon = addDays(today, 30);
    const seen = inScope(user, transportReaders, { branch: sql`route.branch_id` });
    const { rows } = await sql<{ riders: number; free: number; full: number; papers: number; vehicles: number }>`
      with trips as (
        select duty.seats, transport_riders(trip.id, ${today}) as riders, duty.vehicle_id from transport_trip trip
        join transport_route route on route.id = trip.route_id
        join transport_duty duty on duty.trip_id = trip.id
          and ${today}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
        where ${seen})
      select
        (select count(*)::integer from transport_assignment own
          join transport_trip trip on trip.id = coalesce(own.pickup_trip_id, own.drop_trip_id)
          join transport_route route on route.id = trip.route_id
          where ${today}::date between own.effective_from and coalesce(own.effective_to, 'infinity') and ${seen}) as riders,
        (select coalesce(sum(seats - riders), 0)::integer from trips) as free,
        (select count(*)::integer from trips where riders * 100 > seats * 90) as full,
        (select count(distinct vehicle_id)::integer from trips) as vehicles,
        (select count(*)::integer from transport_vehicle vehicle cross join unnest(${mandatoryPapers}::text[]) as kind
          where vehicle.is_active and ${inScope(user, transportReaders, { branch: sql`vehicle.branch_id` })}
            and not exists (select from transport_vehicle_document paper where paper.vehicle_id = vehicle.id
              and paper.kind = kind.kind and paper.is_active and paper.expires_on > ${soon}::date)) as papers`.execute(
      db,
    );
    const [counts] = rows;
    if (!counts) return [];
    return [
      { label: text`Riders today`, value: counts.riders, to: 'transport/' },
      { label: text`Vehicles in use`, value: counts.vehicles, to: 'transport/vehicle' },
      { label: text`Free seats`, value: counts.free, to: 'transport/route' },
      { label: text`Trips over 90 % full`, value: counts.full, to: 'transport/route?tab=full' },
      {
        label: text`Papers missing or expiring in 30 days`,
        value: counts.papers,
        isProblem: true,
        to: 'transport/vehicle?tab=vehicle-document&sort=expiresOn',
      },
    ];
  },
};
