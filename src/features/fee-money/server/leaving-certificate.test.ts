import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlan } from '#features/fee-price/api.ts';
import { leavingApi } from '#features/student/contract/leaving.ts';
import type { Person } from '#testing/browser.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';

let school: School;
let prices: Prices;
let office: Person;
let principal: Person;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  principal = await school.person({ name: 'Farida', role: 'Staff', sets: ['principal'] });
  prices = await openPrices(school);
  school.clock.now = new Date('2044-04-20T06:00:00Z');
});
afterAll(() => school.close());

/** A child who left on 19 April, when the fees of April were due and not paid. */
async function leftOwing() {
  const [row] = await school.sql(`select student_id as id from student_enrollment
    where id = ${await enroll(school, prices.place, 'Riya')}`);
  const id = Number(row?.id);
  const ctx = school.context();
  await ctx.db.transaction().execute((db) => makePlan({ ...ctx, db }, id, prices.place.academicYearId, {}));
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  const input = {
    id,
    lastDay: '2044-04-19',
    reasonId: Number(reason?.id),
    conduct: 'Good',
    progress: 'Satisfactory',
    nextSchool: '',
    remark: '',
  };
  const { confirmToken } = await office.call(leavingApi.leave, input);
  await office.call(leavingApi.leave, { ...input, confirmToken: confirmToken ?? undefined });
  return id;
}

test('L1.3 unpaid fees block the leaving certificate until the principal issues it with a reason', async () => {
  const id = await leftOwing();
  const make = async (by: Person, overrideReason = '') => {
    const asked = { kind: 'Leaving', purpose: '', conduct: '', overrideReason };
    const send = (body: object) => by.send({ method: 'POST', url: `/api/student/${id}/certificate`, body });
    const { confirmToken } = (await send(asked)).json;
    return send({ ...asked, confirmToken: confirmToken ?? 'none' });
  };
  const refused = await make(office, 'Please');
  expect(refused.status).toBe(409);
  expect(refused.json.error?.message).toMatch(
    /^Still owed: Main: ₹[\d,]+\.00 not paid\. Only the principal can issue the certificate\.$/,
  );
  expect((await make(principal)).json.error?.fields).toHaveProperty('overrideReason');
  expect((await make(principal, 'The family is in need')).status).toBe(200);
});
