import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#testing/school.ts';
import { noticeVersions } from '../contract/consent.ts';
import { asksConsent } from './settings.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const agreed = {
  noticeVersion: noticeVersions.en,
  language: 'en',
  consentName: 'Hetal Patel',
  consentRelation: 'Mother',
  isParentOrGuardian: true,
  isAgreed: true,
};

test('I7 without consent nothing is stored: every save is refused with consent_required', async () => {
  const family = await school.inquiry({ consent: undefined });
  const [inquiry] = (await family.get('inquiry')).json;
  expect(inquiry.isConsentRequired).toBe(true);
  const saves = [
    family.saveBasicInfo,
    family.saveParentInfo,
    family.saveHealth,
    family.saveAdditionalInfo,
    family.submit,
    () => family.upload('Other', { otherDocumentDescription: 'x' }),
    () => family.draft('health', { isSpecialNeeds: true }),
    () => family.post('message-to-school', { about: 'Grade', messageText: 'It is 2.' }),
  ];
  for (const save of saves) {
    const { status, json } = await save();
    expect([status, json.code]).toEqual([403, 'consent_required']);
  }
  expect(await school.sql(`select id from file where owner_id = ${family.id}`)).toEqual([]);
});

test('B24 consent is recorded with the notice’s version, name, relation, time and language, and opens the form', async () => {
  const family = await school.inquiry({ consent: undefined });
  const { status, json } = await family.post('consent', agreed);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    isRequired: false,
    consent: {
      noticeVersion: noticeVersions.en,
      language: 'en',
      name: 'Hetal Patel',
      relation: 'Mother',
      isRecordedBySchool: false,
    },
  });
  const [row] = await school.sql(
    `select given_at > now() - interval '1 minute' as is_now, host(address) as address, link_version =
       (select link_version from admission_inquiry where id = inquiry_id) as is_of_link
     from admission_consent where inquiry_id = ${family.id}`,
  );
  expect(row).toEqual({ is_now: true, is_of_link: true, address: '127.0.0.1' });
  expect((await family.saveHealth()).status).toBe(200);
  expect((await family.get('inquiry')).json[0].isConsentRequired).toBe(false);
});

test('B24 an unticked box, a missing name or an outdated notice is refused beside its field', async () => {
  const family = await school.inquiry({ consent: undefined });
  const { status, json } = await family.post('consent', {
    ...agreed,
    consentName: '',
    consentRelation: '',
    isParentOrGuardian: false,
    isAgreed: false,
  });
  expect(status).toBe(422);
  expect(Object.keys(json.errors).sort()).toEqual(['consentName', 'consentRelation', 'isAgreed', 'isParentOrGuardian']);
  expect((await family.post('consent', { ...agreed, noticeVersion: '2020-01-01' })).json.errors).toHaveProperty(
    'isAgreed',
  );
});

test('B24 consent is withdrawn with one call: drafts go, saves are refused, the school is told; it can be given again', async () => {
  const family = await school.inquiry();
  await family.draft('health', { isSpecialNeeds: true });
  const { json } = await family.post('consent/withdraw', {});
  expect(json).toMatchObject({ message: 'Your consent is withdrawn.', data: { isRequired: true, consent: null } });
  expect((await family.saveHealth()).json.code).toBe('consent_required');
  expect(await school.sql(`select page from admission_draft where inquiry_id = ${family.id}`)).toEqual([]);
  expect(
    await school.sql(
      `select action from audit where entity_id = ${family.id} and action like 'admission.consent.%' order by id`,
    ),
  ).toEqual([{ action: 'admission.consent.given' }, { action: 'admission.consent.withdrawn' }]);

  await family.post('consent', agreed);
  expect((await family.saveHealth()).status).toBe(200);
  const rows = await school.sql(
    `select withdrawn_at is null as stands from admission_consent where inquiry_id = ${family.id} order by id`,
  );
  expect(rows).toEqual([{ stands: false }, { stands: true }]);
});

test('B24 of twenty agreements at once one is recorded, and a school that asks for none opens the form at once', async () => {
  const family = await school.inquiry({ consent: undefined });
  await Promise.all(Array.from({ length: 20 }, () => family.post('consent', agreed)));
  const rows = await school.sql(`select id from admission_consent where inquiry_id = ${family.id}`);
  expect(rows).toHaveLength(1);

  await school.sql(`insert into setting (key, value) values ('${asksConsent.key}', 'false')`);
  const other = await school.inquiry({ consent: undefined });
  expect((await other.saveHealth()).status).toBe(200);
  await school.sql('delete from setting');
});

test('RA8 words to the school about a locked value are stored encrypted and sent to the school, ten an hour', async () => {
  await school.sql(`update academic_school set email = 'office@school.example'`);
  const family = await school.inquiry();
  const words = { about: 'Birth Date', messageText: 'She was born on the 13th.' };
  const { json } = await family.post('message-to-school', words);
  const message = 'The school has your message and will reply to you.';
  expect(json).toEqual({ isSuccess: true, message, text: { id: message } });
  const outbox = (await school.send({ url: '/dev/outbox' })).text;
  expect(outbox).toContain('office@school.example');
  expect(outbox).toContain('She was born on the 13th.');
  const [row] = await school.sql('select text from admission_message');
  expect(String(row?.text).length).toBeGreaterThan(20);
  expect(String(row?.text)).not.toContain('born');

  const statuses = await Promise.all(Array.from({ length: 12 }, async () => family.post('message-to-school', words)));
  expect(statuses.filter(({ status }) => status === 429)).toHaveLength(3);
});

test('B11 "Save and come back later" sends the same link to the inquiry’s own contacts and to nobody else', async () => {
  const family = await school.inquiry();
  const { json } = await family.post('send-link', { contact: 'stranger@example.com' });
  expect(json.message).toBe(
    'Saved. We sent this link again to 98XXXXXX11, 98XXXXXX22, n…@family.example, h…@family.example.',
  );
  const sent = await school.sql(
    `select recipient from outbox where template = 'admission.link' and subject_id = ${family.id} order by id`,
  );
  expect(sent.map(({ recipient }) => recipient)).toEqual([
    '9825011111',
    '9825022222',
    'nikhil.patel@family.example',
    'hetal.patel@family.example',
  ]);
  expect((await school.send({ url: '/dev/outbox' })).text).toContain(`inquiryNo=${family.link}`);
  for (let sending = 0; sending < 2; sending++) await family.post('send-link', {});
  const fourth = await family.post('send-link', {});
  expect([fourth.status, Number(fourth.headers['retry-after']) > 0]).toEqual([429, true]);

  const nobody = await school.inquiry({ ...Object.fromEntries(contacts.map((name) => [name, undefined])) });
  expect((await nobody.post('send-link', {})).json).toMatchObject({
    isSuccess: false,
    message: expect.stringContaining('no mobile number or email address'),
  });
});

const contacts = ['fatherMobile', 'fatherEmail', 'motherMobile', 'motherEmail'];
