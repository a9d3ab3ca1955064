import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openFleet } from '#testing/transport.ts';
import { timeSlotMaster } from '../contract/masters.ts';

let school: School;
let keeper: Person;
let fleet: Awaited<ReturnType<typeof openFleet>>;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.person({ name: 'Ramesh', role: 'Staff', sets: ['transportIncharge'] });
  fleet = await openFleet(school, { seats: 3 });
});
afterAll(() => school.close());

test('F1.2 a stop of a route is not deleted', async () => {
  const [stop] = fleet.stops;
  const url = `/api/transport/stop/${stop}`;
  const refused = await keeper.send({ method: 'DELETE', url, body: { version: 1 } });
  expect([refused.status, refused.json.error?.message]).toEqual([
    409,
    'This is in use, so it can’t be deleted. Deactivate it instead.',
  ]);
  expect(await school.sql(`select id from transport_stop where id = ${stop}`)).toHaveLength(1);
});

test('F2.3 a time slot of trips is not deactivated before the trips are changed', async () => {
  const { rows } = await keeper.call(timeSlotMaster.api.list, {} as never);
  const [trip] = await school.sql(`select time_slot_id as id from transport_trip where id = ${fleet.pickup.trip}`);
  const { displayName, usedBy, names, ...slot } = rows.find(({ id }) => id === trip?.id) ?? { id: 0 };
  const refused = await keeper.send({
    method: 'PUT',
    url: `/api/transport/time-slot/${trip?.id}`,
    body: { ...slot, id: undefined, isActive: false },
  });
  expect(refused.json.error?.fields).toEqual({
    isActive: 'Current or planned trips use this. Change the trips first.',
  });
  expect(await school.sql(`select is_active from transport_time_slot where id = ${trip?.id}`)).toEqual([
    { is_active: true },
  ]);
});
