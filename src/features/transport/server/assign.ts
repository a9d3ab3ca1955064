import { sql } from 'kysely';
import { studentRiderReaders, transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { isGuarded } from '#features/fee-price/api.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError, type FieldErrors, fieldRefusal, problemMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { type SlabPrice, usualPrice } from '../contract/price.ts';
import { type RiderDraft, type riderApi, riderMessages } from '../contract/rider.ts';
import { chargeRides } from './fee-link.ts';
import { holdFreeSeats } from './held-terms.ts';
import { withTransportMessages } from './messages.ts';

/**
 * Locks the people who ride, so that none leaves at the same time, and says which of them are not there on the day or ride
 * in a slot that is not for their grade.
 */
export async function lockRiders(
  { db, user }: Pick<UserContext, 'db' | 'user'>,
  riders: readonly Omit<RiderDraft, 'fee'>[],
  day: string,
): Promise<FieldErrors> {
  const studentIds = riders.flatMap(({ studentId }) => studentId ?? []);
  const staffIds = riders.flatMap(({ staffId }) => staffId ?? []);
  await sql`select from student where id = any(${studentIds}::integer[]) order by id for share`.execute(db);
  await sql`select from staff where id = any(${staffIds}::integer[]) order by id for share`.execute(db);
  const { rows: here } = await sql<{ id: number; position: number }>`
    select there.student_id as id, grade.position from student_on(${day}) there
    join academic_grade grade on grade.id = there.grade_id
    where there.student_id = any(${studentIds}::integer[])
      and ${inScope(user, studentRiderReaders, { branch: sql`there.branch_id` })}`.execute(db);
  const { rows: employed } = await sql<{ id: number }>`
    select staff_id as id from staff_employment where staff_id = any(${staffIds}::integer[])
      and ${day}::date between joined_on and coalesce(last_day, 'infinity')`.execute(db);
  const tripIds = riders.flatMap((rider) => [rider.pickupTripId ?? [], rider.dropTripId ?? []].flat());
  const { rows: trips } = await sql<{ id: number; least: number | null; most: number | null }>`
    select trip.id, first.position as least, last.position as most from transport_trip trip
    join transport_time_slot slot on slot.id = trip.time_slot_id
    left join academic_grade first on first.id = slot.from_grade_id
    left join academic_grade last on last.id = slot.to_grade_id
    where trip.id = any(${tripIds}::integer[])`.execute(db);
  const positions = new Map(here.map(({ id, position }) => [id, position]));
  const works = new Set(employed.map(({ id }) => id));
  const tripOf = new Map(trips.map((trip) => [trip.id, trip]));
  const problems: FieldErrors = {};
  riders.forEach((rider, place) => {
    const { studentId, staffId } = rider;
    const position = positions.get(studentId ?? 0);
    if (studentId !== null && position === undefined) problems[`riders.${place}.studentId`] = riderMessages.notHere;
    if (staffId !== null && !works.has(staffId)) problems[`riders.${place}.staffId`] = riderMessages.hasLeft;
    for (const name of ['pickupTripId', 'dropTripId'] as const) {
      const trip = tripOf.get(rider[name] ?? 0);
      const isOther =
        position !== undefined && trip && (position < (trip.least ?? position) || position > (trip.most ?? position));
      if (isOther) problems[`riders.${place}.${name}`] = riderMessages.otherGrade;
    }
  });
  return problems;
}

export const assign: Handler<typeof riderApi.assign> = (
  ctx,
  { riders, effectiveFrom, billedFrom, reason, confirmToken },
) =>
  previewOrApply(ctx, confirmToken, async () => {
    const { db } = ctx;
    const problems = {
      ...(await findSeated(ctx, riders, effectiveFrom)),
      ...(await lockRiders(ctx, riders, effectiveFrom)),
    };
    if (Object.keys(problems).length > 0) throw new AppError('invalid', problemMessage, { fields: problems });
    await requireTrips(ctx, riders);
    if (!reason) await requireNonePassed(ctx, riders, effectiveFrom);
    const isHeld = await isGuarded(ctx);
    const asked = new Set(riders.flatMap(({ studentId, fee }) => (isHeld && fee === 'Free' ? (studentId ?? []) : [])));
    const { rows: before } = await sql<{
      id: number;
    }>`select coalesce(max(id), 0) as id from transport_assignment`.execute(db);
    await withTransportMessages(ctx, () =>
      insertRows(
        db,
        'transport_assignment',
        riders.map((rider) => ({
          ...rider,
          effectiveFrom,
          billedFrom: billedFrom || effectiveFrom,
          reason,
          // Charged until a second person has decided.
          fee: asked.has(rider.studentId ?? 0) ? 'By stop' : rider.fee,
        })),
      ),
    );
    const { rows } = await sql<{
      id: number;
      studentId: number | null;
      name: string;
      pickup: string | null;
      drop: string | null;
      fee: string;
      pickupPrice: SlabPrice | null;
      dropPrice: SlabPrice | null;
    }>`
      select own.id, own.student_id as "studentId", coalesce(student.name, staff.name) as name, pickup.name as pickup, drop_stop.name as drop, own.fee,
        transport_price(own.pickup_stop_id, own.effective_from) as "pickupPrice",
        transport_price(own.drop_stop_id, own.effective_from) as "dropPrice"
      from transport_assignment own
      left join student on student.id = own.student_id
      left join staff on staff.id = own.staff_id
      left join transport_stop pickup on pickup.id = own.pickup_stop_id
      left join transport_stop drop_stop on drop_stop.id = own.drop_stop_id
      where own.id > ${before[0]?.id ?? 0} and own.effective_from = ${effectiveFrom}
        and (own.student_id = any(${riders.map(({ studentId }) => studentId)}::integer[])
          or own.staff_id = any(${riders.map(({ staffId }) => staffId)}::integer[]))
      order by own.id`.execute(db);
    await auditAll(
      ctx,
      rows.map(({ id, name, pickup, drop }) => ({
        action: 'transport-rider.assigned',
        entity: 'transport_assignment',
        entityId: id,
        version: 1,
        details: {
          Name: name,
          Pickup: pickup ?? '–',
          Drop: drop ?? '–',
          From: showDate(effectiveFrom),
          ...(reason && { Reason: reason }),
        },
      })),
    );
    await holdFreeSeats(
      ctx,
      rows.flatMap(({ id, studentId, name }) =>
        studentId !== null && asked.has(studentId) ? { id, version: 1, studentId, name } : [],
      ),
    );
    const charged = await chargeRides(
      ctx,
      rows.map(({ studentId }) => studentId),
    );
    const shown = rows.map(({ studentId, name, pickup, drop, fee, pickupPrice, dropPrice }) => ({
      name,
      /** Staff and students without a fee plan are charged nothing yet. */
      ofYear: charged.find((one) => one.studentId === studentId)?.difference ?? null,
      isAsked: asked.has(studentId ?? 0),
      pickup: pickup ?? '',
      drop: drop ?? '',
      amount: usualPrice({
        isFree: fee === 'Free',
        pickup: pickup === null ? undefined : pickupPrice,
        drop: drop === null ? undefined : dropPrice,
      }),
    }));
    return { answer: { rows: shown }, basis: [riders, effectiveFrom, billedFrom, reason, shown] };
  });

/** The riders who have a seat on the day or later. The database refuses a second seat too, but can't name the rider. */
async function findSeated({ db }: UserContext, riders: readonly RiderDraft[], day: string): Promise<FieldErrors> {
  const { rows } = await sql<{ studentId: number | null; staffId: number | null }>`
    select student_id as "studentId", staff_id as "staffId" from transport_assignment
    where (student_id = any(${riders.flatMap(({ studentId }) => studentId ?? [])}::integer[])
        or staff_id = any(${riders.flatMap(({ staffId }) => staffId ?? [])}::integer[]))
      and coalesce(effective_to, 'infinity') >= ${day}`.execute(db);
  const students = new Set(rows.map(({ studentId }) => studentId));
  const staff = new Set(rows.map(({ staffId }) => staffId));
  const problems: FieldErrors = {};
  riders.forEach(({ studentId, staffId }, place) => {
    if (studentId !== null && students.has(studentId))
      problems[`riders.${place}.studentId`] = riderMessages.studentHasSeat;
    if (staffId !== null && staff.has(staffId)) problems[`riders.${place}.staffId`] = riderMessages.staffHasSeat;
  });
  return problems;
}

type Seated = Pick<RiderDraft, 'studentId' | 'staffId' | 'pickupTripId' | 'dropTripId'>;

/** Refuses riders who would get a seat for which a child has waited longer. */
export async function requireNonePassed(ctx: UserContext, riders: readonly Seated[], day: string) {
  const passed = (await findPassed(ctx, [{ key: 0, riders, day }])).get(0);
  if (passed !== undefined)
    throw fieldRefusal(
      'reason',
      text`${{ name: passed }} waits for a seat on this trip. Enter why another child gets it.`,
    );
}

/**
 * By the key of each act the name of the first child in line whom it would pass over: one who asked earlier and waits for a
 * trip that has not enough seats for all who wait before these riders and for the riders themselves. A trip that a rider has
 * on the day already needs no seat.
 */
export async function findPassed(
  { db, now }: UserContext,
  acts: readonly { key: number; riders: readonly Seated[]; day: string }[],
): Promise<Map<number, string>> {
  const seats = acts.flatMap(({ key, riders, day }) =>
    riders.flatMap(({ studentId, staffId, pickupTripId, dropTripId }) =>
      [pickupTripId, dropTripId].flatMap((tripId) =>
        tripId === null ? [] : [{ key, day, studentId, staffId, tripId }],
      ),
    ),
  );
  if (seats.length === 0) return new Map();
  const { rows } = await sql<{ key: number; name: string }>`
    with seat as materialized (
      select seat.* from jsonb_to_recordset(${JSON.stringify(seats)}::jsonb)
        as seat (key integer, day date, "studentId" integer, "staffId" integer, "tripId" integer)
      where not exists (select from transport_assignment ride
        where (ride.student_id = seat."studentId" or ride.staff_id = seat."staffId")
          and seat."tripId" in (ride.pickup_trip_id, ride.drop_trip_id)
          and seat.day between ride.effective_from and coalesce(ride.effective_to, 'infinity'))
    ), line as materialized (
      select waiting.id, waiting.student_id, waiting.asked_on, line.pickup_trips || line.drop_trips as trips
      from transport_line(${toLocalDate(now())}::date) line join transport_wait waiting on waiting.id = line.wait_id
    ), earlier as materialized (
      select distinct seat.key, seat.day, seat."tripId", line.id, line.student_id, line.asked_on
      from seat join line on seat."tripId" = any(line.trips)
      left join transport_wait own on own.student_id = seat."studentId" and own.state = 'Waiting'
      where not exists (select from seat other where other.key = seat.key and other."studentId" = line.student_id)
        and (own.id is null or (line.asked_on, line.id) < (own.asked_on, own.id))
    ), short as materialized (
      select key, "tripId" from (
        select key, day, "tripId", count(*) as waiting from earlier group by key, day, "tripId") as counted
      where transport_first_free("tripId", day, (waiting + (select count(*) from seat
        where seat.key = counted.key and seat."tripId" = counted."tripId"))::integer, null, null) is distinct from day
    )
    select distinct on (earlier.key) earlier.key, student.name
    from earlier join short using (key, "tripId") join student on student.id = earlier.student_id
    order by earlier.key, earlier.asked_on, earlier.id`.execute(db);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Throws `not_found` for a trip outside the user's branches. */
async function requireTrips({ db, user }: UserContext, riders: readonly RiderDraft[]) {
  const ids = [...new Set(riders.flatMap((rider) => [rider.pickupTripId ?? [], rider.dropTripId ?? []].flat()))];
  const found = await db
    .selectFrom('transport_trip as trip')
    .innerJoin('transport_route as route', 'route.id', 'trip.route_id')
    .where('trip.id', '=', sql<number>`any(${ids}::integer[])`)
    .where(inScope(user, transportKeepers, { branch: sql`route.branch_id` }))
    .select('trip.id')
    .execute();
  if (found.length < ids.length) throw new AppError('not_found', riderMessages.noTrip);
}
