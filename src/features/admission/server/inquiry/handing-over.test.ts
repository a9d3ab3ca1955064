import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { revokeLink } from '#features/admission-form/api.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { inEnglish } from '#testing/messages.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { type Family, familyInquiry, openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';

let school: School;
let office: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', role: 'Staff', sets: ['office'] });
  await openAdmission(school);
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = undefined;
  await school.sql('delete from attempt');
});

const extend = (family: Family, expiresOn: string) =>
  office.send({ method: 'POST', url: `/api/inquiry/${family.id}/extend`, body: { expiresOn } });
const status = async (family: Family) => (await family.get('inquiry')).status;
const expire = ({ id }: Family) =>
  school.sql(`update admission_inquiry set link_expires_at = now() - interval '1 day' where id = ${id}`);
const timeline = async ({ id }: Family) => (await office.call(inquiryApi.history, { id })).rows;

test('an expired link that is extended opens the form again under its old value, until the end of that day', async () => {
  const family = await school.inquiry();
  await expire(family);
  expect(await status(family)).toBe(404);
  const until = addDays(today, 1);
  expect((await extend(family, until)).status).toBe(200);
  expect(await status(family)).toBe(200);
  const { link } = await office.call(inquiryApi.read, { id: family.id });
  expect(link).toEqual({ expiresOn: until, isRevoked: false, isExpired: false });
  school.clock.now = new Date(`${until}T23:59:00+05:30`);
  expect(await status(family)).toBe(200);
  school.clock.now = new Date(`${addDays(until, 1)}T00:00:00+05:30`);
  expect(await status(family)).toBe(404);
});

test('an extended link is not shortened by what is sent or saved later', async () => {
  const family = await school.inquiry();
  const until = addDays(today, 300);
  await extend(family, until);
  await office.call(inquiryApi.copyLink, { id: family.id });
  expect((await family.saveBasicInfo()).status).toBe(200);
  expect((await office.call(inquiryApi.read, { id: family.id })).link.expiresOn).toBe(until);
});

test('a link is extended from tomorrow to one year, and the timeline has it', async () => {
  const family = await school.inquiry();
  for (const day of [today, addDays(today, 366)]) {
    const { status, json } = await extend(family, day);
    expect([status, json.error.fields.expiresOn]).toEqual([422, expect.stringMatching(/^Enter a date from /)]);
  }
  expect((await extend(family, addDays(today, 365))).status).toBe(200);
  const [entry] = await timeline(family);
  expect(JSON.stringify(entry)).toContain('Extended the form’s link');
});

test('a revoked link is not extended: sending the form makes a new one', async () => {
  const family = await school.inquiry();
  await revokeLink(school.context(), 'Test', family.id);
  const { status: answer, json } = await extend(family, addDays(today, 9));
  expect([answer, json.error.message]).toEqual([
    409,
    'The link is revoked. Send the form again: that makes a new link.',
  ]);
  expect(await status(family)).toBe(404);
});

test('a link of a form that is submitted or ended is not extended', async () => {
  const family = await school.inquiry();
  await school.sql(`update admission_inquiry set state = 'Lost' where id = ${family.id}`);
  expect((await extend(family, addDays(today, 9))).status).toBe(409);
});

const whatsApp = (id: number, parent: string) =>
  office.call(inquiryApi.openWhatsApp, { id, parent } as Parameters<
    typeof office.call<typeof inquiryApi.openWhatsApp>
  >[1]);

test('WhatsApp opens with the family’s short link written, and counts as handing the link over', async () => {
  const family = await school.inquiry({ ...familyInquiry, state: 'New', fatherMobile: '9825012345' });
  const { address } = await whatsApp(family.id, 'Father');
  const url = new URL(address);
  expect([url.origin, url.pathname]).toEqual(['https://wa.me', '/919825012345']);
  const words = url.searchParams.get('text') ?? '';
  const [short] = /\/a\/\w{10}/.exec(words) ?? [];
  const opened = await school.send({ url: short ?? '' });
  expect(String(opened.headers.location)).toContain(family.link);
  expect((await office.call(inquiryApi.read, { id: family.id })).state).toBe('Form sent');
  const [act] = await school.sql(`select details from audit where entity_id = ${family.id}
    and action = 'admission.link.copied'`);
  expect(act).toEqual({ details: { Through: 'WhatsApp', Parent: 'Father' } });
  expect(JSON.stringify(await school.sql('select * from audit'))).not.toContain(short);
  expect(school.log()).not.toContain('wa.me');
});

test('a parent without a mobile number gets no WhatsApp', async () => {
  const family = await school.inquiry({ ...familyInquiry });
  await school.sql(`update admission_inquiry set father_mobile = null, mother_mobile = null
    where id = ${family.id}`);
  for (const parent of ['Father', 'Mother'])
    await expect(whatsApp(family.id, parent).catch((error) => inEnglish(error.fields))).resolves.toEqual({
      parent: 'The inquiry has no ten-digit mobile number of this parent. Edit it first.',
    });
});
