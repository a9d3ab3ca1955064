import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { RideDraft } from '../contract/rider.ts';

export interface Continued extends RideDraft {
  /** The ride that ends on the day before; null for none. */
  formerId: number | null;
  studentId: number | null;
  staffId: number | null;
  to: string | null;
  fee: string;
}

/**
 * Begins rides on a day. The new ride takes over the other rides of the former one, each way that keeps its trip and its stop;
 * all in one statement, so that seats are counted with them.
 */
export async function continueRides({ db }: Pick<Context, 'db'>, rides: readonly Continued[], first: string) {
  const { rows } = await sql<{ id: number }>`
    with input as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rides)}::jsonb) as own ("formerId" integer, "studentId" integer,
        "staffId" integer, "pickupTripId" integer, "pickupStopId" integer, "dropTripId" integer, "dropStopId" integer,
        "to" date, fee text)
    ), made as (
      insert into transport_assignment (student_id, staff_id, pickup_trip_id, pickup_stop_id, drop_trip_id, drop_stop_id,
        effective_from, effective_to, billed_from, fee)
      select "studentId", "staffId", "pickupTripId", "pickupStopId", "dropTripId", "dropStopId", ${first}::date, "to",
        ${first}::date, fee
      from input returning *
    ), going as (
      insert into transport_day_ride (assignment_id, way, trip_id, stop_id, effective_from, effective_to, reason, act,
        is_told, entered_by, entered_at)
      select made.id, other.way, other.trip_id, other.stop_id, greatest(other.effective_from, ${first}::date),
        other.effective_to, other.reason, other.act, other.is_told, other.entered_by, other.entered_at
      from made
      join input on input."studentId" = made.student_id or input."staffId" = made.staff_id
      join transport_assignment former on former.id = input."formerId"
      join transport_day_ride other on other.assignment_id = former.id and other.effective_to >= ${first}::date
        and case other.way
          when 'Pickup' then (made.pickup_trip_id, made.pickup_stop_id) = (former.pickup_trip_id, former.pickup_stop_id)
          else (made.drop_trip_id, made.drop_stop_id) = (former.drop_trip_id, former.drop_stop_id) end
      order by other.id
    )
    select id from made order by id`.execute(db);
  return rows;
}
