import pg from 'pg';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { moreRiders } from '../contract/masters.ts';
import { riderMessages } from '../contract/rider.ts';
import { routeFields, routeMessages } from '../contract/route.ts';

/** Of a vehicle that an act enters as away. */
export const vehicleIsAway = text`The vehicle is away on some of these days already.`;

const rules: ConstraintMessages = {
  table: 'transport_route',
  fields: routeFields,
  constraintMessages: {
    transport_route_plan_overlap: { field: 'effectiveFrom', message: routeMessages.earlier },
    transport_duty_vehicle: { field: 'vehicleId', message: routeMessages.vehicleClash },
    transport_duty_driver: { field: 'driverId', message: routeMessages.driverClash },
    transport_duty_attendant: { field: 'attendantId', message: routeMessages.attendantClash },
    transport_duty_two_people: { field: 'attendantId', message: routeMessages.twoPeople },
    transport_duty_crew: { field: 'driverId', message: routeMessages.crewKind },
    transport_vehicle_away_once: { field: 'isUnderRepair', message: vehicleIsAway },
    transport_vehicle_away_effective_from_unique: { field: 'isUnderRepair', message: vehicleIsAway },
    transport_used: { field: 'isActive', message: text`Current or planned trips use this. End them first.` },
  },
};

/** Messages for the rules of trips, whichever act breaks them. */
export const constraintMessages = {
  transport_trip_seats: moreRiders,
  transport_rider_stop: routeMessages.stopOfRider,
  transport_assignment_student: riderMessages.studentHasSeat,
  transport_assignment_staff: riderMessages.staffHasSeat,
  transport_assignment_days: text`Enter a later day.`,
  transport_price_lowered_alone: riderMessages.priceAlone,
  transport_free_alone: riderMessages.freeAlone,
};

/** Runs an act on trips and riders with the messages of their rules; a refusal names the trip, day and papers. */
export const withTransportMessages = <Result>(
  ctx: Pick<Context, 'db' | 'constraintMessages'>,
  act: () => Promise<Result>,
): Promise<Result> => explained(() => withConstraintMessages(ctx, rules, () => explained(act)));

/** What a trigger says of the broken rule; the transaction can read nothing more. */
export async function explained<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !error.detail) throw error;
    if (error.constraint === 'transport_trip_seats') {
      const found = JSON.parse(error.detail) as {
        trip: string;
        day: string;
        riders: number;
        seats: number;
        enough: string | null;
      };
      const { trip, riders, seats, enough } = found;
      const day = showDate(found.day);
      throw new AppError(
        'conflict',
        seats === 0
          ? text`From ${{ day }} ${{ trip }} has no bus, so no seats for its ${{ riders }} riders. Choose the bus from that day.`
          : enough === null
            ? text`${{ trip }} has ${{ seats }} seats for ${{ riders }} riders on ${{ day }}.`
            : text`${{ trip }} has ${{ seats }} seats for ${{ riders }} riders on ${{ day }}. It has enough from ${{ enough: showDate(enough) }}.`,
      );
    }
    if (error.constraint === 'transport_duty_papers')
      throw new AppError('conflict', text`Missing or expired: ${{ papers: error.detail }}.`);
    if (error.constraint === 'transport_vehicle_away') {
      const { vehicle, trip, day } = JSON.parse(error.detail) as { vehicle: string; trip: string; day: string };
      throw new AppError('conflict', text`${{ vehicle }} is away on ${{ day: showDate(day) }}, and has ${{ trip }}.`);
    }
    throw error;
  }
}
