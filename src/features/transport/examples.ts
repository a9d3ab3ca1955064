import { addDays, toLocalDate } from '#kit/server/day.ts';
import { toGuardian } from '#testing/addressed.ts';
import type { Examples, Stage } from '#testing/examples.ts';
import { setDay } from '#testing/registers.ts';
import type { School } from '#testing/school.ts';
import { addRiders, openFleet } from '#testing/transport.ts';

/** A child and a member of staff who ride on a trip and ask for another stop. */
async function plantRides({ school, incharge, pupil }: Stage) {
  const [child] = await addRiders(school, await pupil(), 1);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  for (const [column, id] of [
    ['student_id', child],
    ['staff_id', incharge.staffId],
  ]) {
    await school.sql(`insert into transport_assignment (${column}, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
      values (${id}, ${pickup.trip}, ${stops[0]}, current_date, current_date, 'Free') on conflict do nothing`);
    await school.sql(`insert into transport_stop_change (request_no, ${column}, action, effective_from, reason, requested_by, requested_at)
      values ('SC${id}${column}', ${id}, 'Stop', current_date + 9, 'Moved', ${incharge.staffId}, now()) on conflict do nothing`);
  }
  return pickup.trip;
}

/** A child who waits for a seat at a stop. */
async function plantWait({ school, incharge, pupil }: Stage) {
  const [child] = await addRiders(school, await pupil(), 1);
  const { stops } = await openFleet(school, { seats: 3 });
  await school.sql(`insert into transport_wait (student_id, stop_id, ways, wanted_from, asked_on, entered_by, entered_at)
    values (${child}, ${stops[0]}, 'Both', current_date, current_date, ${incharge.staffId}, now())`);
}

const stopChanges = (word: string) => async (stage: Stage) => {
  await plantRides(stage);
  return { url: `/transport/${word}-stop-change/export?as=csv`, by: stage.incharge };
};

/** A child rides on a trip that runs on a school day soon. */
async function plantRide(school: School, studentId: number) {
  const today = toLocalDate(new Date());
  // A trip runs on six days of the week.
  const day = addDays(today, new Date(`${today}T00:00:00Z`).getUTCDay() === 6 ? 2 : 1);
  await setDay(school, day, 'Working day');
  const fleet = await openFleet(school, { seats: 3 });
  const [ride] =
    await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
    values (${studentId}, ${fleet.pickup.trip}, ${fleet.stops[0]}, '${today}', '${today}', 'By stop') returning id`);
  return { day, ...fleet, ride: Number(ride?.id) };
}

const idOf = (rows: Record<string, unknown>[]) => Number(rows[0]?.id);
const entered = '(select min(id) from staff), now()';

/** Tomorrow another bus takes the trip of a child, and a message to the guardian is due. */
async function plantOtherBus(school: School, { studentId, guardianId }: { studentId: number; guardianId: number }) {
  const { day, pickup, spare } = await plantRide(school, studentId);
  const [standIn] =
    await school.sql(`insert into transport_stand_in (trip_id, role, vehicle_id, effective_from, effective_to, act,
      entered_by, entered_at)
    values (${pickup.trip}, 'Vehicle', ${spare}, '${day}', '${day}', gen_random_uuid(), ${entered}) returning act`);
  await school.sql(`select transport_lay(array[${pickup.trip}])`);
  return idOf(
    await school.sql(
      `insert into transport_told (act, guardian_id) values ('${standIn?.act}', ${guardianId}) returning id`,
    ),
  );
}

/** Tomorrow a child has no bus, and a message to the guardian is due. */
async function plantNoBus(school: School, { studentId, guardianId }: { studentId: number; guardianId: number }) {
  const { day, ride } = await plantRide(school, studentId);
  const [other] =
    await school.sql(`insert into transport_day_ride (assignment_id, way, effective_from, effective_to, act,
      entered_by, entered_at) values (${ride}, 'Pickup', '${day}', '${day}', gen_random_uuid(), ${entered}) returning act`);
  return idOf(
    await school.sql(
      `insert into transport_told (act, guardian_id) values ('${other?.act}', ${guardianId}) returning id`,
    ),
  );
}

/** The bus of a child comes tomorrow after all, as on other days. */
async function plantUsual(school: School, { studentId, guardianId }: { studentId: number; guardianId: number }) {
  const { day, pickup } = await plantRide(school, studentId);
  return idOf(
    await school.sql(`insert into transport_told (act, guardian_id, back_on, trip_ids, student_ids)
      values (gen_random_uuid(), ${guardianId}, '${day}', '{${pickup.trip}}', '{${studentId}}') returning id`),
  );
}

export const examples: Examples = {
  messages: {
    'transport.changed': (school) => toGuardian(school, (of) => plantOtherBus(school, of)),
    'transport.none': (school) => toGuardian(school, (of) => plantNoBus(school, of)),
    'transport.usual': (school) => toGuardian(school, (of) => plantUsual(school, of)),
  },
  exports: {
    'GET /transport/rider/export': async (stage) => {
      await plantRides(stage);
      return { url: '/transport/rider/export?as=csv&tab=all', by: stage.incharge };
    },
    'GET /transport/paper/export': async ({ school, incharge }) => {
      await openFleet(school, { seats: 3 });
      return { url: '/transport/paper/export?as=csv&tab=all', by: incharge };
    },
    'GET /transport/wait/export': async (stage) => {
      await plantWait(stage);
      return { url: '/transport/wait/export?as=csv', by: stage.incharge };
    },
    'GET /transport/trip/:id/manifest': async (stage) => {
      const url = `/transport/trip/${await plantRides(stage)}/manifest?day=${toLocalDate(new Date())}`;
      return { url, by: stage.incharge };
    },
    'GET /transport/manifest': async (stage) => {
      await plantRides(stage);
      const today = toLocalDate(new Date());
      // A trip runs on six days of the week.
      const day = addDays(today, new Date(`${today}T00:00:00Z`).getUTCDay() === 0 ? 1 : 0);
      return { url: `/transport/manifest?day=${day}&direction=Pickup`, by: stage.incharge };
    },
    'GET /transport/staff-stop-change/export': stopChanges('staff'),
    'GET /transport/student-stop-change/export': stopChanges('student'),
  },
  rows: ({ sql }) =>
    sql(`insert into transport_reminded (what, subject_id, days, expires_on) values ('document', 1, 30, current_date);
      insert into transport_stand_in (trip_id, role, vehicle_id, effective_from, effective_to, act, entered_by, entered_at)
        select trip_id, 'Vehicle', vehicle_id, current_date, current_date, gen_random_uuid(), (select min(id) from staff), now()
        from transport_standing where role = 'Vehicle' limit 1;
      insert into transport_day_ride (assignment_id, way, effective_from, effective_to, act, entered_by, entered_at)
        select id, 'Pickup', current_date, current_date, gen_random_uuid(), (select min(id) from staff), now()
        from transport_assignment where pickup_trip_id is not null limit 1;
      insert into transport_wait (student_id, stop_id, ways, wanted_from, asked_on, entered_by, entered_at)
        select min(student.id), (select min(id) from transport_stop), 'Both', current_date, current_date,
          (select min(id) from staff), now() from student;
      insert into transport_told (act, guardian_id) select gen_random_uuid(), min(id) from guardian`),
};
