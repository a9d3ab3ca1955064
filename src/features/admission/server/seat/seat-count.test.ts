import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let seatId: number;
const taken = async () => Number((await school.sql(`select taken from admission_seat where id = ${seatId}`))[0]?.taken);

/** A verified form, which is offered a seat of the row in SQL. */
async function verified() {
  const { id } = await school.inquiry();
  await school.sql(`update admission_inquiry set state = 'Verified' where id = ${id}`);
  return id;
}
const offer = (id: number) =>
  school.sql(`update admission_inquiry set state = 'Offered', seat_id = ${seatId}, seat_quota = 'General',
    offer_expires_on = current_date where id = ${id}`);

beforeAll(async () => {
  school = await openSchool();
  const { id } = await school.inquiry();
  const [row] =
    await school.sql(`insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, reserved)
    select academic_year_id, branch_id, program_id, grade_id, 'General', 3, 1 from admission_inquiry where id = ${id}
    on conflict on constraint admission_seat_once do update set total = 3, reserved = 1 returning id`);
  seatId = Number(row?.id);
});
afterAll(() => school.close());

test('a seat is counted with the offer and free again with its end, and the count never passes total less reserved', async () => {
  const ids = [await verified(), await verified(), await verified()];
  await offer(ids[0] ?? 0);
  await offer(ids[1] ?? 0);
  expect(await taken()).toBe(2);
  await expect(offer(ids[2] ?? 0)).rejects.toThrow('admission_seat_not_oversold');
  await expect(school.sql(`update admission_seat set total = 2 where id = ${seatId}`)).rejects.toThrow('not_oversold');
  await school.sql(`update admission_inquiry set state = 'Offer expired' where id = ${ids[0]}`);
  expect(await taken()).toBe(1);
  await offer(ids[2] ?? 0);
  await school.sql(`update admission_inquiry set state = 'Withdrawn' where seat_id = ${seatId}`);
  expect(await taken()).toBe(0);
});

test('of 20 offers at once for the last two seats two are given', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, verified));
  const results = await Promise.allSettled(ids.map(offer));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(await taken()).toBe(2);
});

test('an RTE seat goes to RTE applicants only, and they take no other', async () => {
  const id = await verified();
  await school.sql(`update admission_inquiry set quota = 'RTE' where id = ${id}`);
  await expect(offer(id)).rejects.toThrow('admission_inquiry_seat_quota');
});
