import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalApi } from '#features/approval/contract/approval.ts';
import { doDaily } from '#kit/server/job/daily.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { doRuns, openSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { dailyExpiry } from './expiry.ts';
import { dailyOfferReminders } from './offer-reminder.ts';

let school: School;
let head: Person;
let principal: Person;
let seats: ReturnType<typeof openSeats>;

beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ name: 'Hasmukh', sets: ['admissionHead'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  seats = openSeats(school, head);
});
afterAll(() => school.close());

const read = (id: number) => head.call(processApi.read, { id });

/** A child with an open offer whose fee the head asks to waive. */
async function asked() {
  const { verified } = await seats.planned();
  const id = await verified();
  await seats.decide('Offer', [id]);
  await seats.release([id]);
  await head.call(processApi.askWaiver, { id, version: (await read(id)).version, reason: 'Child of a guard' });
  const [row] = await school.sql(`select id from approval where admission_inquiry_id = ${id} order by id desc limit 1`);
  return { id, approvalId: Number(row?.id) };
}
async function decide(approvalId: number, outcome: string) {
  const { version, seen } = await principal.call(approvalApi.read, { id: approvalId });
  const body = { version, seen, outcome, remark: 'Seen' };
  return principal.send({ method: 'POST', url: `/api/approval/${approvalId}/decide`, body });
}
const daily = async (task: typeof dailyExpiry) => {
  await school.sql('delete from daily_task');
  await doDaily(school.services, { ...task, from: 0, until: 24 });
  await doRuns(school);
};

test('an approved waiver confirms the seat without a payment', async () => {
  const { id, approvalId } = await asked();
  expect(await read(id)).toMatchObject({ state: 'Offered', waiver: { status: 'Pending' }, may: { askWaiver: false } });
  expect((await decide(approvalId, 'Approved')).status).toBe(200);
  expect(await read(id)).toMatchObject({ state: 'Seat confirmed', due: 0, payments: [], next: 'admit' });
});

test('an offer does not end while its waiver waits, and ends the morning after it is rejected', async () => {
  const { id, approvalId } = await asked();
  await school.sql(`update admission_inquiry set offer_expires_on = current_date - 1 where id = ${id}`);
  await daily(dailyExpiry);
  expect((await read(id)).state).toBe('Offered');
  await decide(approvalId, 'Rejected');
  await daily(dailyExpiry);
  expect((await read(id)).state).toBe('Offer expired');
});

test('the request ends with the application', async () => {
  const { id, approvalId } = await asked();
  const [why] = await school.sql(`select id from academic_lookup where kind = 'Reason not offered' and name = 'Age'`);
  await head.call(processApi.reject, { id, version: (await read(id)).version, reasonId: Number(why?.id), note: '' });
  expect(await school.sql(`select status from approval where id = ${approvalId}`)).toEqual([{ status: 'Withdrawn' }]);
});

test('a family is reminded once, two days before its offer ends', async () => {
  const { id } = await asked();
  await school.sql(`update admission_inquiry set offer_expires_on = current_date + 2 where id = ${id}`);
  await daily(dailyOfferReminders);
  await daily(dailyOfferReminders);
  const sent = await school.sql(
    `select id from outbox where template = 'admission.offer-reminder' and subject_id = ${id}`,
  );
  expect(sent).toHaveLength(1);
});
