import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { paymentApi } from '../contract/payment.ts';

let school: School;
let prices: Prices;
let cashier: Person;
beforeAll(async () => {
  school = await openSchool();
  cashier = await school.person({ role: 'Staff', sets: ['accountant'] });
  prices = await openPrices(school);
});
afterAll(() => school.close());

/** Adds a section of the year and seats the child in it between two days. */
async function seatIn(child: number, section: string, roll: number, from: string, to: string) {
  const { academicYearId, branchId, programId, gradeId } = prices.place;
  const place = `${academicYearId}, ${branchId}, ${programId}, ${gradeId}`;
  await school.sql(`
    with room as (insert into academic_section (academic_year_id, branch_id, program_id, grade_id, name, capacity, medium)
      values (${place}, '${section}', 40, 'English') returning id)
    insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, section_id,
        roll_no, effective_from, effective_to)
      select own.id, ${child}, ${place}, room.id, ${roll}, '${from}', ${to}
      from room, student_enrollment own where own.student_id = ${child}`);
}

test('U1.13 a receipt that is entered later has the class and roll number of its own day', async () => {
  const child = await plannedChild(school, prices, 'Mira');
  const father = await joinFamily(school, 'Nikhil', '9876500099', [child]);
  await seatIn(child, 'A', 7, `${prices.year}-04-01`, `'${prices.year}-04-30'`);
  await seatIn(child, 'B', 21, `${prices.year}-05-01`, 'null');
  school.clock.now = new Date(`${prices.year}-05-01T06:00:00Z`);
  const placeOn = async (on: string) => {
    const { children } = await cashier.call(paymentApi.dues, { studentId: child, on });
    return children[0]?.place.split(', ').at(-1);
  };
  expect([await placeOn(''), await placeOn(`${prices.year}-04-30`)]).toEqual(['B', 'A']);
  const { children } = await cashier.call(paymentApi.dues, { studentId: child, on: `${prices.year}-04-30` });
  const key = children[0]?.lines[0]?.key ?? '';
  const paid = await cashier.send({
    method: 'POST',
    url: '/api/fee/payment',
    body: {
      payerGuardianId: father,
      payerName: '',
      payerMobile: '',
      mode: 'Cash',
      reference: '',
      paidOn: `${prices.year}-04-30`,
      backReason: 'The counter was closed',
      remark: '',
      amount: 100,
      children: [{ studentId: child, version: children[0]?.version, lines: [{ key, amount: 100 }] }],
    },
  });
  expect(paid.status).toBe(200);
  const [receipt] = await school.sql(`select issued_as as words from fee_receipt`);
  expect(receipt?.words).toMatchObject({ place: expect.stringMatching(/, A$/), rollNo: '7' });
});
