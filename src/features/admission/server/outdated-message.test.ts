import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createAccount } from '#features/account/api.ts';
import { renewLink, revokeLink, sendToParents } from '#features/admission-form/api.ts';
import { extendLinks } from '#features/family/api.ts';
import { readConfig } from '#kit/server/config.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { openLog } from '#kit/server/log.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { plantAnnouncement } from '#testing/announcements.ts';
import type { Person } from '#testing/browser.ts';
import { requestCorrection } from '#testing/correction.ts';
import { plantReceipt, plantReminder } from '#testing/fee-reminders.ts';
import { heard, type MessageServers, openMessageServers } from '#testing/message-servers.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { type Family, known, openOwnSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { allMessages } from '../../../app/features.server.ts';
import { type Sending, startSending } from '../../../app/outbox.ts';
import { inquiryApi } from '../contract/inquiry.ts';

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
  const family = await school.inquiry({ ...known, fatherMobile: wrong });
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
  const family = await school.inquiry({ ...known, fatherMobile: wrong });
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
const salt = `substr(sha256('x'), 1, 16)`;
let people = 0;

interface Case {
  subjectId: number;
  recipient: string;
  version?: number;
  /** Changes the address. */
  change: string;
}

async function ofFamily(subject?: (family: Family) => Promise<number>): Promise<Case> {
  const family = await school.inquiry();
  const [row] = await school.sql(`select link_version from admission_inquiry where id = ${family.id}`);
  return {
    subjectId: (await subject?.(family)) ?? family.id,
    recipient: String(known.fatherEmail),
    version: Number(row?.link_version),
    change: `update admission_inquiry set father_email = 'other@family.example' where id = ${family.id}`,
  };
}

async function ofAccount(
  subject?: (account: { id: number; email: string }) => Promise<number>,
  isAdmin = false,
): Promise<Case> {
  const email = `owner${++people}@staff.example`;
  const { id, staffId } = await createAccount(school.context(), 'Test', {
    name: 'Owner',
    email,
    isStaff: true,
    isAdmin,
    ...(isAdmin && { userName: `owner${people}`, password: 'teak-tree-9' }),
  });
  return {
    subjectId: (await subject?.({ id, email })) ?? id,
    recipient: email,
    change: `update staff set email = 'other${people}@staff.example' where id = ${staffId}`,
  };
}

const wrote = async (family: Family) => {
  await family.post('message-to-school', { about: 'Birth Date', messageText: 'Hello' });
  return idOf('select max(id) as id from admission_message');
};
const ofSchool = async (subject?: (family: Family) => Promise<number>): Promise<Case> => ({
  ...(await ofFamily(subject)),
  recipient: String((await school.sql('select email from academic_school'))[0]?.email),
  change: `update academic_school set email = 'new${++people}@school.example'`,
});

const ofGuardian = async (kind: 'Absent' | 'Update'): Promise<Case> => {
  const child = await seat(school, await openSection(school), 'Aarav');
  const mobile = String(9_300_000_000 + ++people);
  const adult = await raise(school, [child], { firstName: 'Nikhil', mobile });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${adult}`);
  return {
    subjectId: await idOf(`insert into attendance_message (academic_year_id, student_id, day, kind)
      select academic_year_id, student_id, current_date, '${kind}' from student_enrollment where student_id = ${child}
      returning id`),
    recipient: mobile,
    change: `update guardian set mobile = '9825099999' where id = ${adult}`,
  };
};

const ofAnnouncement = async (): Promise<Case> => {
  const child = await seat(school, await openSection(school), 'Aarav');
  const email = `adult${++people}@family.example`;
  const adult = await raise(school, [child], { firstName: 'Nikhil' });
  await school.sql(`update guardian set email = '${email}' where id = ${adult}`);
  const { deliveryId } = await plantAnnouncement(school, { studentId: child, guardianId: adult });
  const change = `update guardian set email = 'new${people}@family.example' where id = ${adult}`;
  return { subjectId: deliveryId, recipient: email, change };
};

/** A message with the link to the family page, by default about the guardian. */
const ofFamilyPage = async (subject?: (guardianId: number) => Promise<number>): Promise<Case> => {
  const child = await seat(school, await openSection(school), 'Aarav');
  const mobile = String(9_300_000_000 + ++people);
  const guardianId = await raise(school, [child], { firstName: 'Nikhil', mobile });
  const [link] = await school.services.db
    .transaction()
    .execute((db) => extendLinks({ ...school.context(), db }, [guardianId]));
  return {
    subjectId: (await subject?.(guardianId)) ?? guardianId,
    recipient: mobile,
    version: Number(link?.version),
    change: `update guardian set mobile = '${9_400_000_000 + people}' where id = ${guardianId}`,
  };
};

const ticketWords = [
  'answered',
  'assigned',
  'cancelled',
  'held',
  'late',
  'overdue',
  'queued',
  'reminded',
  'reopened',
  'resolved',
  'soon',
  'unanswered',
];

/** A message of each kind whose recipient matters, and a change of that address. */
const cases: Record<string, () => Promise<Case>> = {
  'admission.link': () => ofFamily(),
  'admission.reminder': () => ofFamily(),
  'admission.correction': () => ofFamily(),
  'admission.correction-reminder': () => ofFamily(),
  'admission.decision': () => ofFamily(),
  'admission.meeting': () => ofFamily(),
  'admission.offer-reminder': () => ofFamily(),
  'admission.submitted': () => ofFamily(),
  'admission.welcome': () => ofFamily(),
  'admission.reply': () => ofFamily(wrote),
  'admission.message': () => ofSchool(wrote),
  'admission.consent-withdrawn': () => ofSchool(),
  'admission.sibling-code': async () => {
    const sibling = await school.inquiry();
    const own = await school.inquiry();
    await school.sql(`update admission_inquiry set sibling_inquiry_id = ${sibling.id} where id = ${own.id}`);
    return {
      subjectId: await idOf(`insert into admission_sibling_code (inquiry_id, parent, salt, expires_at)
        values (${own.id}, 'father', ${salt}, now() + interval '1 hour') returning id`),
      recipient: String(known.fatherMobile),
      change: `update admission_inquiry set father_mobile = '${right}' where id = ${sibling.id}`,
    };
  },
  'announcement.emergency': ofAnnouncement,
  'announcement.notice': ofAnnouncement,
  'attendance.absent': () => ofGuardian('Absent'),
  'attendance.update': () => ofGuardian('Update'),
  'family.link': () => ofFamilyPage(),
  'fee.receipt': async () => {
    const studentId = await seat(school, await openSection(school), 'Aarav');
    const mobile = String(9_300_000_000 + ++people);
    const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile });
    await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId}`);
    return {
      subjectId: await plantReceipt(school, { studentId, guardianId }),
      recipient: mobile,
      change: `update guardian set mobile = '9825088887' where id = ${guardianId}`,
    };
  },
  'fee.reminder': async () => {
    const studentId = await seat(school, await openSection(school), 'Aarav');
    const mobile = String(9_300_000_000 + ++people);
    const guardianId = await raise(school, [studentId], { firstName: 'Nikhil', mobile });
    await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${guardianId}`);
    return {
      subjectId: await plantReminder(school, { studentId, guardianId }),
      recipient: mobile,
      change: `update guardian set mobile = '9825088888' where id = ${guardianId}`,
    };
  },
  'homework.digest': () =>
    ofFamilyPage((guardianId) =>
      idOf(`insert into homework_digest (day, guardian_id) values (current_date, ${guardianId}) returning id`),
    ),
  'sign-in-code': () =>
    ofAccount(({ id, email }) =>
      idOf(`insert into sign_in_code (challenge, method, target, account_id, salt, expires_at)
        values (sha256('${email}'), 'Email', '${email}', ${id}, ${salt}, now() + interval '1 hour') returning id`),
    ),
  'sign-in-reset': () =>
    ofAccount(({ id }) =>
      idOf(`insert into sign_in_reset (account_id, salt, expires_at)
        values (${id}, ${salt}, now() + interval '1 hour') returning id`),
    ),
  'contact-code': async () => {
    const made = await ofAccount(({ id, email }) =>
      idOf(`insert into sign_in_contact (account_id, channel, target, salt, expires_at)
        values (${id}, 'email', '${email}', ${salt}, now() + interval '1 hour') returning id`),
    );
    return { ...made, change: `update sign_in_contact set target = 'new@staff.example' where id = ${made.subjectId}` };
  },
  'account-approved': () => ofAccount(),
  'account-invited': () => ofAccount(),
  'account-invited-sms': () => ofAccount(),
  'staff.documents-due': () => ofAccount(),
  'act-reported': () => ofAccount(undefined, true),
  'admin-added': () => ofAccount(undefined, true),
  'admin-contact-changed': () => ofAccount(undefined, true),
  'admin-password-reset': () => ofAccount(undefined, true),
  'admin-reset-held': () => ofAccount(undefined, true),
  'staff-contact-changed': () => ofAccount(undefined, true),
  ...Object.fromEntries(ticketWords.map((word) => [`ticket.${word}`, () => ofAccount()])),
};

/** News that are to reach an old address too, and hold neither a link nor a code. */
const asQueued = [
  'account-declined',
  'admin-removed',
  'email-added',
  'email-changed',
  'mobile-added',
  'mobile-changed',
  'password-changed',
];

test('Y2 every kind of message says whom it is for', () => {
  const kinds = Object.entries(allMessages);
  expect(
    kinds
      .filter(([, { isFor }]) => isFor === 'as queued')
      .map(([name]) => name)
      .sort(),
  ).toEqual(asQueued);
  expect(
    kinds
      .filter(([, { isFor }]) => isFor !== 'as queued')
      .map(([name]) => name)
      .sort(),
  ).toEqual(Object.keys(cases).sort());
});

test.each(Object.keys(cases))('Y2 %s is not sent to an address that changed after it was queued', async (name) => {
  const made = await cases[name]?.();
  const template = allMessages[name];
  if (!made || !template || template.isFor === 'as queued') throw new Error(`${name} is for everybody.`);
  const { change, version = null, ...message } = made;
  expect(await template.isFor(school.services, { ...message, version })).toBe(true);
  await school.sql(change);
  expect(await template.isFor(school.services, { ...message, version })).toBe(false);
});

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
