import { toLocalDate } from '#kit/server/day.ts';
import type { Examples, Stage } from '#testing/examples.ts';
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

const stopChanges = (word: string) => async (stage: Stage) => {
  await plantRides(stage);
  return { url: `/transport/${word}-stop-change/export?as=csv`, by: stage.incharge };
};

export const examples: Examples = {
  exports: {
    'GET /transport/rider/export': async (stage) => {
      await plantRides(stage);
      return { url: '/transport/rider/export?as=csv&tab=all', by: stage.incharge };
    },
    'GET /transport/trip/:id/manifest': async (stage) => {
      const url = `/transport/trip/${await plantRides(stage)}/manifest?day=${toLocalDate(new Date())}`;
      return { url, by: stage.incharge };
    },
    'GET /transport/staff-stop-change/export': stopChanges('staff'),
    'GET /transport/student-stop-change/export': stopChanges('student'),
  },
  rows: ({ sql }) =>
    sql(`insert into transport_reminded (what, subject_id, days, expires_on) values ('document', 1, 30, current_date);
      insert into transport_stand_in (trip_id, role, vehicle_id, effective_from, effective_to, act, entered_by, entered_at)
        select trip_id, 'Vehicle', vehicle_id, current_date, current_date, gen_random_uuid(), (select min(id) from staff), now()
        from transport_standing where role = 'Vehicle' limit 1;
      insert into transport_told (act, guardian_id) select gen_random_uuid(), min(id) from guardian`),
};
