import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { seatApi } from '../../contract/seat.ts';

let school: School;
let head: Person;
let accountant: Person;
let seats: ReturnType<typeof openSeats>;

beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ role: 'Staff', sets: ['admissionHead'] });
  accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  seats = openSeats(school, head);
});
afterAll(() => school.close());

test('before an offer it is read what the seat costs and what is free then, and the families next for a free seat are listed', async () => {
  const { verified } = await seats.planned({ total: 2 });
  const ids = [await verified(), await verified()];
  const [first = 0, second = 0] = ids;
  const asked = { kind: 'Offer', seatQuota: '', conditions: '', offerUntil: '', reasonId: null, note: '' };
  const preview = await head.call(processApi.decide, { ...asked, selection: seats.chosen([first]) } as never);
  expect(preview.seats).toMatchObject([{ quota: 'General', count: 1, free: 0, fee: 1_500_000, offerDays: 7 }]);
  await seats.decide('Waitlist', ids);
  await seats.release(ids);
  const listed = async (by: Person = head) => {
    const { rows, offers } = await by.call(seatApi.list, { academicYearId: '' } as never);
    const own = rows.find(({ id }) => offers.some(({ id: child, seatId }) => child === first && seatId === id));
    return offers.filter(({ seatId }) => seatId === own?.id).map(({ id }) => id);
  };
  // One seat, so that only the first of the two is to be offered it.
  expect(await listed()).toEqual([first]);
  expect(await listed(accountant)).toEqual([first]);
  expect(await head.call(processApi.read, { id: second })).toMatchObject({ state: 'Waitlisted', next: 'decide' });
  await seats.decide('Offer', [first]);
  expect(await listed()).toEqual([]);
  expect(await head.call(processApi.read, { id: second })).toMatchObject({ next: 'waiting' });
});
