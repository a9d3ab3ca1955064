import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { type EnrolmentChange, enrolmentHook } from '#features/student/contract/hooks.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { chargeRides } from './fee-link.ts';
import { withTransportMessages } from './messages.ts';
import { lockRides } from './ride-locks.ts';

/** A ride as it was before its rider left. */
interface KeptRide {
  id: number;
  studentId: number | null;
  staffId: number | null;
  name: string;
  pickupTripId: number | null;
  pickupStopId: number | null;
  dropTripId: number | null;
  dropStopId: number | null;
  from: string;
  to: string | null;
  billedFrom: string;
  fee: string;
  version: number;
}

/** Who leaves; of an undone promotion only rides of the new year end. */
type Leaving =
  | { studentId: number; lastDay: string; isPromotion?: true | undefined }
  | { staffId: number; lastDay: string };

/** The rides of people who leave, and those that come back. */
function lockLeaving(ctx: ActingContext, leaving: readonly Leaving[], back: readonly KeptRide[]) {
  const people = JSON.stringify(leaving.map((one) => ({ studentId: null, staffId: null, ...one })));
  const trips = back.flatMap(({ pickupTripId, dropTripId }) => [pickupTripId, dropTripId]).filter((id) => id !== null);
  return lockRides(
    ctx,
    sql<boolean>`(own.id = any(${back.map(({ id }) => id)}::integer[]) or exists (
      select from jsonb_to_recordset(${people}::jsonb) as leaves ("studentId" integer, "staffId" integer, "lastDay" date)
      where (own.student_id = leaves."studentId" or own.staff_id = leaves."staffId")
        and coalesce(own.effective_to, 'infinity') > leaves."lastDay"))`,
    trips,
  );
}

const leavingOf = (changes: readonly EnrolmentChange[]) =>
  changes.flatMap(({ kind, studentId, day, isPromotion }) =>
    kind === 'left' || kind === 'cancelled' ? [{ studentId, lastDay: day, isPromotion }] : [],
  );

const backOf = ({ kind, kept }: EnrolmentChange) => (kind === 'back' ? ((kept?.transport ?? []) as KeptRide[]) : []);

const lockOfStudents = (ctx: ActingContext, changes: readonly EnrolmentChange[]) =>
  lockLeaving(ctx, leavingOf(changes), changes.flatMap(backOf));

/** Ends rides on the last day, and deletes those that begin later. Returns the rides as they were. */
async function endRides(ctx: ActingContext, leaving: readonly Leaving[]): Promise<KeptRide[]> {
  const { db } = ctx;
  const people = JSON.stringify(
    leaving.map((one) => ({
      student_id: 'studentId' in one ? one.studentId : null,
      staff_id: 'staffId' in one ? one.staffId : null,
      last_day: one.lastDay,
      keeps_earlier: 'isPromotion' in one && one.isPromotion === true,
    })),
  );
  const { rows } = await sql<KeptRide & { lastDay: string }>`
    select own.id, own.student_id as "studentId", own.staff_id as "staffId", coalesce(student.name, staff.name) as name,
      own.pickup_trip_id as "pickupTripId", own.pickup_stop_id as "pickupStopId", own.drop_trip_id as "dropTripId",
      own.drop_stop_id as "dropStopId", own.effective_from as "from", own.effective_to as "to",
      own.billed_from as "billedFrom", own.fee, own.version, leaves.last_day as "lastDay"
    from jsonb_to_recordset(${people}::jsonb) as leaves (student_id integer, staff_id integer, last_day date,
      keeps_earlier boolean)
    join transport_assignment own on own.student_id = leaves.student_id or own.staff_id = leaves.staff_id
    left join student on student.id = own.student_id
    left join staff on staff.id = own.staff_id
    where coalesce(own.effective_to, 'infinity') > leaves.last_day
      and (own.effective_from > leaves.last_day or not leaves.keeps_earlier)
    order by own.id`.execute(db);
  if (rows.length === 0) return [];
  const later = rows.filter(({ from, lastDay }) => from > lastDay);
  const cut = rows.filter(({ from, lastDay }) => from <= lastDay);
  if (later.length > 0)
    await db
      .deleteFrom('transport_assignment')
      .where('id', '=', sql<number>`any(${later.map(({ id }) => id)}::integer[])`)
      .execute();
  await sql`update transport_assignment own set effective_to = input.last_day, version = own.version + 1
    from jsonb_to_recordset(${JSON.stringify(cut.map(({ id, lastDay }) => ({ id, last_day: lastDay })))}::jsonb)
      as input (id integer, last_day date)
    where own.id = input.id`.execute(db);
  await auditAll(
    ctx,
    rows.map(({ id, name, lastDay }) => ({
      action: 'transport-rider.ended',
      entity: 'transport_assignment',
      entityId: id,
      details: { Name: name, Until: showDate(lastDay), Why: 'Left' },
    })),
  );
  return rows;
}

/** Gives rides back as they were; false where a seat is taken, and then nothing is given back. */
async function restoreRides(ctx: ActingContext, rides: readonly KeptRide[]): Promise<boolean> {
  const { db } = ctx;
  await sql`savepoint rides`.execute(db);
  try {
    await withTransportMessages(ctx, async () => {
      await sql`with input as materialized (
          select * from jsonb_to_recordset(${JSON.stringify(rides)}::jsonb) as input (id integer, "studentId" integer,
            "staffId" integer, "pickupTripId" integer, "pickupStopId" integer, "dropTripId" integer, "dropStopId" integer,
            "from" date, "to" date, "billedFrom" date, fee text)
        ), still as (
          update transport_assignment own set effective_to = input."to", version = own.version + 1
          from input where own.id = input.id returning own.id)
        insert into transport_assignment (student_id, staff_id, pickup_trip_id, pickup_stop_id, drop_trip_id, drop_stop_id,
            effective_from, effective_to, billed_from, fee)
          select "studentId", "staffId", "pickupTripId", "pickupStopId", "dropTripId", "dropStopId", "from", "to",
            "billedFrom", fee
          from input where id not in (select id from still)`.execute(db);
    });
    return true;
  } catch {
    await sql`rollback to savepoint rides`.execute(db);
    return false;
  }
}

/** A ride ends with the enrolment of its rider, and returns with it where the seats are still free. */
export const endStudentRides = answer(
  enrolmentHook,
  { by: 'transport', step: 8, lock: lockOfStudents },
  async (ctx, changes) => {
    const ended = await endRides(ctx, leavingOf(changes));
    const texts: Text[] =
      changes.length > 1 && changes.every(({ kind }) => kind === 'cancelled')
        ? ended
            .slice(0, 1)
            .map(() => text({ message: '{n, plural, one {# ride ends.} other {# rides end.}}' }, { n: ended.length }))
        : ended.map(({ name }) => text`Transport of ${{ name }} ends the same day.`);
    for (const change of changes) {
      const rides = backOf(change);
      const [first] = rides;
      if (!first) continue;
      const isBack = await restoreRides(ctx, rides);
      texts.push(
        isBack
          ? text`${{ name: first.name }} has the seat on the bus again.`
          : text`The seat of ${{ name: first.name }} is taken. Assign a seat again.`,
      );
    }
    // A plan that came back charges only the rides that came back. Leaving ends the charges of the plan itself.
    await chargeRides(
      ctx,
      changes.filter(({ kind, kept }) => kind === 'back' && kept?.transport).map(({ studentId }) => studentId),
    );
    const byStudent = Map.groupBy(ended, ({ studentId }) => studentId);
    return {
      texts,
      blocks: [],
      basis: ended.map(({ id, version }) => [id, version]),
      each: ended.flatMap(({ studentId }) =>
        studentId === null ? [] : [{ studentId, text: text`The bus ride ends` }],
      ),
      kept: Object.fromEntries(
        changes.flatMap(({ enrollmentId, studentId }) => {
          const own = byStudent.get(studentId);
          return own ? [[enrollmentId, own]] : [];
        }),
      ),
    };
  },
);

const lockOfStaff = (ctx: ActingContext, leaver: { staffId: number; lastDay: string }) =>
  lockLeaving(ctx, [leaver], []);

/** A member of staff rides until the last day; trips that would be without a driver or attendant block it. */
export const endStaffRides = answer(
  relieveHook,
  { by: 'transport', step: 8, lock: lockOfStaff },
  async (ctx, { staffId, lastDay }) => {
    const ended = await endRides(ctx, [{ staffId, lastDay }]);
    const { rows: duties } = await sql<{ id: number; version: number; trip: string }>`
    select duty.id, duty.version, route.name || ', ' || slot.name as trip
    from transport_duty duty
    join transport_crew crew on crew.id in (duty.driver_id, duty.attendant_id) and crew.staff_id = ${staffId}
    join transport_trip trip on trip.id = duty.trip_id
    join transport_route route on route.id = trip.route_id
    join transport_time_slot slot on slot.id = trip.time_slot_id
    where coalesce(duty.effective_to, 'infinity') > ${lastDay}::date
    order by duty.id`.execute(ctx.db);
    return {
      ends: ended.length > 0 ? [text`Transport ends the same day.`] : [],
      blocks: duties.map(({ trip }) => text`${{ trip }} needs another driver or attendant.`),
      basis: [ended.map(({ id, version }) => [id, version]), duties],
    };
  },
);
