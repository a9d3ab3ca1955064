import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endedStates } from '#features/admission-form/contract/state.ts';
import type { Person } from '#testing/browser.ts';
import { requestCorrection } from '#testing/correction.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { answerSections, reviewApi } from '../../contract/review.ts';

let school: School;
let office: Person;

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ sets: ['office', 'admissionHead'] });
  await openAdmission(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

async function submitted(): Promise<Family> {
  const family = await school.inquiry();
  await family.fillAll();
  expect((await family.submit()).status).toBe(200);
  return family;
}
const read = ({ id }: { id: number }) => office.call(reviewApi.read, { id });
const stateOf = async (family: Family) => (await read(family)).state;
async function edit({ id }: Family, values: object) {
  const { version, values: before } = await office.call(inquiryApi.read, { id });
  const [source] = await school.sql("select min(id) as id from academic_lookup where kind = 'Lead source'");
  const leads = { leadSourceId: Number(source?.id), assignedToId: '', ageReason: 'Known to the school' };
  await office.call(inquiryApi.update, { id, version, ...before, ...leads, ...values } as never);
}
/** The family answers a correction. */
async function correct(family: Family) {
  await requestCorrection(school, family, { staffId: office.staffId, pages: [1] });
  expect((await family.saveBasicInfo({ caste: 'Other caste' })).status).toBe(200);
  const { status, text } = await family.post('correction', {});
  expect([status, text]).toEqual([200, expect.anything()]);
}
async function verified() {
  const family = await submitted();
  const { answersVersion } = await read(family);
  const shown = { id: family.id, answersVersion };
  for (const section of answerSections) await office.call(reviewApi.acceptSection, { ...shown, section });
  for (const { id: document } of (await read(family)).documents)
    await office.call(reviewApi.decideDocument, {
      ...shown,
      document,
      result: 'Verified',
      isOriginalSeen: false,
      remark: '',
    } as never);
  await office.call(reviewApi.verify, { id: family.id, version: (await read(family)).version });
  return family;
}

type Shown = { id: number; answersVersion: number };
/** Acts on answers that were shown. */
const acts: Record<string, (shown: Shown, document: number) => Promise<unknown>> = {
  'a verdict': (shown) => office.call(reviewApi.acceptSection, { ...shown, section: 'Health' }),
  'a remark': (shown) =>
    office.call(reviewApi.addRemark, { ...shown, section: 'Child', field: 'caste', remark: 'No.' }),
  'the removal of a remark': (shown) => office.call(reviewApi.removeRemark, { ...shown, remarkId: 1 }),
  'a verdict on a document': (shown, document) =>
    office.call(reviewApi.decideDocument, {
      ...shown,
      document,
      result: 'Verified',
      isOriginalSeen: false,
      remark: '',
    } as never),
  'a waiver': (shown) => office.call(reviewApi.waive, { ...shown, what: 'Birth Certificate', reason: 'Lost' }),
  'the end of a waiver': (shown) => office.call(reviewApi.endWaiver, { ...shown, waived: 'Birth Certificate' }),
};

test.each(Object.keys(acts))('Y7 %s on answers that have changed since is refused as stale', async (name) => {
  const family = await submitted();
  const old = await read(family);
  const shown = { id: family.id, answersVersion: old.answersVersion };
  const act = () => acts[name]?.(shown, old.documents[0]?.id ?? 0);
  await correct(family);
  await expect(act()).rejects.toMatchObject({ code: 'stale' });
  shown.answersVersion = (await read(family)).answersVersion;
  expect(shown.answersVersion).toBeGreaterThan(old.answersVersion);
  await edit(family, { firstName: 'Other' });
  await expect(act()).rejects.toMatchObject({ code: 'stale' });
  expect(await school.sql(`select from admission_verdict where inquiry_id = ${family.id}`)).toEqual([]);
});

const setState = ({ id }: Family, state: string) =>
  school.sql(`update admission_inquiry set state = '${state}' where id = ${id}`);

test.each(endedStates)('Y8 an inquiry that is %s is not edited, followed up or waived for', async (state) => {
  const family = await submitted();
  const { answersVersion } = await read(family);
  const shown = { id: family.id, answersVersion };
  await setState(family, state);
  const refused = { code: 'conflict' };
  await expect(edit(family, { firstName: 'Other' })).rejects.toMatchObject(refused);
  const contact = { id: family.id, channel: 'Call', note: 'Hello', nextOn: '' } as const;
  await expect(office.call(inquiryApi.logFollowUp, contact)).rejects.toMatchObject(refused);
  for (const name of ['a waiver', 'the end of a waiver'])
    await expect(acts[name]?.(shown, 0)).rejects.toMatchObject(refused);
});

test('Y8 a verified form keeps what it was verified with: waivers change after “Review again” alone', async () => {
  const family = await verified();
  const { answersVersion } = await read(family);
  for (const name of ['a waiver', 'the end of a waiver'])
    await expect(acts[name]?.({ id: family.id, answersVersion }, 0)).rejects.toMatchObject({ code: 'conflict' });
  expect(await stateOf(family)).toBe('Verified');
});

test.each([
  ['firstName', 'Other', 'Child'],
  ['lastName', 'Other', 'Child'],
  ['birthDate', '2020-03-13', 'Child'],
  ['gender', 'Male', 'Child'],
  ['fatherFirstName', 'Other', 'Family'],
  ['motherLastName', 'Other', 'Family'],
])('Y8 a changed %s sends a verified form back to review', async (field, value, section) => {
  const family = await verified();
  await edit(family, { [field]: value });
  const { state, sections } = await read(family);
  expect(state).toBe('Under review');
  expect(sections.filter(({ result }) => result !== 'Accepted').map((open) => open.section)).toEqual([section]);
  const [row] = await school.sql(`select status from admission_inquiry where id = ${family.id}`);
  expect(row?.status).toBe('Under review');
});

test('Y8 a changed remark or email address leaves a verified form as it is', async () => {
  const family = await verified();
  await edit(family, { remark: 'Called', fatherEmail: 'other@family.example' });
  expect(await stateOf(family)).toBe('Verified');
});
