import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountApi } from '#features/fee-money/contract/account.ts';
import { feeCertificateApi } from '#features/fee-money/contract/fee-certificate.ts';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf, prove, raiseWithLink } from '#testing/family.ts';
import { joinFamily, plannedChild } from '#testing/paying-family.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let prices: Prices;
let accountant: Person;
beforeAll(async () => {
  school = await openSchool();
  accountant = await school.person({ name: 'Farida', role: 'Staff', sets: ['accountant', 'office'] });
  prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-05-12T06:00:00Z`);
});
afterAll(() => school.close());

let made = 0;
/** A child with a father and a mother, each on a proven phone. */
async function openChild(name: string) {
  const child = await plannedChild(school, prices, name);
  const father = await joinFamily(school, `Nikhil ${name}`, String(9_876_560_000 + ++made), [child]);
  const mother = await raiseWithLink(
    school,
    [child],
    { firstName: `Leela ${name}`, mobile: String(9_876_570_000 + made) },
    { relation: 'Mother', isPrimary: false },
  );
  const link = await linkValueOf(school, father);
  const his = await prove(school, { guardianId: father, link });
  const hers = await prove(school, mother);
  const asks = (phone: Pick<School, 'send'>, of: string) => ({
    papers: async () => (await phone.send({ url: `/api/family/paper/${child}?family=${of}` })).json,
    statement: () =>
      phone.send({
        url: `/api/family/statement/${child}/file?family=${of}&yearId=${prices.place.academicYearId}`,
      }),
    certify: (startsIn: number, seriesId: number) =>
      phone.send({
        method: 'POST',
        url: `/api/family/certificate?family=${of}`,
        body: { studentId: child, startsIn, seriesId },
      }),
    certificate: (id: number) => phone.send({ url: `/api/family/certificate/${id}/file?family=${of}` }),
  });
  return {
    child,
    father,
    mother,
    link,
    his: asks(his, link),
    hers: asks(hers, mother.link),
    unproven: asks(school, link),
  };
}

/** The guardian pays so many rupees at the counter. */
async function pay(child: number, guardianId: number, rupees: number) {
  const { children } = await accountant.call(paymentApi.dues, { studentId: child, on: '' });
  const [own] = children;
  const lines = own?.lines.map(({ key, owed }) => ({ key, owed })) ?? [];
  let left = rupees * 100;
  await accountant.call(paymentApi.take, {
    children: [
      {
        studentId: child,
        version: own?.version ?? 0,
        lines: lines.flatMap(({ key, owed }) => {
          const amount = Math.min(owed, left);
          left -= amount;
          return amount > 0 ? [{ key, amount }] : [];
        }),
      },
    ],
    payerGuardianId: guardianId,
    payerName: '',
    payerMobile: '',
    mode: 'UPI',
    reference: `5544${String(++made).padStart(8, '0')}`,
    amount: rupees * 100,
    paidOn: `${prices.year}-05-12`,
    backReason: '',
    remark: '',
  });
}

test('MP13 a proven guardian has the statement of a year and the certificate of a tax year, the same papers as the office prints', async () => {
  const { child, father, his, unproven } = await openChild('Asha');
  await pay(child, father, 1_000);
  expect((await unproven.statement()).json.error.code).toBe('confirm_required');
  const { statements, certificates } = await his.papers();
  expect(statements).toEqual([{ yearId: prices.place.academicYearId, name: expect.any(String) }]);
  expect(certificates).toMatchObject([{ startsIn: prices.year, amount: expect.any(Number) }]);

  expect((await his.statement()).status).toBe(200);
  const ours = school.papers.last();
  await accountant.call(accountApi.statementFile, { id: child, on: `${prices.year}-05-12` });
  const offices = school.papers.last();
  expect(ours.data.table.rows.slice(1)).toEqual(offices.data.table.rows);
  expect(ours.data.table.sums).toEqual(offices.data.table.sums);
  expect(ours.data.table.rows[0]).toEqual([expect.any(String), 'Balance before', '', '', '₹0.00']);

  const [{ startsIn, seriesId, amount }] = certificates;
  const first = await his.certify(startsIn, seriesId);
  expect((await his.certify(startsIn, seriesId)).json).toEqual(first.json);
  expect((await his.certificate(first.json.id)).status).toBe(200);
  expect(school.papers.last().data.table.sums).toEqual(['Total', '', `₹${(amount / 100).toLocaleString('en-IN')}.00`]);
  const { years } = await accountant.call(feeCertificateApi.list, { id: child });
  expect(years[0]?.issued.map(({ id }) => id)).toEqual([first.json.id]);

  // More money: the earlier one is opened no more, and another certificate takes its place.
  await pay(child, father, 500);
  expect((await his.certificate(first.json.id)).status).toBe(404);
  const second = await his.certify(startsIn, seriesId);
  expect(second.json.id).not.toBe(first.json.id);
  expect([(await his.certificate(first.json.id)).status, (await his.certificate(second.json.id)).status]).toEqual([
    404, 200,
  ]);
});

test('MP13 a family opens one certificate as often as it wants, and has at most 20 made in a day', async () => {
  const { child, father, his } = await openChild('Ojas');
  await pay(child, father, 1_000);
  const [{ startsIn, seriesId }] = (await his.papers()).certificates;
  for (let time = 0; time < 22; time++) expect((await his.certify(startsIn, seriesId)).status).toBe(200);
  await school.sql(`update attempt set hits = 20 where kind = 'family-certificate' and subject = '${father}'`);
  expect((await his.certify(startsIn, seriesId)).status).toBe(200);
  await pay(child, father, 500);
  expect((await his.certify(startsIn, seriesId)).json.error.code).toBe('too_many_tries');
});

test('MP13 two phones that ask at once get one certificate', async () => {
  const { child, father, his, hers } = await openChild('Dev');
  await pay(child, father, 1_000);
  const [{ startsIn, seriesId }] = (await his.papers()).certificates;
  const asked = await Promise.all([his.certify(startsIn, seriesId), hers.certify(startsIn, seriesId)]);
  expect(new Set(asked.map(({ json }) => json.id)).size).toBe(1);
});

test('MP13 where an adult has a restriction, papers are only for the guardian whose money is all of it', async () => {
  const { child, father, mother, his, hers } = await openChild('Isha');
  await pay(child, father, 1_000);
  const [{ startsIn, seriesId }] = (await hers.papers()).certificates;
  const { id } = (await hers.certify(startsIn, seriesId)).json;
  await school.sql(`update student_guardian set restriction = 'Not at the same time' where student_id = ${child}
    and guardian_id = ${father}`);
  await school.sql(`update student_guardian set family_page = 'All' where student_id = ${child}`);
  expect(await hers.papers()).toEqual({ statements: [], certificates: [] });
  expect([
    (await hers.statement()).status,
    (await hers.certify(startsIn, seriesId)).status,
    (await hers.certificate(id)).status,
  ]).toEqual([404, 404, 404]);
  expect([(await his.statement()).status, (await his.certificate(id)).status]).toEqual([200, 200]);
  await pay(child, mother.guardianId, 200);
  expect(await his.papers()).toEqual({ statements: [], certificates: [] });
});

test('MP13 a guardian who sees school matters alone, or of another child, has no paper', async () => {
  const { child, father, his } = await openChild('Jay');
  await pay(child, father, 1_000);
  const [{ startsIn, seriesId }] = (await his.papers()).certificates;
  const { id } = (await his.certify(startsIn, seriesId)).json;
  const other = await openChild('Kavya');
  const theirs = await prove(school, { guardianId: other.father, link: other.link });
  const urls = [`paper/${child}`, `statement/${child}/file`, `certificate/${id}/file`].map(
    (path) => `/api/family/${path}?family=${other.link}&yearId=${prices.place.academicYearId}`,
  );
  expect(await Promise.all(urls.map(async (url) => (await theirs.send({ url })).status))).not.toContain(200);
  expect((await his.certificate(id)).status).toBe(200);
  await school.sql(`update student_guardian set family_page = 'School matters' where student_id = ${child}`);
  expect([(await his.statement()).status, (await his.certificate(id)).status]).toEqual([404, 404]);
});

test('MP14 papers are in the language of the guardian, with names as the school wrote them', async () => {
  const { child, father, his } = await openChild('Meet');
  await pay(child, father, 1_000);
  await school.sql(`insert into guardian_preference (guardian_id, language, set_by) values (${father}, 'gu', 'School')
    on conflict (guardian_id) do update set language = 'gu'`);
  await his.statement();
  const { data, words } = school.papers.last();
  expect([data.language, data.title]).toEqual(['gu', 'ફીનું સ્ટેટમેન્ટ']);
  expect(words).toContain('Meet');
  const [{ startsIn, seriesId }] = (await his.papers()).certificates;
  await his.certificate((await his.certify(startsIn, seriesId)).json.id);
  expect(school.papers.last().data.title).toBe('ભરેલી ફીનું પ્રમાણપત્ર');
  expect(school.papers.last().words).toContain('રૂપિયાપૂરા');
});
