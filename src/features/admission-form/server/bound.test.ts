import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { requestCorrection } from '#testing/correction.ts';
import type { Answer } from '#testing/exchange.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { linkSibling, siblingCode } from '#testing/sibling.ts';
import { noticeVersions } from '../contract/consent.ts';
import { admissionForm as admission } from './feature.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
  await school.sql(`update academic_school set email = 'office@school.example'`);
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

/** The messages and audit rows that one family's link has created so far. */
const madeBy = async ({ id }: Family) => {
  const [made] = await school.sql(`select
    (select count(*)::int from audit where entity_id = ${id} and actor = 'Parent') as audited,
    (select count(*)::int from outbox where subject_id = ${id} or subject_id in
      (select id from admission_message where inquiry_id = ${id})) as queued`);
  return made;
};

test('W14 consent given and withdrawn 200 times sends the school one email a day and writes few audit rows', async () => {
  const family = await school.inquiry();
  const answers: Answer[] = [];
  for (let turn = 0; turn < 200; turn++) {
    answers.push(await family.post('consent/withdraw', {}));
    answers.push(await family.post('consent', agreed));
  }
  const mails = await school.sql(
    `select recipient from outbox where template = 'admission.consent-withdrawn' and subject_id = ${family.id}`,
  );
  expect(mails).toEqual([{ recipient: 'office@school.example' }]);
  expect((await madeBy(family))?.audited).toBeLessThanOrEqual(21);
  // Withdrawing is never refused; agreeing again is, with a message and a waiting time.
  expect(answers.filter((_, index) => index % 2 === 0).every(({ status }) => status === 200)).toBe(true);
  const last = answers.at(-1);
  expect([last?.status, Number(last?.headers['retry-after']) > 3600]).toEqual([429, true]);
  expect(last?.json.message).toBe('Too many attempts. Try again later.');
});

test('W14 the school gets one email about withdrawn consent on each day', async () => {
  const family = await school.inquiry();
  const day = 24 * 60 * 60 * 1000;
  for (const days of [0, 0, 1, 1, 2]) {
    school.clock.now = new Date(Date.now() + days * day);
    await family.post('consent/withdraw', {});
    await family.post('consent', agreed);
  }
  school.clock.now = undefined;
  const mails = await school.sql(
    `select 1 from outbox where template = 'admission.consent-withdrawn' and subject_id = ${family.id}`,
  );
  expect(mails).toHaveLength(3);
});

/** Every change that a link holder can make, such that each call changes something. */
const changes: Record<string, (family: Family, turn: number) => Promise<Answer>> = {
  'POST /admission/basic-info': (family) => family.saveBasicInfo(),
  'POST /admission/parent-info': (family) => family.saveParentInfo(),
  'POST /admission/siblings': (family) => family.post('siblings', { siblingName: '' }),
  'POST /admission/siblings/code': (family) => family.post('siblings/code', { parent: 'Father' }),
  'POST /admission/siblings/details': async (family, turn) => {
    if (turn === 0) await family.post('siblings/code', { parent: 'Father' });
    return family.post('siblings/details', { code: await siblingCode(school, family) });
  },
  'POST /admission/education-history': (family) => family.post('education-history', educationAnswers),
  'DELETE /admission/education-history/:id': async (family) => {
    const { json } = await family.get('education-history');
    const [row] = json.data.lstStudentAdmissionChildEducationHistoryModel;
    return family.remove(`education-history/${row.studentAdmissionChildEducationHistoryID}`);
  },
  'POST /admission/health': (family) => family.saveHealth(),
  'POST /admission/additional-info': (family) => family.saveAdditionalInfo(),
  'POST /admission/language': (family) => family.submit(),
  'POST /admission/correction': (family) => family.post('correction', {}),
  'POST /admission/documents': (family, turn) => family.upload('Other', { otherDocumentDescription: `Paper ${turn}` }),
  'DELETE /admission/documents/:id': async (family) => {
    const { json } = await family.get('documents');
    return family.remove(`documents/${json.data.resultList[0].studentAdmissionDocumentsID}`);
  },
  'PUT /admission/draft/:page': (family, turn) =>
    family.draft('health', { childPersonalityAndHomeRoutine: `${turn}` }, { number: turn + 1 }),
  'PUT /admission/language': (family, turn) => family.chooseLanguage(turn === 0 ? 'gu' : 'hi'),
  'POST /admission/consent': (family) => family.post('consent', agreed),
  'POST /admission/consent/withdraw': (family) => family.post('consent/withdraw', {}),
  'POST /admission/message-to-school': (family) =>
    family.post('message-to-school', { about: 'Birth Date', messageText: 'It is the 13th.' }),
  'POST /admission/send-link': (family) => family.post('send-link', {}),
};

describe('a link whose counts are used up', () => {
  const operations = admission.routes
    .filter(({ endpoint }) => endpoint.access === 'link' && endpoint.method !== 'GET')
    .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);

  test('W14 is tried with every change a link holder can make', () => {
    expect(Object.keys(changes).sort()).toEqual([...operations].sort());
  });

  test.each(operations)('W14 neither queues a message nor writes an audit row by %s', async (operation) => {
    const change = changes[operation];
    if (!change) throw new Error(`${operation} is not tried.`);
    const family = await school.inquiry(operation === 'POST /admission/consent' ? { consent: undefined } : undefined);
    if (operation === 'POST /admission/language') await family.fillAll();
    if (operation === 'POST /admission/correction') {
      await family.fillAll();
      await family.submit();
      await requestCorrection(school, family, { staffId: (await school.person()).staffId, pages: [2] });
    }
    if (operation.startsWith('POST /admission/siblings/')) {
      const elder = await school.inquiry();
      await elder.fillAll();
      await elder.submit();
      await linkSibling(school, family, elder);
      // The parents of every family here have the same mobile numbers.
      await school.sql('delete from attempt');
    }
    if (operation.startsWith('DELETE /admission/education'))
      for (let row = 0; row < 2; row++) await family.post('education-history', educationAnswers);
    if (operation.startsWith('DELETE /admission/documents')) await family.upload('Birth Certificate');
    if (operation.startsWith('DELETE /admission/documents')) await family.upload('Aadhar Card');
    const first = await change(family, 0);
    expect(first.status).toBe(200);

    await school.sql('update attempt set hits = 100000');
    const before = await madeBy(family);
    const again = await change(family, 1);
    expect(await madeBy(family)).toEqual(before);
    if (again.status !== 429) return;
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
    expect(again.json.message).toMatch(/again|Check your messages/);
  });

  test('W14 may save a page 200 times within an hour', async () => {
    const family = await school.inquiry();
    for (let turn = 0; turn < 200; turn++) await family.saveAdditionalInfo();
    const { status, json, headers } = await family.saveAdditionalInfo();
    expect([status, json.message]).toEqual([
      429,
      'You have saved too many times within an hour. Your answers are kept. Try again later.',
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
    expect(await madeBy(family)).toMatchObject({ audited: 200 });
    expect((await (await school.inquiry()).saveAdditionalInfo()).status).toBe(200);
  });
});
