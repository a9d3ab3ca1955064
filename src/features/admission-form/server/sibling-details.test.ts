import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { requestCorrection } from '#testing/correction.ts';
import { type Family, familyInquiry, openSchool, type School } from '#testing/school.ts';
import { linkSibling, siblingCode } from '#testing/sibling.ts';
import { siblingCodeMessage } from './sibling-details.ts';

let school: School;
let elder: Family;
beforeAll(async () => {
  school = await openSchool();
  elder = await school.inquiry({
    ...familyInquiry,
    firstName: 'Asha',
    fatherMobile: '9825011111',
    motherMobile: '9825022222',
  });
  await elder.fillAll();
  await elder.post('education-history', educationAnswers);
  expect((await elder.submit()).status).toBe(200);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

/** A family that the office has linked to the form of the elder child. */
async function linked(values: object = {}) {
  const family = await school.inquiry({ ...familyInquiry, firstName: 'Veer', ...values });
  await linkSibling(school, family, elder);
  return family;
}
const offerOf = async (family: Family) => (await family.get('inquiry')).json[0].sibling;
const ask = (family: Family, parent = 'Father') => family.post('siblings/code', { parent });
const use = (family: Family, code: string) => family.post('siblings/details', { code });
const lastCode = (family: Family) => siblingCode(school, family);
const draftOf = async (family: Family, page: string) => (await family.get(`draft/${page}`)).json.data.answers;
const take = async (family: Family) => {
  expect((await ask(family)).status).toBe(200);
  return use(family, await lastCode(family));
};

test('the code for a sibling’s details comes in the family’s language', async () => {
  const family = await linked();
  await family.chooseLanguage('gu');
  expect((await ask(family)).status).toBe(200);
  const [row] = await school.sql(`select max(subject_id) as id from outbox where template = 'admission.sibling-code'`);
  const sms = await render(school.services, siblingCodeMessage, Number(row?.id), 'sms');
  expect(sms).toMatchObject({ language: 'gu', text: expect.stringContaining('પ્રવેશ ફોર્મ') });
});

test('B25 the details in a brother’s or sister’s form are filled in only after a code, and nothing that the school does not hold', async () => {
  const family = await linked({ fatherFirstName: 'Nilesh', fatherLastName: undefined });
  expect(await offerOf(family)).toEqual({
    firstName: 'Asha',
    grade: expect.any(String),
    receivers: [
      { parent: 'Father', mobile: '98XXXXXX11' },
      { parent: 'Mother', mobile: '98XXXXXX22' },
    ],
    isUsed: false,
  });
  expect(await draftOf(family, 'parent-info')).toBeNull();
  expect((await use(family, 'AAAAA')).status).toBe(422);
  expect((await ask(family)).json).toMatchObject({ isSuccess: true, message: expect.stringContaining('98XXXXXX11') });
  const sent = await school.sql(`select channel, recipient, subject_id from outbox
    where template = 'admission.sibling-code' order by id desc limit 1`);
  expect(sent).toMatchObject([{ channel: 'sms', recipient: '9825011111' }]);
  expect(await draftOf(family, 'parent-info')).toBeNull();

  const { status } = await use(family, await lastCode(family));
  expect(status).toBe(200);
  const parents = await draftOf(family, 'parent-info');
  expect(parents).toMatchObject({ fatherHobbies: 'Cricket', isParentLocalGuardian: true });
  // What the inquiry fixes, what is told for each child, and files stay as they are.
  for (const name of ['fatherFirstName', 'isParentDivorced', 'isChildAdopted', 'otherFamilyIssueDtl', 'guardianCity'])
    expect([name, parents[name]]).toEqual([name, undefined]);
  const child = await draftOf(family, 'basic-info');
  expect(Object.keys(child).every((name) => /^(current|permanent|sameAs)/.test(name))).toBe(true);
  expect(child).toMatchObject({ currentCity: expect.any(String), currentPinCode: expect.any(String) });
  expect(await offerOf(family)).toMatchObject({ isUsed: true });
  expect((await ask(family)).status).toBe(404);
  const acts = await school.sql(`select action, actor from audit where entity_id = ${family.id}
    and action like 'admission.sibling.%' order by id`);
  expect(acts).toEqual([
    { action: 'admission.sibling.code-sent', actor: 'Parent' },
    { action: 'admission.sibling.details-used', actor: 'Parent' },
  ]);
});

test('B25 what the family has typed or saved stays, and the empty answers are filled in', async () => {
  const family = await linked();
  await family.draft('parent-info', { fatherHobbies: 'Chess', fatherQualification: '' });
  expect((await family.saveBasicInfo({ currentCity: 'Surat' })).status).toBe(200);
  expect((await take(family)).status).toBe(200);
  const parents = await draftOf(family, 'parent-info');
  expect(parents).toMatchObject({ fatherHobbies: 'Chess', fatherQualification: expect.stringMatching(/./) });
  expect(await draftOf(family, 'basic-info')).toBeNull();
  const late = await family.draft('parent-info', { fatherHobbies: 'Late' }, { number: 9 });
  expect([late.status, late.json.code]).toEqual([409, 'stale']);
});

test('B25 a family that is not linked, whose sibling’s form is not submitted or lost its consent, or that corrects is offered nothing', async () => {
  const stranger = await school.inquiry();
  const unsubmitted = await school.inquiry();
  const waiting = await school.inquiry();
  await linkSibling(school, waiting, unsubmitted);
  const withdrawn = await linked();
  const correcting = await linked();
  await correcting.fillAll();
  await correcting.post('education-history', educationAnswers);
  await correcting.submit();
  const { staffId } = await school.person();
  await requestCorrection(school, correcting, { staffId, pages: [2] });
  const refused = async (family: Family) => {
    expect(await offerOf(family)).toBeNull();
    expect((await ask(family)).status).toBe(404);
  };
  for (const family of [stranger, waiting, correcting]) await refused(family);
  await ask(withdrawn);
  const code = await lastCode(withdrawn);
  await school.sql(`update admission_consent set withdrawn_at = now() where inquiry_id = ${elder.id}`);
  await refused(withdrawn);
  expect((await use(withdrawn, code)).status).toBe(404);
  await school.sql(`update admission_consent set withdrawn_at = null where inquiry_id = ${elder.id}`);
  expect(await draftOf(withdrawn, 'parent-info')).toBeNull();
});

test('B25 a code works once, for its own form, for five minutes and five tries, and three are sent an hour', async () => {
  const family = await linked({ firstName: 'Kavya' });
  const other = await linked({ firstName: 'Mira' });
  await ask(family);
  const first = await lastCode(family);
  await ask(other, 'Mother');
  expect((await use(other, first)).status).toBe(422);
  await ask(family);
  expect((await use(family, first)).status).toBe(422);
  await school.sql(`update admission_sibling_code set expires_at = now() where inquiry_id = ${family.id}`);
  expect((await use(family, await lastCode(family))).status).toBe(422);
  expect((await ask(family)).status).toBe(200);
  expect((await ask(family)).status).toBe(429);
  await school.sql('delete from attempt');
  const newest = await lastCode(family);
  for (let turn = 0; turn < 5; turn++) expect((await use(family, 'AAAAA')).status).toBe(422);
  expect((await use(family, newest)).status).toBe(429);
  await school.sql('delete from attempt');
  const twice = await Promise.all([use(family, newest), use(family, newest.toLowerCase())]);
  expect(twice.map(({ status }) => status).sort()).not.toEqual([200, 200]);
  expect(twice.some(({ status }) => status === 200)).toBe(true);
});

/** What happens to the form that the details come from after a code for it was sent. */
const afterwards: Record<string, (family: Family, from: Family) => Promise<unknown>> = {
  'the family is linked to another form': (family) => linkSibling(school, family, elder),
  'its number is corrected': (_, from) =>
    school.sql(`update admission_inquiry set father_mobile = '9825077777' where id = ${from.id}`),
};

test.each(Object.keys(afterwards))('Y2 a code fills in nothing after %s', async (what) => {
  const from = await school.inquiry({ ...familyInquiry, fatherMobile: '9825088888' });
  await from.fillAll();
  await from.post('education-history', educationAnswers);
  expect((await from.submit()).status).toBe(200);
  const family = await school.inquiry({ ...familyInquiry, firstName: 'Veer' });
  await linkSibling(school, family, from);
  expect((await ask(family)).status).toBe(200);
  const code = await lastCode(family);
  await afterwards[what]?.(family, from);
  expect((await use(family, code)).status).toBe(422);
  expect(await draftOf(family, 'parent-info')).toBeNull();
  expect((await take(family)).status).toBe(200);
});
