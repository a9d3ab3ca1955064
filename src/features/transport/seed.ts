import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { SeedPlan } from '#database/seed/plan.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Database } from '#kit/server/database/database.ts';
import { addDays } from '#kit/server/day.ts';
import { lines, seedCrew, seedRoute, seedStops, seedVehicles, seedWorkshop } from './seed-fleet.ts';
import { chargeRides } from './server/fee-link.ts';

/** Name, direction, begin and end. */
const slots = [
  ['Morning', 'Pickup', '06:45', '08:00'],
  ['Pre-primary morning', 'Pickup', '08:15', '09:15'],
  ['Afternoon', 'Drop', '14:00', '15:30'],
  ['Pre-primary noon', 'Drop', '12:30', '13:30'],
] as const;

/** Buses, routes of both directions, and the riders of the current year. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  const { db } = ctx;
  const year = await db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${plan.today}::date)`)
    .select(['id', 'starts_on'])
    .executeTakeFirstOrThrow();
  const branch = await db.selectFrom('academic_branch').select('id').orderBy('id').executeTakeFirstOrThrow();
  const crew = await seedCrew(ctx, plan, branch.id);
  await db.transaction().execute(async (tx) => {
    const stopIds = await seedStops(tx, year.id, branch.id);
    const slotIds = await tx
      .insertInto('transport_time_slot')
      .values(
        slots.map(([name, direction, starts, ends]) => ({
          name,
          direction,
          starts,
          ends,
          weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
          valid_from: year.starts_on,
        })),
      )
      .returning('id')
      .execute();
    const vehicles = await seedVehicles(tx, plan, branch.id);
    const trips = [];
    for (const [place, line] of lines.entries()) {
      const ids = line[2].map((name) => stopIds.get(name) ?? 0);
      const duty = {
        vehicle: vehicles[place] ?? 0,
        driver: crew[place] ?? 0,
        attendant: crew[place + lines.length] ?? 0,
        from: year.starts_on,
      };
      const at = { branchId: branch.id, place, name: line[0] };
      const pickup = await seedRoute(tx, { ...at, direction: 'Pickup', stops: ids }, slotIds[0]?.id ?? 0, duty);
      const drop = await seedRoute(
        tx,
        { ...at, direction: 'Drop', stops: [...ids].reverse(), partnerId: pickup.routeId },
        slotIds[2]?.id ?? 0,
        duty,
      );
      trips.push({ pickup: pickup.tripId, drop: drop.tripId, stops: ids, riders: line[1] });
    }
    await sql`update transport_vehicle_document set expires_on = ${addDays(plan.today, -5)}, issued_on = null
      where vehicle_id = ${vehicles[4]} and kind = 'PUC'`.execute(tx);
    await seedRiders(tx, plan, trips, year.starts_on);
    const [vehicle, other] = [vehicles[5] ?? 0, vehicles.at(-1) ?? 0];
    await seedWorkshop(tx, plan, { vehicle, other, tripIds: [trips[5]?.pickup ?? 0, trips[5]?.drop ?? 0] });
  });
  const riders = await db
    .selectFrom('transport_assignment')
    .select('student_id')
    .distinct()
    .orderBy('student_id')
    .execute();
  // Charged from the day the year began, and few enough plans for the deadline of a statement.
  const now = () => new Date(`${year.starts_on}T06:30:00Z`);
  for (let done = 0; done < riders.length; done += 60)
    await db.transaction().execute((tx) =>
      chargeRides(
        { ...ctx, db: tx, now },
        riders.slice(done, done + 60).map(({ student_id }) => student_id),
      ),
    );
}

interface SeededTrip {
  pickup: number;
  drop: number;
  stops: readonly number[];
  riders: number;
}

/** A third of the children ride, a few of them one way or free, and some of the staff. */
async function seedRiders(db: Database, plan: SeedPlan, trips: readonly SeededTrip[], from: string) {
  const random = plan.random('transport');
  const wanted = Math.min(300, Math.floor(plan.students / 3));
  const { rows: children } = await sql<{ id: number; joined_on: string }>`
    select enrollment.student_id as id, enrollment.joined_on from student_enrollment enrollment
    join academic_year year on year.id = enrollment.academic_year_id and year.id = academic_year_on(${plan.today}::date)
    join student on student.id = enrollment.student_id and student.left_on is null
    where enrollment.is_standing and enrollment.joined_on <= ${plan.today} order by md5(enrollment.student_id::text)
    limit ${wanted}`.execute(db);
  const staff = await db
    .selectFrom('staff')
    .where('id', 'not in', db.selectFrom('transport_crew').select('staff_id'))
    .select('id')
    .orderBy('id', 'desc')
    .limit(Math.min(12, Math.ceil(wanted / 25)))
    .execute();
  // Riders are spread in proportion to the seats, so that a small demo has some on each bus too.
  const all = trips.reduce((sum, { riders }) => sum + riders, 0);
  const seats = trips.flatMap((trip) =>
    Array.from(
      { length: Math.min(trip.riders, Math.floor((trip.riders * (wanted + staff.length)) / all)) },
      () => trip,
    ),
  );
  const people = [
    ...staff.map(({ id }) => ({ staff_id: id, student_id: null, joined: from })),
    ...children.map(({ id, joined_on }) => ({ staff_id: null, student_id: id, joined: joined_on })),
  ];
  await insertRows(
    db,
    'transport_assignment',
    people.flatMap(({ joined, ...person }, place) => {
      const trip = seats[place];
      if (!trip) return [];
      const stop = random.oneOf(trip.stops);
      const isOneWay = random.isOnceIn(15);
      const day = joined > from ? joined : from;
      return {
        ...person,
        pickup_trip_id: trip.pickup,
        pickup_stop_id: stop,
        drop_trip_id: isOneWay ? null : trip.drop,
        drop_stop_id: isOneWay ? null : stop,
        effective_from: day,
        billed_from: day,
        fee: person.staff_id ? 'Payroll' : random.isOnceIn(50) ? 'Free' : 'By stop',
      };
    }),
  );
}

/** Stop changes as they stand on the day: waiting, approved for later, applied and rejected. */
export async function finish({ db }: Context, _app: FastifyInstance, { today }: SeedPlan) {
  const asker = await db.selectFrom('staff').select('id').orderBy('id').executeTakeFirstOrThrow();
  const { rows: riders } = await sql<{ id: number; student: number; stop: number; other: number; trip: number }>`
    select own.id, own.student_id as student, own.pickup_stop_id as stop, own.pickup_trip_id as trip,
      (select stop.stop_id from transport_route_stop stop join transport_route_plan plan on plan.id = stop.plan_id
        join transport_trip trip on trip.route_id = plan.route_id
        where trip.id = own.pickup_trip_id and stop.stop_id <> own.pickup_stop_id order by stop.seq limit 1) as other
    from transport_assignment own
    where own.student_id is not null and own.effective_to is null and own.effective_from < ${today}::date - 40
    order by own.id limit 8`.execute(db);
  const planned = [
    ['Change', 12, null],
    ['Stop', 20, null],
    ['Change', 9, null],
    ['Change', 6, 'Approved'],
    ['Stop', 30, 'Approved'],
    ['Change', -20, 'Approved'],
    ['Stop', -10, 'Approved'],
    ['Change', 5, 'Rejected'],
  ] as const;
  for (const [place, [action, inDays, outcome]] of planned.entries()) {
    const rider = riders[place];
    if (!rider) continue;
    const from = addDays(today, inDays);
    const isStop = action === 'Stop';
    const trip = { pickup_trip_id: isStop ? null : rider.trip, pickup_stop_id: isStop ? null : rider.other };
    await db.transaction().execute(async (tx) => {
      const applied = outcome === 'Approved' ? await applyChange(tx, rider, from, isStop) : null;
      const { id } = await tx
        .insertInto('transport_stop_change')
        .values({
          request_no: `SC${String(place + 1).padStart(5, '0')}`,
          student_id: rider.student,
          action,
          ...trip,
          effective_from: from,
          reason: isStop ? 'Comes by bicycle' : 'Moved to another house',
          requested_by: asker.id,
          requested_at: `${addDays(from, -25)}T05:30:00Z`,
          from_assignment_id: outcome === 'Approved' ? rider.id : null,
          made_assignment_id: applied,
          outcome,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (outcome !== null) return;
      await tx
        .insertInto('approval')
        .values({
          kind: 'transport.stop-change',
          transport_stop_change_id: id,
          branch_id: sql`(select branch_id from student where id = ${rider.student})`,
          student_id: rider.student,
          title: JSON.stringify(isStop ? text`Transport ends` : text`Another stop`),
          requested_by: asker.id,
          requested_at: `${today}T05:30:00Z`,
        })
        .execute();
    });
  }
  await finishLine(db, today, asker.id);
  const ofStaff = await finishStaff(db, today, asker.id, planned.length);
  await sql`insert into number_series_value (series_id, period, next_value)
    select id, '', ${planned.length + ofStaff + 1} from number_series where code = 'stop-change'`.execute(db);
}

/** Children who wait for a seat: three on a bus that is full, and one on a bus that has seats. */
async function finishLine(db: Database, today: string, askerId: number) {
  const stops = ['Pal RTO', 'Adajan Circle', 'Pal RTO', 'Ring Road'];
  await sql`
    insert into transport_wait (student_id, stop_id, ways, wanted_from, asked_on, note, entered_by, entered_at)
    select child.id, stop.id, 'Both', ${today}::date, ${today}::date - child.place::integer * 3, '', ${askerId}, ${`${today}T05:30:00Z`}
    from (select enrollment.student_id as id, row_number() over (order by md5(enrollment.student_id || ' waits')) as place
      from student_enrollment enrollment
      join academic_year year on year.id = enrollment.academic_year_id and year.id = academic_year_on(${today}::date)
      join student on student.id = enrollment.student_id and student.left_on is null
      where enrollment.is_standing and enrollment.joined_on <= ${today}
        and not exists (select from transport_assignment own where own.student_id = enrollment.student_id)
      order by 2 limit ${stops.length}) as child
    join unnest(${stops}::text[]) with ordinality as wanted (name, place) on wanted.place = child.place
    join transport_stop stop on stop.name = wanted.name`.execute(db);
}

/** The stop changes of colleagues: one ends later, and one was rejected. Returns how many there are. */
async function finishStaff(db: Database, today: string, askerId: number, before: number): Promise<number> {
  const { rows: riders } = await sql<{ id: number; staff: number }>`
    select id, staff_id as staff from transport_assignment
    where staff_id is not null and effective_to is null and effective_from < ${today}::date - 40
    order by id limit 2`.execute(db);
  for (const [place, rider] of riders.entries()) {
    const isApproved = place === 0;
    const from = addDays(today, 14);
    if (isApproved)
      await db
        .updateTable('transport_assignment')
        .set({ effective_to: addDays(from, -1) })
        .where('id', '=', rider.id)
        .execute();
    await db
      .insertInto('transport_stop_change')
      .values({
        request_no: `SC${String(before + place + 1).padStart(5, '0')}`,
        staff_id: rider.staff,
        action: 'Stop',
        effective_from: from,
        reason: 'Comes by scooter',
        requested_by: askerId,
        requested_at: `${addDays(today, -6)}T05:30:00Z`,
        from_assignment_id: isApproved ? rider.id : null,
        outcome: isApproved ? 'Approved' : 'Rejected',
      })
      .execute();
  }
  return riders.length;
}

async function applyChange(
  db: Database,
  rider: { id: number; student: number; other: number; trip: number },
  from: string,
  isStop: boolean,
): Promise<number | null> {
  await db
    .updateTable('transport_assignment')
    .set({ effective_to: addDays(from, -1) })
    .where('id', '=', rider.id)
    .execute();
  if (isStop) return null;
  const { id } = await db
    .insertInto('transport_assignment')
    .values({
      student_id: rider.student,
      pickup_trip_id: rider.trip,
      pickup_stop_id: rider.other,
      effective_from: from,
      billed_from: from,
      fee: 'By stop',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
