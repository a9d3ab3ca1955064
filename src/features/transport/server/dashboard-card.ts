import { sql } from 'kysely';
import { transportReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { mandatoryPapers } from '../contract/masters.ts';
import { riderFigures } from './rider.ts';
import { routeFigures } from './route.ts';

/** Riders, seats and papers of today. */
export const transportCard: DashboardCard = {
  title: text`Transport`,
  roles: ['Staff'],
  sets: ['transportIncharge', 'principal'],
  count: async (ctx) => {
    const { db, user, now } = ctx;
    const today = toLocalDate(now());
    const soon = addDays(today, 30);
    const seen = inScope(user, transportReaders, { branch: sql`route.branch_id` });
    const { rows } = await sql<{ free: number; papers: number; vehicles: number }>`
      with trips as (
        select duty.seats, transport_riders(trip.id, ${today}) as riders, duty.vehicle_id from transport_trip trip
        join transport_route route on route.id = trip.route_id
        join transport_duty duty on duty.trip_id = trip.id
          and ${today}::date between duty.effective_from and coalesce(duty.effective_to, 'infinity')
        where ${seen})
      select
        (select coalesce(sum(seats - riders), 0)::integer from trips) as free,
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
      ...(await riderFigures(ctx, 'transport/', [{ label: text`Riders today`, query: {} }])),
      { label: text`Vehicles in use`, value: counts.vehicles },
      { label: text`Free seats`, value: counts.free },
      ...(await routeFigures(ctx, 'transport/route', [
        { label: text`Routes with a trip over 90 % full`, query: { tab: 'full' } },
      ])),
      {
        label: text`Papers missing or expiring in 30 days`,
        value: counts.papers,
        isProblem: true,
        to: 'transport/vehicle?tab=vehicle-document&sort=expiresOn',
      },
    ];
  },
};
