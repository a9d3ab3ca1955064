import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificateLanguages } from '#features/student/contract/certificate.ts';
import type { Person } from '#testing/browser.ts';
import { plannedChild } from '#testing/paying-family.ts';
import { receive, undo } from '#testing/payments.ts';
import { openPrices, type Prices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { feeCertificateApi, feeCertificateMessages } from '../contract/fee-certificate.ts';

let school: School;
let prices: Prices;
let office: Person;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Kiran', role: 'Staff', sets: ['office'] });
  prices = await openPrices(school);
});
afterAll(() => school.close());

const at = (day: string) => {
  school.clock.now = new Date(`${day}T06:00:00Z`);
};

test('MB6 a certificate has tuition by payer and value day; what bounced is left out, and another amount takes its place', async () => {
  at(`${prices.year}-04-12`);
  const studentId = await plannedChild(school, prices, 'Asmi');
  const dues =
    await school.sql(`select due.id, due.account_id as account, due.receipt_series_id as series, head.category, due.net
    from fee_due due join fee_head head on head.id = due.fee_head_id join fee_account account on account.id = due.account_id
    where account.student_id = ${studentId} order by head.category = 'Tuition' desc, due.due_on`);
  const tuition = dues.filter(({ category }) => category === 'Tuition');
  const other = dues.find(({ category }) => category !== 'Tuition');
  const [first, second] = tuition;
  const to = { account: Number(first?.account), series: Number(first?.series) };
  const pay = async (day: string, payer: string, on: { due: number | null; amount: number }[]) => {
    const receipt = await receive(school, { ...to, day, on });
    await school.sql(`alter table fee_payment disable trigger user;
      update fee_payment set payer_name = '${payer}' where id = (select payment_id from fee_receipt where id = ${receipt});
      alter table fee_payment enable trigger user`);
    return receipt;
  };
  await pay(`${prices.year}-04-12`, 'Father', [
    { due: Number(first?.id), amount: 250_000 },
    { due: Number(other?.id), amount: 100_000 },
    { due: null, amount: 30_000 },
  ]);
  await pay(`${prices.year}-05-12`, 'Mother', [{ due: Number(first?.id), amount: 150_000 }]);
  const cheque = await pay(`${prices.year + 1}-03-30`, 'Father', [{ due: Number(second?.id), amount: 50_000 }]);
  await pay(`${prices.year + 1}-04-01`, 'Father', [{ due: Number(second?.id), amount: 70_000 }]);
  at(`${prices.year + 1}-04-02`);

  const year = `${prices.year}-${String(prices.year + 1).slice(2)}`;
  const make = () => office.call(feeCertificateApi.make, { id: studentId, startsIn: prices.year, seriesId: to.series });
  const made = await make();
  expect(made).toMatchObject({ amount: 450_000, isDuplicate: false });
  // The ledger is asked another way: what the dues of tuition got by receipts in these days.
  const [byHand] = await school.sql(`select -sum(entry.amount)::bigint as amount from fee_ledger_entry entry
    where entry.due_id in (${tuition.map(({ id }) => id).join(',')}) and entry.kind = 'Receipt'
      and entry.entry_date between '${prices.year}-04-01' and '${prices.year + 1}-03-31'`);
  expect(Number(byHand?.amount)).toBe(made.amount);
  await office.call(feeCertificateApi.file, { id: made.id });
  expect(school.papers.last().data.table).toMatchObject({
    rows: [
      ['Father', expect.any(String), '₹3,000.00'],
      ['Mother', expect.any(String), '₹1,500.00'],
    ],
  });
  expect(school.papers.last().words).toMatch(/Income-taxAct,2025/);

  const again = await make();
  expect([again.isDuplicate, again.certificateNo === made.certificateNo]).toEqual([true, false]);
  await office.call(feeCertificateApi.file, { id: again.id });
  expect(school.papers.last().words).toMatch(/DUPLICATE/);

  await undo(school, cheque);
  const less = await make();
  expect(less).toMatchObject({ amount: 400_000, isDuplicate: false });
  const codes = await school.sql('select code from fee_certificate order by id');
  const proofs = [];
  for (const { code } of codes)
    for (const find of school.services.proofs) {
      const found = await find(school.services, String(code));
      if (found) proofs.push(found.replacedBy);
    }
  expect(proofs).toEqual([less.certificateNo, less.certificateNo, '']);
  expect((await office.call(feeCertificateApi.list, { id: studentId })).inEnglishLetters).toEqual(
    certificateLanguages.filter((one) => one !== 'English'),
  );
  await school.sql(`update student set first_name_local = 'રિયા', middle_name_local = 'અમિત', last_name_local = 'શાહ'
    where id = ${studentId}`);
  expect((await office.call(feeCertificateApi.list, { id: studentId })).inEnglishLetters).toEqual(['Hindi']);
  const inWords = async (language: (typeof certificateLanguages)[number]) => {
    const { id } = await office.call(feeCertificateApi.make, {
      ...{ id: studentId, startsIn: prices.year, seriesId: to.series, language },
    });
    await office.call(feeCertificateApi.file, { id });
    return school.papers.last().words;
  };
  const gujarati = await inWords('Gujarati');
  expect(gujarati).toContain('રિયા');
  expect(gujarati).toMatch(/ચારહજારરૂપિયાપૂરા/);
  expect(gujarati).not.toContain('Student');
  const pair = await inWords('English and Gujarati');
  for (const words of ['Student/વિદ્યાર્થી', '/રિયા', 'only/']) expect(pair).toContain(words);
  const { years } = await office.call(feeCertificateApi.list, { id: studentId });
  expect(years.map(({ isCertified }) => isCertified)).toEqual([false, true]);
  expect(years.map((one) => [one.year, one.amount, one.issued.length])).toEqual([
    [`${prices.year + 1}-${String(prices.year + 2).slice(2)}`, 70_000, 0],
    [year, 400_000, 5],
  ]);
  await expect(
    office.call(feeCertificateApi.make, { id: studentId, startsIn: 2020, seriesId: to.series }),
  ).rejects.toThrow(feeCertificateMessages.nothing.id);
});

test('MB6 the same amount from another payer is a certificate in place of the one before, and no duplicate', async () => {
  at(`${prices.year}-06-12`);
  const studentId = await plannedChild(school, prices, 'Bina');
  const [due] = await school.sql(`select due.id, due.account_id as account, due.receipt_series_id as series
    from fee_due due join fee_head head on head.id = due.fee_head_id join fee_account account on account.id = due.account_id
    where account.student_id = ${studentId} and head.category = 'Tuition' order by due.due_on`);
  const pay = () =>
    receive(school, {
      account: Number(due?.account),
      series: Number(due?.series),
      day: `${prices.year}-06-12`,
      on: [{ due: Number(due?.id), amount: 100_000 }],
    });
  const of = { id: studentId, startsIn: prices.year, seriesId: Number(due?.series) };
  const paid = await pay();
  const first = await office.call(feeCertificateApi.make, of);
  await undo(school, paid);
  await pay();
  expect((await office.call(feeCertificateApi.list, { id: studentId })).years).toMatchObject([{ isCertified: false }]);
  const second = await office.call(feeCertificateApi.make, of);
  expect([second.amount, second.isDuplicate]).toEqual([first.amount, false]);
  await office.call(feeCertificateApi.file, { id: second.id });
  const { data, words } = school.papers.last();
  expect([data.title, words.includes('DUPLICATE')]).toEqual(['Certificate of fees paid', false]);
  expect(data.facts).toContainEqual(['In place of', first.certificateNo]);
  const [row] = await school.sql(`select code from fee_certificate where id = ${first.id}`);
  const proofs = await Promise.all(school.services.proofs.map((find) => find(school.services, String(row?.code))));
  expect(proofs.find(Boolean)).toMatchObject({ replacedBy: second.certificateNo });
  const [last] = (await office.call(feeCertificateApi.list, { id: studentId })).years;
  expect([last?.isCertified, last?.issued.map(({ isDuplicate }) => isDuplicate)]).toEqual([true, [false, false]]);
});
