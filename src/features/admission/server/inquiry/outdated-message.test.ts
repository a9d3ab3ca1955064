import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createAccount } from '#features/account/api.ts';
import { renewLink, revokeLink, sendToParents } from '#features/admission-form/api.ts';
import { readConfig } from '#kit/server/config.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { openLog } from '#kit/server/log.ts';
import { render } from '#kit/server/messages/outbox.ts';
import type { Person } from '#testing/browser.ts';
import { requestCorrection } from '#testing/correction.ts';
import { heard, type MessageServers, openMessageServers } from '#testing/message-servers.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { type Family, familyInquiry, openOwnSchool, type School } from '#testing/school.ts';
import { allMessages } from '../../../../app/features.server.ts';
import { type Sending, startSending } from '../../../../app/outbox.ts';
import { inquiryApi } from '../../contract/inquiry.ts';

let school: School;
let servers: MessageServers;
let office: Person;
let sending: Sending | undefined;

beforeAll(async () => {
  servers = await openMessageServers();
  school = await openOwnSchool(servers.settings);
  office = await school.person({ sets: ['office', 'admissionHead'] });
  await school.sql(`update academic_school set email = 'office@school.example'`);
  await openAdmission(school);
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

const start = async () => {
  const { databaseUrl, databaseOwnerUrl } = school.config;
  const config = readConfig({ DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl, ...servers.settings });
  sending = await startSending(school.services, config, openLog('info', { write: () => undefined }));
};

const sentOf = async ({ id }: { id: number }) => (await office.call(inquiryApi.read, { id })).sent;
const notSent = 'Not sent: the contact or the link changed first.';
const textOf = (url: string) => new URL(url, 'http://gateway').searchParams;

/** Edits the record as the office does. */
async function edit({ id }: { id: number }, values: object) {
  const { version, values: before } = await office.call(inquiryApi.read, { id });
  const source = await idOf("select min(id) as id from academic_lookup where kind = 'Lead source'");
  const inquiry = { ...before, leadSourceId: source, assignedToId: '', ageReason: 'Known to the school', ...values };
  await office.call(inquiryApi.update, { id, version, ...inquiry } as never);
}

const [wrong, right] = ['9825000001', '9825000002'];

test('Y2 a message that waits for a slow gateway never brings the new link to the number it was corrected from', async () => {
  const family = await school.inquiry({ ...familyInquiry, fatherMobile: wrong });
  servers.refusal.sms = 503;
  await start();
  await office.call(inquiryApi.sendForm, { id: family.id, channel: 'SMS', to: 'Father' });
  await vi.waitFor(
    async () => expect((await school.sql('select last_error from outbox'))[0]?.last_error).toMatch(/503/),
    { timeout: 60_000, interval: 50 },
  );
  await edit(family, { fatherMobile: right });
  expect((await sentOf(family)).map(({ status }) => status.id)).toEqual([notSent]);
  await office.call(inquiryApi.sendForm, { id: family.id, channel: 'SMS', to: 'Father' });
  servers.refusal = {};
  await heard(() => servers.texts, 1);
  await vi.waitFor(
    async () => {
      await school.sql(`update graphile_worker._private_jobs set run_at = now() where locked_at is null`);
      expect(await school.sql('select id from graphile_worker._private_jobs')).toEqual([]);
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(servers.texts.map(({ url }) => textOf(url).get('to'))).toEqual([`91${right}`]);
  const code = /\/a\/(\w{10})/.exec(textOf(servers.texts[0]?.url ?? '').get('text') ?? '')?.[1];
  expect((await school.send({ url: `/a/${code}` })).headers.location).toMatch(/inquiryNo=/);
});

test('Y2 a link that a wrong number asked for does not open again when its validity is extended', async () => {
  const family = await school.inquiry({ ...familyInquiry, fatherMobile: wrong });
  await school.sql(`update admission_inquiry set state = 'New', link_sent_at = null where id = ${family.id}`);
  const asked = await school.send({ method: 'POST', url: '/api/admission/new-link', body: { contact: wrong } });
  expect(asked.status).toBe(200);
  await start();
  await heard(() => servers.texts, 1);
  const code = /\/a\/(\w{10})/.exec(textOf(servers.texts[0]?.url ?? '').get('text') ?? '')?.[1];
  const { location } = (await school.send({ url: `/a/${code}` })).headers;
  const opens = async () =>
    (await school.send({ url: String(location).replace('/admission', '/api/admission/inquiry') })).status;
  expect(await opens()).toBe(200);
  await edit(family, { fatherMobile: right });
  const expiresOn = addDays(toLocalDate(school.services.now()), 30);
  await office.call(inquiryApi.extendLink, { id: family.id, expiresOn });
  expect(await opens()).toBe(404);
});

/** Messages with the form's link, and how the office or the family comes to them. */
const withLink: Record<string, (family: Family) => Promise<unknown>> = {
  'admission.link': ({ id }) => office.call(inquiryApi.sendForm, { id, channel: 'SMS', to: 'Father' }),
  'admission.reminder': async ({ id }) => {
    await school.sql(`update admission_inquiry set state = 'Form sent' where id = ${id}`);
    await sendToParents(school.context(), 'Test', { inquiryId: id, template: 'admission.reminder' });
  },
  'admission.correction': async (family) => {
    await requestCorrection(school, family, { staffId: office.staffId, pages: [1] });
    await sendToParents(school.context(), 'Test', { inquiryId: family.id, template: 'admission.correction' });
  },
  'admission.correction-reminder': async ({ id }) => {
    await school.sql(
      `update admission_inquiry set state = 'Correction requested', open_pages = '{1}' where id = ${id}`,
    );
    await sendToParents(school.context(), 'Test', { inquiryId: id, template: 'admission.correction-reminder' });
  },
  'admission.decision': ({ id }) =>
    sendToParents(school.context(), 'Test', { inquiryId: id, template: 'admission.decision' }),
};

const endings: Record<string, (family: Family) => Promise<unknown>> = {
  'is revoked': ({ id }) => revokeLink(school.context(), 'Test', id),
  'is renewed': ({ id }) => renewLink(school.context(), 'Test', id),
};

test.each(
  Object.keys(withLink).flatMap((template) => Object.keys(endings).map((ending) => [template, ending] as const)),
)('Y2 a waiting %s is closed when its link %s', async (template, ending) => {
  const family = await school.inquiry();
  await withLink[template]?.(family);
  const [queued] = await school.sql(
    `select version, recipient from outbox where template = '${template}' and subject_id = ${family.id}`,
  );
  const made = allMessages[template];
  if (!made || made.isFor === 'as queued') throw new Error(`${template} is for everybody.`);
  const version = Number(queued?.version);
  const message = { subjectId: family.id, recipient: String(queued?.recipient), version };
  expect(await made.isFor(school.services, message)).toBe(true);
  expect(await render(school.services, made, family.id, 'sms', version)).toBeDefined();
  await endings[ending]?.(family);
  // A worker that has read the message already renders and sends nothing either.
  expect(await made.isFor(school.services, message)).toBe(false);
  expect(await render(school.services, made, family.id, 'sms', version)).toBeUndefined();
  const statuses = (await sentOf(family)).filter(({ status }) => status.id !== 'Waiting to be sent');
  expect(statuses.map(({ status }) => status.id)).toContain(notSent);
  const left = await school.sql(
    `select id from outbox where status = 'queued' and template = '${template}' and subject_id = ${family.id}`,
  );
  expect(left).toEqual([]);
});

const idOf = async (statement: string) => Number((await school.sql(statement))[0]?.id);

test('Y2 an invitation that waits is closed when the address of the record changes', async () => {
  const { id: account, staffId: id } = await createAccount(school.context(), 'Test', {
    name: 'Invited',
    email: 'typo@staff.example',
    isStaff: true,
  });
  await school.sql(`insert into outbox (channel, template, recipient, subject_id)
    values ('email', 'account-invited', 'typo@staff.example', ${account});
    update staff set email = 'right@staff.example' where id = ${id}`);
  expect(await school.sql('select status, recipient, last_error from outbox')).toEqual([
    { status: 'expired', recipient: null, last_error: 'Contact or link changed' },
  ]);
});
