import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createAccount } from '#features/account/api.ts';
import { sendLink } from '#features/admission-form/api.ts';
import { english } from '#kit/contract/text.ts';
import { type Config, readConfig } from '#kit/server/config.ts';
import { openLog } from '#kit/server/log.ts';
import { withPauses } from '#kit/server/messages/mail.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { heard, type MessageServers, openMessageServers } from '#testing/message-servers.ts';
import { familyInquiry, openSchool, type School } from '#testing/school.ts';
import { soak } from '#testing/soak.ts';
import { type Sending, startSending } from './outbox.ts';
import { findWarnings } from './warnings.ts';

let school: School;
let servers: MessageServers;
let sending: Sending | undefined;
let logged = '';

beforeAll(async () => {
  school = await openSchool();
  servers = await openMessageServers();
});

afterEach(async () => {
  await sending?.stop();
  sending = undefined;
  servers.reset();
  await school.sql('delete from outbox; delete from attempt; delete from graphile_worker._private_jobs');
});

afterAll(async () => {
  await servers.close();
  await school.close();
});

const start = async (over: Record<string, string> = {}, answerWithin?: number) => {
  const config: Config = readConfig({
    DATABASE_URL: school.config.databaseUrl,
    DATABASE_OWNER_URL: school.config.databaseOwnerUrl,
    ...servers.settings,
    SMS_TEMPLATE_IDS: 'sign-in-code=1107160000000012345',
    ...over,
  });
  const keep = (line: string) => {
    logged += line;
  };
  const log = openLog('info', { write: keep });
  sending = await startSending(school.services, config, log, answerWithin);
};

let made = 0;
const somebody = async () => {
  const number = ++made;
  const email = `sent${number}@staff.example`;
  const mobile = String(9_100_000_000 + number);
  const { id } = await createAccount(school.context(), 'Test', {
    name: `Sent ${number}`,
    email,
    mobile,
    isStaff: true,
  });
  return { id, email, mobile };
};
const askFor = (draft: object) =>
  school.browser().send({ method: 'POST', url: '/api/sign-in/authenticate-user', body: draft });
const rows = () =>
  school.sql('select status, recipient, last_error, sent_at is not null as "isSent" from outbox order by id');
const becomes = (status: string) =>
  vi.waitFor(async () => expect((await rows())[0]?.status).toBe(status), { timeout: 60_000, interval: 50 });

test('mails a code to whom it is for, and forgets the address with the text', async () => {
  await start();
  const { email } = await somebody();
  await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await heard(() => servers.mails, 1);
  const [mail] = servers.mails;
  expect(mail?.head).toMatch(/^Content-Language: en\r?$/m);
  expect(mail?.to).toEqual([email]);
  const code = /Subject: ([A-Z2-9]{5}) is your code/.exec(mail?.head ?? '')?.[1] ?? 'none';
  expect(mail?.body).toContain(`${code} is your code to sign in to Shala, the school system of Test School.`);
  expect(mail?.head).toMatch(/From: "?Test School"? <office@school\.example>/);
  await becomes('sent');
  expect(await rows()).toEqual([{ status: 'sent', recipient: null, last_error: null, isSent: true }]);
  const [job] = await school.sql('select count(*)::int as jobs from graphile_worker.jobs');
  expect(job?.jobs).toBe(0);
  expect(logged + school.log()).not.toContain(code);
  const everything = await school.sql(`select coalesce(json_agg(o)::text, '') as kept from outbox o`);
  expect(String(everything[0]?.kept)).not.toContain(code);
});

test('sends a code as a text message through the gateway, with the registered template', async () => {
  await start();
  const { mobile } = await somebody();
  await askFor({ AuthenicateUserBy: 'Mobile', MobileNo: mobile });
  await heard(() => servers.texts, 1);
  const sent = new URL(servers.texts[0]?.url ?? '', 'http://gateway');
  expect(sent.searchParams.get('to')).toBe(`91${mobile}`);
  expect(sent.searchParams.get('text')).toMatch(
    /^[A-Z2-9]{5} is your code to sign in to Shala, the school system of Test School\. Use it once, /,
  );
  expect(sent.searchParams.get('template')).toBe('1107160000000012345');
  expect(servers.texts[0]).toMatchObject({ method: 'GET', authorization: 'Bearer gateway-secret' });
});

test('posts to a gateway that wants a body, whatever stands in the text', async () => {
  await start({
    SMS_URL: `${servers.gateway}/messages`,
    SMS_BODY: '{"to":"{mobile}","text":"{text}","kept":"{other}","letters":"{unicode} {language}"}',
  });
  const family = await school.inquiry({ firstName: 'A "quoted"\n name', fatherMobile: '9876543210' });
  await sendLink(school.context(), 'Test', { inquiryId: family.id, channel: 'sms', recipient: '9876543210' });
  await heard(() => servers.texts, 1);
  const body = JSON.parse(servers.texts[0]?.body ?? '') as Record<string, string>;
  expect([servers.texts[0]?.method, body.to, body.kept]).toEqual(['POST', '9876543210', '{other}']);
  expect(body.letters).toBe('0 en');
  expect(body.text).toContain('A "quoted"');
  expect(body.text).toMatch(/\/a\/\w{10}/);
});

test('J16 tries again until the mail server takes it, and answers nobody later for it', async () => {
  servers.refusal.mail = 451;
  await start();
  const { email } = await somebody();
  expect((await askFor({ AuthenicateUserBy: 'Email', EmailID: email })).status).toBe(200);
  await vi.waitFor(async () => expect((await rows())[0]?.last_error).toMatch(/451/), { timeout: 60_000, interval: 50 });
  expect((await rows())[0]).toMatchObject({ status: 'queued', recipient: email });
  // The server's answer may repeat the address and the content.
  const [kept] = await school.sql('select last_error from graphile_worker._private_jobs');
  expect(String(kept?.last_error)).not.toMatch(/@staff\.example|is your code/);
  servers.refusal = {};
  await heard(() => servers.mails, 1);
  await becomes('sent');
});

test('J16 waits for a mail server that is not there', async () => {
  await start({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const { email } = await somebody();
  await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await vi.waitFor(async () => expect((await rows())[0]?.last_error).toBe('ESOCKET'), {
    timeout: 60_000,
    interval: 50,
  });
  expect((await rows())[0]).toMatchObject({ status: 'queued', last_error: 'ESOCKET' });
});

/** Queues the link of a family as often as a run sends to others. */
async function sendLinks(count: number, channel: 'email' | 'sms') {
  const { id } = await school.inquiry();
  const recipient = channel === 'sms' ? '9876543210' : 'family@example.com';
  const column = channel === 'sms' ? 'father_mobile' : 'father_email';
  await school.sql(`update admission_inquiry set ${column} = '${recipient}' where id = ${id}`);
  for (let sent = 0; sent < count; sent++)
    await sendLink(school.context(), 'Test', { inquiryId: id, channel, recipient });
}

test('J16 a code is sent before the messages of a run that waits for a slow gateway', async () => {
  const { mobile } = await somebody();
  servers.delay = { milliseconds: 300, times: 60 };
  await sendLinks(40, 'sms');
  await start();
  await heard(() => servers.texts, 4);
  await askFor({ AuthenicateUserBy: 'Mobile', MobileNo: mobile });
  await heard(() => servers.texts, 20);
  const isCode = ({ url }: { url: string }) => url.includes(`to=91${mobile}`);
  expect(servers.texts.slice(0, 20).some(isCode)).toBe(true);
  await vi.waitFor(
    async () => expect((await school.sql(`select from outbox where status = 'queued'`)).length).toBe(0),
    {
      timeout: 60_000,
      interval: 50,
    },
  );
});

test('J16 a mail server that hangs gets no messages and is reported, while text messages are sent', async () => {
  const hanging = createTcpServer();
  await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', () => done()));
  const { mobile } = await somebody();
  const emails = await Promise.all(Array.from({ length: 12 }, somebody));
  for (const { email } of emails) await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await sendLinks(12, 'email');
  await start({ SMTP_URL: `smtp://127.0.0.1:${(hanging.address() as AddressInfo).port}` }, 3000);
  await askFor({ AuthenicateUserBy: 'Mobile', MobileNo: mobile });
  await heard(() => servers.texts, 1);
  // The text message was sent while the first emails hang.
  expect(await school.sql(`select from outbox where last_error is not null`)).toEqual([]);

  const paused = () => school.sql(`select from outbox where last_error = 'PAUSED'`);
  await vi.waitFor(async () => expect((await paused()).length).toBeGreaterThan(5), { timeout: 60_000, interval: 200 });
  await school.sql(`update outbox set queued_at = queued_at - interval '5 minutes' where status = 'queued'`);
  const warnings = await findWarnings(school.services);
  expect(warnings.map(({ name, text }) => [name, english(text)])).toContainEqual([
    'email-not-sent',
    expect.stringMatching(/^Emails can’t be sent \((PAUSED|ETIMEDOUT)\); \d+ are waiting\. Check the mail server\.$/),
  ]);
  hanging.close();
});

test('J16 a channel that did not answer is tried again after a minute, with one message', async () => {
  let [now, sent] = [0, 0];
  const answers = [
    Promise.reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
    new Promise<void>(() => undefined),
  ];
  const send = withPauses(
    () => answers[sent++] ?? Promise.resolve(),
    60_000,
    () => now,
  );
  const outcome = () =>
    send({} as never).then(
      () => 'sent',
      ({ code }) => code,
    );
  expect([await outcome(), await outcome(), sent]).toEqual(['ETIMEDOUT', 'PAUSED', 1]);
  now = 60_000;
  void outcome();
  expect([await outcome(), sent]).toEqual(['PAUSED', 2]);
});

test('gives a message up after its last try, with a line in the audit and no address left', async () => {
  servers.refusal.sms = 500;
  const { mobile } = await somebody();
  await askFor({ AuthenicateUserBy: 'Mobile', MobileNo: mobile });
  await school.sql('update graphile_worker._private_jobs set attempts = max_attempts - 1');
  await start();
  await becomes('failed');
  expect(await rows()).toEqual([{ status: 'failed', recipient: null, last_error: 'HTTP 500', isSent: false }]);
  const [row] = await school.sql(`select result from audit where action = 'message.failed'`);
  expect(row?.result).toBe('refused');
});

soak('J9 goes on after a database that ended its connections in the middle', async () => {
  await start();
  const people = await Promise.all(Array.from({ length: 10 }, somebody));
  const end = () =>
    school.sql(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'shala'`);
  for (const [turn, { email }] of people.entries()) {
    await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
    if (turn % 3 === 0) await end();
  }
  // A job whose worker got no answer stays locked for a minute and a half; the test skips these minutes at each look.
  const age = `update graphile_worker._private_jobs set locked_at = locked_at - interval '2 minutes' where locked_by is not null`;
  await vi.waitFor(
    async () => {
      await school.sql(age);
      expect(new Set(servers.mails.flatMap(({ to }) => to))).toEqual(new Set(people.map(({ email }) => email)));
    },
    { timeout: 60_000, interval: 1000 },
  );
});

soak('J13 a mail server that hangs holds no stop up', async () => {
  const hanging = createTcpServer();
  await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', () => done()));
  await start({ SMTP_URL: `smtp://127.0.0.1:${(hanging.address() as AddressInfo).port}` });
  const { email } = await somebody();
  const connected = new Promise((done) => hanging.once('connection', done));
  await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await connected;
  const began = performance.now();
  await sending?.stop();
  expect(performance.now() - began).toBeLessThan(12_000);
  sending = undefined;
  hanging.close();
});

test('sends nothing that has nothing left to say: a code that is too old', async () => {
  const { email } = await somebody();
  await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await school.sql(`update sign_in_code set expires_at = now() - interval '1 second'`);
  await start();
  await becomes('expired');
  expect([servers.mails.length, (await rows())[0]?.recipient]).toEqual([0, null]);
});

test('sends no news of three days ago', async () => {
  const family = await school.inquiry();
  const recipient = String(familyInquiry.fatherEmail);
  await sendLink(school.context(), 'Test', { inquiryId: family.id, channel: 'email', recipient });
  await school.sql(`update outbox set queued_at = now() - interval '73 hours'`);
  await start();
  await becomes('expired');
  expect(servers.mails.length).toBe(0);
});

test('J6 sends what waits in a restored database, which has no jobs', async () => {
  const { email } = await somebody();
  await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await school.sql('delete from graphile_worker._private_jobs');
  await start();
  await heard(() => servers.mails, 1);
  await becomes('sent');
  expect(servers.mails.length).toBe(1);
});

test('takes up the message of a process that was killed while it sent', async () => {
  const { email } = await somebody();
  await askFor({ AuthenicateUserBy: 'Email', EmailID: email });
  await school.sql(
    `update graphile_worker._private_jobs set locked_by = 'gone', locked_at = now() - interval '95 seconds'`,
  );
  await start();
  await heard(() => servers.mails, 1);
});

test('E4 a name with a line break and a Bcc adds no receiver and no header', async () => {
  await start();
  const family = await school.inquiry();
  await school.sql(
    `update admission_inquiry set first_name = E'Diya\\r\\nBcc: spy@evil.example\\r\\n\\r\\nHello' where id = ${family.id}`,
  );
  const recipient = String(familyInquiry.fatherEmail);
  await sendLink(school.context(), 'Test', { inquiryId: family.id, channel: 'email', recipient });
  await heard(() => servers.mails, 1);
  expect(servers.mails[0]?.to).toEqual([recipient]);
  expect(servers.mails[0]?.head).not.toMatch(/^Bcc:/im);
});

test('I6 says of a failure neither the address nor the text', async () => {
  expect(logged).not.toMatch(/@staff\.example|is your code|910000/);
});

test('a code that is asked for and taken back is never sent', async () => {
  await start();
  const { email } = await somebody();
  const message = { channel: 'email', template: 'sign-in-code', recipient: email, subjectId: 1 } as const;
  const undone = school.services.db.transaction().execute(async (db) => {
    await queueMessage({ ...school.context(), db }, message);
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  expect(await school.sql('select id from graphile_worker.jobs')).toEqual([]);
});

test('SB10 the application may ask for the job of a message, and touch no other part of the jobs', async () => {
  const asApp = (statement: string) => school.sql(`begin; set local role shala_app; ${statement}; commit`);
  await expect(asApp(`select graphile_worker.add_job('anything')`)).rejects.toThrow('permission denied');
  await expect(asApp('select 1 from graphile_worker._private_jobs')).rejects.toThrow('permission denied');
  await asApp('select queue_sending(1)');
});
