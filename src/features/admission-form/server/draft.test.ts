import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const spaced = (number: string) => `${number.slice(0, 5)} ${number.slice(5)}`;
const otherVisit = { visit: 'fedcba9876543210' };

test('B11 what was typed and not saved is there for the same link, valid or not, and only the page’s own questions', async () => {
  const family = await school.inquiry();
  const typed = { bloodGroup: '', emergencyMobileNo: '98250', currentCity: 'સુરત', sameAsPresentAddress: false };
  const kept = await family.draft('basic-info', { ...typed, isFormSubmitted: true, status: 'Admitted' });
  expect(kept.json).toMatchObject({ isSuccess: true, data: { number: 1 } });
  const { data } = (await family.get('draft/basic-info')).json;
  expect(data.answers).toEqual(typed);
  expect(Date.parse(data.savedDateTime)).toBeGreaterThan(Date.now() - 60_000);
  expect((await family.get('draft/health')).json.data).toMatchObject({ number: 0, answers: null });
});

test('B14 a late draft of the same visit is dropped; one that does not know another visit’s is refused with its time', async () => {
  const family = await school.inquiry();
  await family.draft('language', { primaryLangatHome: 'Tamil' }, { number: 2 });
  await family.draft('language', { primaryLangatHome: 'Hindi' }, { number: 1 });
  expect((await family.get('draft/language')).json.data).toMatchObject({
    number: 2,
    answers: { primaryLangatHome: 'Tamil' },
  });

  const unaware = await family.draft('language', { primaryLangatHome: 'Urdu' }, { ...otherVisit, number: 1 });
  expect(unaware.status).toBe(409);
  expect(unaware.json).toMatchObject({ code: 'stale', data: { number: 2, savedDateTime: expect.any(String) } });
  const aware = await family.draft('language', { primaryLangatHome: 'Urdu' }, { ...otherVisit, number: 3, basedOn: 2 });
  expect(aware.json.data.number).toBe(3);
  expect((await family.get('draft/language')).json.data.answers).toEqual({ primaryLangatHome: 'Urdu' });
});

test('W14 only the last draft is kept, with any keys', async () => {
  const family = await school.inquiry();
  for (const number of [1, 2, 3]) {
    const sent = await school.send({
      method: 'PUT',
      url: `/api/admission/draft/health?inquiryNo=${family.link}`,
      body: { number, basedOn: 0, visit: '0123456789abcdef', answers: { isSpecialNeeds: true } },
      headers: { 'idempotency-key': `draft-key-${number}` },
    });
    expect(sent.json.data.number).toBe(number);
  }
  const left = await school.sql(`select key from repeated_request where owner = 'link:${family.id}'`);
  expect(left).toEqual([]);
});

test('B14 of twenty visits that keep their draft at the same instant one is kept and the others are told', async () => {
  const family = await school.inquiry();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      family.draft('health', { isSpecialNeeds: true }, { visit: `visit000${index}`.replace(/[^0-9a-f]/g, 'a') }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
});

test('B51 saving a page ends its draft, also for a visit that knew the draft; submitting the form ends all', async () => {
  const family = await school.inquiry();
  await family.draft('additional-info', { reasonsForAdmission: 'Close to home' });
  await family.saveAdditionalInfo();
  expect((await family.get('draft/additional-info')).json.data.answers).toBeNull();
  expect((await family.draft('additional-info', {}, { ...otherVisit, basedOn: 1, number: 2 })).status).toBe(409);

  await family.fillAll();
  await family.draft('language', { primaryLangatHome: 'Tamil' });
  expect((await family.submit()).json.isSuccess).toBe(true);
  expect(await school.sql(`select page from admission_draft where inquiry_id = ${family.id}`)).toEqual([]);
  expect((await family.draft('language', {}, { number: 9 })).json.code).toBe('already_submitted');
  expect((await family.get('draft/language')).status).toBe(409);
});

test('B21 B11 a draft that differs from a saved page stops the submission; an equal one does not', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  const [saved] = (await family.get('additional-info')).json.data.lstStudentAdmissionAdditionalInfoModel;
  await family.draft('additional-info', { ...saved, reasonsForAdmission: 'Typed on the bus, not saved' });
  const refused = await family.submit();
  expect(refused.status).toBe(422);
  expect(refused.json.data.gaps).toEqual([
    {
      page: '/admission3',
      field: 'reasonsForAdmission',
      label: { id: 'Why would you like your child to come to this school?' },
      message: { id: expect.stringContaining('press Save and Next') },
    },
  ]);
  expect((await family.get('draft/additional-info')).json.data.answers.reasonsForAdmission).toMatch(/bus/);

  await family.draft('additional-info', saved, { number: 2 });
  await family.draft('basic-info', { aadharCardNo: 'XXXX XXXX 1234', sameAsPresentAddress: true });
  const done = await family.submit();
  expect([done.status, done.json.data.gaps]).toEqual([200, undefined]);
});

test('B21 a draft is compared as it would be saved: blanks, hidden boxes and the format of numbers are not changes', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  const pages = {
    'additional-info': { reasonsForAdmission: (saved: string) => `${saved} `, emergencyContact1MobileNo: spaced },
    health: { allergiesDescription: () => 'Peanuts, before the No' },
    'parent-info': { guardianFirstName: () => 'Typed, then hidden', divorceDocumentPath: () => '' },
  };
  for (const [page, changes] of Object.entries(pages)) {
    const { data } = (await family.get(page)).json;
    const [saved] = Object.values(data).find(Array.isArray) as Record<string, string>[];
    const typed = Object.entries(changes).map(([name, change]) => [name, change(saved?.[name] ?? '')]);
    await family.draft(page, { ...saved, ...Object.fromEntries(typed) });
  }
  const done = await family.submit();
  expect([done.status, done.json.data.gaps]).toEqual([200, undefined]);
});

test('B21 B07 another Aadhaar number with the same mask is a change, and a mask without a number is refused', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  await family.saveBasicInfo({ aadharCardNo: '2341 8341 2346' });
  await family.draft('basic-info', { aadharCardNo: '2341 2341 2346' });
  const refused = await family.submit();
  expect(refused.json.data.gaps).toMatchObject([{ page: '/admission', field: 'aadharCardNo' }]);
  const half = await family.saveBasicInfo({ aadharCardNo: 'XXXX XXXX 234' });
  expect([half.status, Object.keys(half.json.errors)]).toEqual([422, ['aadharCardNo']]);
});

test('B07 an Aadhaar number typed into a draft comes back masked, and the mask saves the number', async () => {
  const family = await school.inquiry();
  await family.draft('basic-info', { aadharCardNo: '2341 2341 2346', caste: 'General' });
  const { answers } = (await family.get('draft/basic-info')).json.data;
  expect(answers.aadharCardNo).toBe('XXXX XXXX 2346');
  await family.draft('basic-info', { ...answers, caste: 'OBC' }, { ...otherVisit, basedOn: 1, number: 2 });
  await family.saveBasicInfo({ aadharCardNo: 'XXXX XXXX 2346' });
  const [row] = await school.sql(
    `select aadhaar_hash is not null as is_real from admission_basic_info where inquiry_id = ${family.id}`,
  );
  expect(row?.is_real).toBe(true);

  const other = await school.inquiry();
  await other.draft('basic-info', { aadharCardNo: '2341 23' });
  expect((await other.get('draft/basic-info')).json.data.answers.aadharCardNo).toBe('');
});

test('B07 the mask of a saved number, kept in a draft of something else, comes back as it was and saves the number', async () => {
  const family = await school.inquiry();
  await family.saveBasicInfo({ aadharCardNo: '2341 2341 2346' });
  await family.draft('basic-info', { aadharCardNo: 'XXXX XXXX 2346', caste: 'General' });
  const { answers } = (await family.get('draft/basic-info')).json.data;
  expect(answers.aadharCardNo).toBe('XXXX XXXX 2346');
  await family.saveBasicInfo(answers);
  const stored = await school.sql(
    `select aadhaar_hash is not null as found from admission_basic_info where inquiry_id = ${family.id}`,
  );
  expect(stored).toEqual([{ found: true }]);
});

test('I4 a draft is not readable in the database', async () => {
  const family = await school.inquiry();
  await family.draft('health', { specialNeedsDescription: 'markerdraft' });
  const [row] = await school.sql(`select answers from admission_draft where inquiry_id = ${family.id}`);
  expect(String(row?.answers)).not.toContain('markerdraft');
  expect(String(row?.answers).length).toBeGreaterThan(20);
  expect(school.log()).not.toContain('markerdraft');
});

test('B03 a draft is kept and read for the link’s own form only', async () => {
  const [family, other] = [await school.inquiry(), await school.inquiry()];
  expect((await family.draft('health', {}, { admissionID: other.id })).status).toBe(404);
  expect((await family.get(`draft/health?admissionID=${other.id}`)).status).toBe(404);
  expect((await family.get('draft/payroll')).status).toBe(404);
  expect((await family.draft('health', { isSpecialNeeds: ['a'] })).status).toBe(422);
});
