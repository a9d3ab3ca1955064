import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sendToParents } from '#features/admission-form/api.ts';
import { textMessageApi } from '#features/school/contract/text-message.ts';
import { readConfig } from '#kit/server/config.ts';
import { openLog } from '#kit/server/log.ts';
import { qrCode } from '#kit/server/paper/qr-code.ts';
import type { Person } from '#testing/browser.ts';
import { requestCorrection } from '#testing/correction.ts';
import { heard, type MessageServers, openMessageServers } from '#testing/message-servers.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { readQrCode } from '#testing/qr-code.ts';
import { type Family, familyInquiry, openOwnSchool, type School } from '#testing/school.ts';
import { type Sending, startSending } from '../../../app/outbox.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { reviewApi } from '../contract/review.ts';

let school: School;
let servers: MessageServers;
let office: Person;
let admin: Person;
let sending: Sending | undefined;
let logged = '';

beforeAll(async () => {
  servers = await openMessageServers();
  school = await openOwnSchool(servers.settings);
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  await school.sql(`update academic_school set name = 'Teak Tree School', phone = '0261 222 1100', email = ''`);
  await openAdmission(school);
});
afterEach(async () => {
  await sending?.stop();
  sending = undefined;
  servers.reset();
  await school.sql(`delete from outbox; delete from attempt; delete from sms_template;
    delete from graphile_worker._private_jobs`);
});
afterAll(async () => {
  await servers.close();
  await school.close();
});

const start = async (answerWithin?: number, over: Record<string, string> = {}) => {
  const config = readConfig({
    DATABASE_URL: school.config.databaseUrl,
    DATABASE_OWNER_URL: school.config.databaseOwnerUrl,
    ...servers.settings,
    ...over,
  });
  const keep = (line: string) => {
    logged += line;
  };
  sending = await startSending(school.services, config, openLog('info', { write: keep }), answerWithin);
};

const rows = () => school.sql('select id, status, recipient, last_error from outbox order by id');
const closed = (status: string, count = 1) =>
  vi.waitFor(
    async () => {
      // The pauses between tries are skipped.
      await school.sql('update graphile_worker._private_jobs set run_at = now() where locked_by is null');
      expect((await rows()).map((row) => row.status)).toEqual(Array.from({ length: count }, () => status));
    },
    { timeout: 60_000, interval: 50 },
  );

const send = (id: number, over: object = {}) =>
  office.call(inquiryApi.sendForm, { id, channel: 'SMS', to: 'Father', ...over } as never);
const sentOf = async ({ id }: Family) => (await office.call(inquiryApi.read, { id })).sent;
const toParents = (family: Family, template: 'admission.reminder' | 'admission.correction') =>
  school.services.db
    .transaction()
    .execute((db) => sendToParents({ ...school.context(), db }, 'Test', { inquiryId: family.id, template }));

/** The text messages that the gateway took. */
const texts = () => servers.texts.map(({ url }) => new URL(url, servers.gateway).searchParams);
/** Follows a message's link to the operation that reads the form. */
async function opened(words: string): Promise<number> {
  const address = /https?:\/\/\S+/.exec(words)?.[0] ?? '';
  const short = new URL(address);
  const long = short.pathname.startsWith('/a/')
    ? (await school.send({ url: short.pathname })).headers.location
    : address;
  const value = new URL(String(long), short).searchParams.get('inquiryNo');
  return (await school.send({ url: `/api/admission/inquiry?inquiryNo=${value}` })).status;
}
const register = async (kind: string, registeredText: string, templateId = '') => {
  const { rows: kinds } = await admin.call(textMessageApi.list, {});
  const rowVersion = kinds.find((row) => row.kind === kind)?.rowVersion ?? null;
  return admin.call(textMessageApi.save, { kind, registeredText, templateId, rowVersion });
};
const linkText =
  'Dear parent, fill in the admission form for {#var#} at Teak Tree School until {#var#}: {#url#} Help: 0261 222 1100';

test('the link, the reminder and the correction arrive by email and by SMS with the school’s name and a link that opens the form', async () => {
  const family = await school.inquiry({ ...familyInquiry, motherEmail: undefined } as never);
  await send(family.id, { channel: 'Email' });
  await send(family.id);
  await start();
  await heard(() => servers.mails, 1);
  await heard(() => servers.texts, 1);
  await toParents(family, 'admission.reminder');
  await heard(() => servers.mails, 2);
  await heard(() => servers.texts, 2);
  await family.fillAll();
  await family.submit({ langPreferanceWithSchool: 'English' });
  await heard(() => servers.mails, 3);
  await requestCorrection(school, family, { staffId: office.staffId, pages: [1] });
  await toParents(family, 'admission.correction');
  await heard(() => servers.mails, 4);
  await heard(() => servers.texts, 3);

  expect(servers.mails.map(({ to }) => to)).toEqual(Array.from({ length: 4 }, () => ['nikhil.patel@family.example']));
  expect(servers.mails.map(({ head }) => /^Subject: (.*)$/m.exec(head)?.[1])).toEqual([
    'Admission form for Meera',
    'The admission form of Meera is not finished',
    `Admission form received: ${family.inquiryNo}`,
    'Please correct the admission form of Meera',
  ]);
  for (const { body } of servers.mails) expect(body).toMatch(/Teak Tree School[\s\S]*0261 222 1100/);
  const [link, reminder, submitted, correction] = servers.mails.map(({ body }) => body);
  for (const body of [link, reminder, correction]) expect(await opened(body ?? '')).toBe(200);
  expect(submitted).toContain(`has received the admission form ${family.inquiryNo}`);

  expect(texts().map((sent) => sent.get('to'))).toEqual(['919825011111', '919825022222', '919825022222']);
  for (const sent of texts()) {
    expect(sent.get('text')).toMatch(/Meera at Teak Tree School[\s\S]*Help: 0261 222 1100$/);
    expect(await opened(sent.get('text') ?? '')).toBe(200);
  }
});

test('a reply arrives at the parents who have an email address, in the school’s words', async () => {
  const family = await school.inquiry(familyInquiry);
  await family.post('message-to-school', { about: 'Child', messageText: 'The birth date is wrong.' });
  await family.fillAll();
  await family.submit({ langPreferanceWithSchool: 'English' });
  const { messages } = await office.call(reviewApi.read, { id: family.id });
  await school.sql('delete from outbox');
  await office.call(reviewApi.reply, { id: family.id, message: messages[0]?.id ?? 0, words: 'We have corrected it.' });
  await start();
  await heard(() => servers.mails, 2);
  expect(servers.mails.map(({ to }) => to[0]).sort()).toEqual([
    'hetal.patel@family.example',
    'nikhil.patel@family.example',
  ]);
  for (const { body } of servers.mails)
    expect(body).toMatch(/Teak Tree School replies[\s\S]*“Child”[\s\S]*We have corrected it\.[\s\S]*0261 222 1100/);
});

test('a gateway that refuses twice and then accepts gets one message, which is closed as sent', async () => {
  servers.refusal = { sms: 503, times: 2 };
  const family = await school.inquiry(familyInquiry);
  await send(family.id);
  await start();
  await closed('sent');
  expect(servers.refusal.times).toBe(0);
  expect(servers.texts).toHaveLength(1);
  expect(await rows()).toMatchObject([{ recipient: null, last_error: null }]);
  expect((await sentOf(family)).map(({ status }) => status.id)).toEqual(['Sent']);
});

test('an answer after the time limit leads to a repetition under the same id', async () => {
  servers.delay = { milliseconds: 1500, times: 1 };
  const family = await school.inquiry(familyInquiry);
  await send(family.id);
  await start(500);
  await closed('sent');
  const [row] = await rows();
  expect(texts().map((sent) => sent.get('ref'))).toEqual([String(row?.id), String(row?.id)]);
});

test('a refusal for good is told to the office, and nothing keeps the link', async () => {
  servers.refusal = { sms: 400 };
  const family = await school.inquiry(familyInquiry);
  await send(family.id);
  await school.sql('update graphile_worker._private_jobs set attempts = max_attempts - 1');
  await start();
  await closed('failed');
  expect(await rows()).toMatchObject([{ recipient: null, last_error: 'HTTP 400' }]);
  expect((await sentOf(family)).map(({ status }) => status.id)).toEqual([
    'Failed: every attempt to send it was refused or not answered.',
  ]);
  const { shortLink } = await office.call(inquiryApi.copyLink, { id: family.id });
  const code = new URL(shortLink).pathname.split('/').at(-1) ?? 'none';
  const kept = await school.sql(`select concat(
    (select json_agg(o) from outbox o), (select json_agg(j) from graphile_worker._private_jobs j),
    (select json_agg(a) from audit a), (select json_agg(i) from admission_inquiry i)) as words`);
  for (const secret of [code, family.link]) expect(`${kept[0]?.words}${logged}${school.log()}`).not.toContain(secret);
});

test('B38 the outbox shows each message as it is sent', async () => {
  const family = await school.inquiry(familyInquiry);
  await send(family.id);
  await send(family.id, { channel: 'Email' });
  const { text: page } = await school.send({ url: '/dev/outbox', headers: { host: 'localhost' } });
  await start();
  await heard(() => servers.mails, 1);
  await heard(() => servers.texts, 1);
  const shown = page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const words = texts()[0]?.get('text') ?? 'none';
  expect(words).toMatch(/^Dear parent, fill in the admission form for Meera at Teak Tree School until /);
  expect(shown).toContain(words);
  for (const line of servers.mails[0]?.body.trim().split(/\s*\n\s*/) ?? ['none']) expect(shown).toContain(line);
});

test('B38 a text message that differs from its registered template never reaches the gateway', async () => {
  const family = await school.inquiry(familyInquiry);
  await send(family.id);
  await register('admission.link', linkText.replace('Dear parent', 'Dear parents'));
  const { text: page } = await school.send({ url: '/dev/outbox', headers: { host: 'localhost' } });
  expect(page).toContain('Will not be sent: the text differs from the registered template.');
  await start();
  await closed('failed');
  expect(servers.texts).toEqual([]);
  expect((await sentOf(family)).map(({ status }) => status.id)).toEqual([
    'Not sent: the text differs from the registered template.',
  ]);
  expect(await school.sql('select id from graphile_worker._private_jobs')).toEqual([]);
  expect(await rows()).toMatchObject([{ recipient: null }]);

  await expect(send(family.id)).rejects.toMatchObject({
    fields: {
      channel: expect.objectContaining({ id: expect.stringMatching(/^This text differs from the registered/) }),
    },
  });
  expect(await rows()).toHaveLength(1);
  await send(family.id, { channel: 'Email' });
  await heard(() => servers.mails, 1);
});

test('B38 a text message that keeps to its registered template is sent with the id of the template', async () => {
  await register('admission.link', linkText, '1107160000000067890');
  const family = await school.inquiry(familyInquiry);
  await send(family.id);
  await start(undefined, { SMS_TEMPLATE_IDS: 'admission.link=1108,admission.reminder=1109' });
  await toParents(await school.inquiry({ fatherMobile: '7199999999' }), 'admission.reminder');
  await closed('sent', 2);
  expect(
    texts()
      .map((sent) => sent.get('template'))
      .sort(),
  ).toEqual(['1107160000000067890', '1109']);
});

test('B38 the QR code holds the short link, which opens the form', async () => {
  const family = await school.inquiry(familyInquiry);
  const { shortLink } = await office.call(inquiryApi.copyLink, { id: family.id });
  const read = readQrCode(qrCode(shortLink));
  expect(read).toBe(shortLink);
  expect(read).toMatch(/\/a\/[1-9A-Za-z]{10}$/);
  expect(await opened(read)).toBe(200);
});

test('a new inquiry whose form cannot be sent by SMS is refused beside "Send the form now"', async () => {
  await register('admission.link', 'Something else');
  const idOf = async (query: string) => Number((await school.sql(query))[0]?.id);
  const [year] = await school.sql(
    'select (age_cutoff_on - 2372)::text as day from academic_year where id = academic_year_on()',
  );
  const draft = {
    ...{ firstName: 'Aarohi', lastName: 'Mehta', gender: 'Female', birthDate: String(year?.day), quota: 'General' },
    academicYearId: await idOf('select id from academic_year where id = academic_year_on()'),
    branchId: 1,
    programId: await idOf('select id from academic_program where board_id is not null order by id'),
    gradeId: await idOf("select id from academic_grade where name = 'Grade 1'"),
    leadSourceId: await idOf("select id from academic_lookup where kind = 'Lead source' and name = 'Walk-in'"),
    ...{ fatherMobile: '7100000001', motherMobile: '', fatherEmail: '', motherEmail: '', fatherFirstName: 'Nilesh' },
    ...{ fatherLastName: '', motherFirstName: '', motherLastName: '', assignedToId: '', nextFollowUpOn: '' },
    ...{ remark: '', ageReason: '', isAnotherChild: false, sendsForm: true },
  };
  await expect(office.call(inquiryApi.create, draft as never)).rejects.toMatchObject({
    fields: { sendsForm: expect.anything() },
  });
  await office.call(inquiryApi.create, { ...draft, sendsForm: false } as never);
});
