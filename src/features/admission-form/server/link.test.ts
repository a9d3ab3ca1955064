import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { educationAnswers, languageAnswers } from '#database/seed/answers.ts';
import { type Family, familyInquiry, openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { renewLink, revokeLink, sendLink } from '../api.ts';
import { findLinkHolder } from './link.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = undefined;
  await school.sql('delete from attempt');
});

const open = (link: string) => school.send({ url: `/api/admission/inquiry?inquiryNo=${link}` });
const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day);

test('S017 RA5 the inquiry gives what pages 1 and 2 are filled in with', async () => {
  const family = await school.inquiry();
  expect((await family.get('inquiry')).json).toEqual([
    {
      language: null,
      inquiryNo: family.inquiryNo,
      admissionID: family.id,
      isFormSubmitted: false,
      firstName: 'Meera',
      lastName: 'Patel',
      birthDate: '2020-03-12',
      gender: false,
      admissionAcademicYearID: 1,
      academicYear: '2026-27',
      admissionBoardID: 1,
      board: 'CBSE',
      admissionProgramID: 1,
      program: 'Regular',
      admissionGradeID: 4,
      grade: 'Grade 1',
      fatherFirstName: 'Nikhil',
      fatherLastName: 'Patel',
      fatherMobileNo: '9825011111',
      fatherEmailID: 'nikhil.patel@family.example',
      motherFirstName: 'Hetal',
      motherLastName: 'Patel',
      motherMobileNo: '9825022222',
      motherEmailID: 'hetal.patel@family.example',
      isConsentRequired: false,
      gradeAge: { years: 6, on: '2026-06-01' },
      detailsNotApplicable: [],
      waivedDocuments: [],
      correction: null,
      sibling: null,
      savedSteps: [],
      deviceKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

describe('the link value', () => {
  test('C1 RA1 is 32 hex digits of which the database keeps the SHA-256 alone', async () => {
    const family = await school.inquiry();
    expect(family.link).toMatch(/^[0-9a-f]{32}$/);
    const [row] = await school.sql(
      `select encode(link_hash, 'hex') as hash, admission_inquiry::text as whole from admission_inquiry where id = ${family.id}`,
    );
    expect(row?.hash).toBe(createHash('sha256').update(family.link).digest('hex'));
    expect(String(row?.whole)).not.toContain(family.link);
  });

  test('B01 C1 RA1 is no hash that can be made from a number, and guessing is slowed down', async () => {
    const families = await Promise.all([school.inquiry(), school.inquiry()]);
    const spellings = (number: string, id: number) => [
      number,
      number.toLowerCase(),
      number.replaceAll('/', ''),
      String(id),
      String(id).padStart(5, '0'),
      String(Number(number.slice(-5))),
    ];
    const guesses = families
      .flatMap(({ inquiryNo, id }) => spellings(inquiryNo, id))
      .flatMap((spelling) =>
        ['md5', 'sha1', 'sha256'].map((kind) => createHash(kind).update(spelling).digest('hex').slice(0, 32)),
      );
    const numbers = Array.from({ length: 1000 }, (_, index) =>
      createHash('md5')
        .update(String(index + 1))
        .digest('hex'),
    );
    const statuses: number[] = [];
    const all = [...guesses, ...numbers];
    while (all.length > 0) {
      const some = await Promise.all(all.splice(0, 40).map(open));
      statuses.push(...some.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(statuses.filter((status) => status === 404)).toHaveLength(30);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    expect((await families[0]?.get('inquiry'))?.status).toBe(200); // A valid link works from any address.
  });

  test('C5 RA48 that is missing, malformed, altered, expired or revoked gets one and the same answer', async () => {
    const [expired, revoked] = [await school.inquiry(), await school.inquiry()];
    await school.sql(
      `update admission_inquiry set link_expires_at = now() - interval '1 minute' where id = ${expired.id}`,
    );
    await revokeLink(school.context(), 'Test', revoked.id);
    const altered = revoked.link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const answers = await Promise.all(
      ['', 'x', '%00', altered, expired.link, revoked.link, `${revoked.link}0`, revoked.link.toUpperCase()].map(open),
    );
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([404, answers[0]?.text]);
      expect(Object.keys(headers).sort()).toEqual(Object.keys(answers[0]?.headers ?? {}).sort());
    }
    expect((await school.send({ url: '/api/admission/inquiry' })).text).toBe(answers[0]?.text);
    expect(
      (await school.send({ url: `/api/admission/inquiry?inquiryNo=${expired.link}&inquiryNo=${expired.link}` })).status,
    ).toBe(404);
  });

  test('W18 C5 the same statements run for every link that opens nothing', async () => {
    const [expired, revoked] = [await school.inquiry(), await school.inquiry()];
    await school.sql(`update admission_inquiry set link_expires_at = now() where id = ${expired.id}`);
    await revokeLink(school.context(), 'Test', revoked.id);
    const addresses = ['', '?inquiryNo=', '?inquiryNo=x', `?inquiryNo=${'0'.repeat(32)}`].concat(
      [expired, revoked].map(({ link }) => `?inquiryNo=${link}`),
      `?inquiryNo=${expired.link}&inquiryNo=${expired.link}`,
    );
    const texts = [];
    for (const address of addresses)
      texts.push(
        (await recordStatements(school, () => school.send({ url: `/api/admission/inquiry${address}` }))).texts,
      );
    expect(texts[0]?.length).toBeGreaterThan(1);
    for (const others of texts) expect(others).toEqual(texts[0]);
  });

  test('B3 families who ask at the same moment are each shown their own form, beside one whose link opens nothing', async () => {
    const families = await Promise.all(Array.from({ length: 8 }, () => school.inquiry()));
    await revokeLink(school.context(), 'Test', families[3]?.id ?? 0);
    const answers = await Promise.all(families.map((family) => family.get('inquiry')));
    const shown = answers.map(({ status, json }) => (status === 200 ? json[0].inquiryNo : status));
    expect(shown).toEqual(families.map(({ inquiryNo }, index) => (index === 3 ? 404 : inquiryNo)));
  });

  test('C4 expires after 60 days, and every save gives it 60 more', async () => {
    const family = await school.inquiry();
    school.clock.now = inDays(59);
    expect((await family.saveBasicInfo()).status).toBe(200);
    school.clock.now = inDays(118);
    expect((await family.get('inquiry')).status).toBe(200);
    school.clock.now = inDays(120);
    expect((await family.get('inquiry')).status).toBe(404);
  });

  test('C4 that is renewed opens the form, and the old one nothing', async () => {
    const family = await school.inquiry();
    const address = await renewLink(school.context(), 'Test', family.id);
    expect((await open(address.split('=')[1] ?? '')).status).toBe(200);
    expect((await family.get('inquiry')).status).toBe(404);
  });

  test('C6 I6 stands in no log, and no answer but a message to the family', async () => {
    const family = await school.inquiry();
    await family.saveBasicInfo();
    await family.get('files/00000000-0000-4000-8000-000000000000');
    await school.send({ url: `/admission/${family.link}` });
    expect(school.log()).toContain('"path":"/api/admission/basic-info"');
    expect(school.log()).not.toContain(family.link);
    expect(school.answers()).not.toContain(family.link);
    expect(JSON.stringify(await school.sql('select * from audit'))).not.toContain(family.link);
  });
});

describe('a new link', () => {
  const ask = (contact: string) => school.send({ method: 'POST', url: '/api/admission/new-link', body: { contact } });
  const queued = () =>
    school.sql(
      `select recipient, subject_id from outbox where template = 'admission.link' and status = 'queued' order by id`,
    );

  test('RA48 B02 goes only to a contact the inquiry holds, and the answer is always alike', async () => {
    const contact = { ...familyInquiry, fatherMobile: '9825077777', motherEmail: 'asha.only@family.example' };
    const family = await school.inquiry(contact);
    const answers = [
      await ask('+91 98250 77777'),
      await ask('Asha.Only@family.example'),
      await ask('9825000000'),
      await ask('nobody@family.example'),
    ];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await queued()).toEqual([
      { recipient: '9825077777', subject_id: family.id },
      { recipient: 'asha.only@family.example', subject_id: family.id },
    ]);
  });

  /** The link that the newest message to a contact would contain if it were sent now. */
  const linkTo = async (recipient: string) => {
    const { text } = await school.send({ url: '/dev/outbox' });
    const message = text.split('<article>').find((article) => article.includes(`to ${recipient},`));
    // A text message has the short link.
    const [short] = /\/a\/\w{10}/.exec(message ?? '') ?? [];
    const address = short ? String((await school.send({ url: short })).headers.location) : (message ?? '');
    return /inquiryNo=([0-9a-f]{32})/.exec(address)?.[1] ?? '';
  };
  const expire = (id: number) =>
    school.sql(`update admission_inquiry set link_expires_at = now() - interval '1 day' where id = ${id}`);

  test.each(['expired', 'alive'])(
    'W6 C4 for a link that is %s is another link, and the old one stays dead once the new one is opened',
    async (state) => {
      const family = await school.inquiry({
        ...familyInquiry,
        fatherMobile: '9825088888',
        fatherEmail: 'asks@family.example',
      });
      if (state === 'expired') await expire(family.id);
      const links = [family.link];
      for (const contact of ['9825088888', 'asks@family.example']) {
        await ask(contact);
        links.push(await linkTo(contact));
        await open(links.at(-1) ?? '');
        const statuses = await Promise.all(links.map(async (link) => (await open(link)).status));
        expect(statuses).toEqual([...links.slice(1).map(() => 404), 200]);
      }
      expect(new Set(links).size).toBe(3);
      expect(JSON.stringify(await school.sql('select * from outbox'))).not.toMatch(new RegExp(links.join('|')));
      await school.sql(
        `update admission_inquiry set father_mobile = null, father_email = null where id = ${family.id}`,
      );
    },
  );

  test('W6 C4 is sent for every inquiry of the contact but a revoked one', async () => {
    const contact = { ...familyInquiry, motherEmail: 'three@family.example' };
    const [first, second, revoked] = [
      await school.inquiry(contact),
      await school.inquiry(contact),
      await school.inquiry(contact),
    ];
    await revokeLink(school.context(), 'Test', revoked.id);
    await ask('three@family.example');
    const sent = await school.sql(`select subject_id from outbox where recipient = 'three@family.example' order by id`);
    expect(sent).toEqual([{ subject_id: first.id }, { subject_id: second.id }]);
    for (const { link } of [first, second]) expect((await open(link)).status).toBe(200);
    expect((await open(revoked.link)).status).toBe(404);
  });

  test('Y10 a request ends no link that works: the family fills in its form until the new link is opened', async () => {
    const contact = { ...familyInquiry, fatherMobile: '9825066666', motherEmail: 'mother.y10@family.example' };
    const family = await school.inquiry(contact);
    await ask('9825066666');
    expect((await family.saveBasicInfo()).status).toBe(200);
    const [first, second] = [await linkTo('9825066666'), (await ask('mother.y10@family.example')).status];
    expect(second).toBe(200);
    // Both parents get the same one, so that neither ends the other's.
    expect(await linkTo('mother.y10@family.example')).toBe(first);
    expect((await family.saveHealth()).status).toBe(200);
    expect((await open(first)).status).toBe(200);
    expect((await open(family.link)).status).toBe(404);
    expect((await open(first)).status).toBe(200);
    const acts = await school.sql(
      `select actor, action from audit where entity_id = ${family.id} and action like 'admission.link.%' order by id`,
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'admission.link.offered',
      'admission.link.offered',
      'admission.link.renewed',
    ]);
  });

  test.each(['revoked', 'renewed', 'changed', 'expired'])(
    'Y10 a new link that waits ends as the old one: %s',
    async (end) => {
      const family = await school.inquiry({ ...familyInquiry, fatherMobile: '9825055555' });
      await ask('9825055555');
      const next = await linkTo('9825055555');
      const endings: Record<string, () => Promise<unknown>> = {
        revoked: () => revokeLink(school.context(), 'Test', family.id),
        renewed: () => renewLink(school.context(), 'Test', family.id),
        changed: () => school.sql(`update admission_inquiry set father_mobile = '9825044444' where id = ${family.id}`),
        expired: () => school.sql(`update admission_inquiry set next_link_expires_at = now() where id = ${family.id}`),
      };
      await endings[end]?.();
      expect((await open(next)).status).toBe(404);
      await school.sql(`update admission_inquiry set father_mobile = null where id = ${family.id}`);
    },
  );

  test('W6 C4 the office’s sending keeps a link that is alive, and replaces an expired and a revoked one', async () => {
    const [alive, expired, revoked] = [await school.inquiry(), await school.inquiry(), await school.inquiry()];
    await expire(expired.id);
    await revokeLink(school.context(), 'Test', revoked.id);
    for (const { id } of [alive, expired, revoked]) {
      await sendLink(school.context(), 'Test', {
        inquiryId: id,
        channel: 'email',
        recipient: `office${id}@family.example`,
      });
    }
    const statuses = await Promise.all(
      [alive, expired, revoked].map(async ({ id, link }) => [
        (await open(link)).status,
        (await open(await linkTo(`office${id}@family.example`))).status,
      ]),
    );
    expect(statuses).toEqual([
      [200, 200],
      [404, 200],
      [404, 200],
    ]);
  });

  test.each(['father_mobile', 'father_email', 'mother_mobile', 'mother_email'])(
    'W6 C4 a link ends when %s of its inquiry is changed or removed, and stays when it is first entered',
    async (column) => {
      const contacts = {
        fatherMobile: undefined,
        fatherEmail: undefined,
        motherMobile: undefined,
        motherEmail: undefined,
      };
      const family = await school.inquiry({ ...familyInquiry, ...contacts });
      const change = (value: string) =>
        school.sql(`update admission_inquiry set ${column} = ${value} where id = ${family.id}`);
      const value = column.endsWith('mobile') ? '9825000001' : 'new@family.example';
      await change(`'${value}'`);
      expect((await family.get('inquiry')).status).toBe(200);
      await change(column.endsWith('mobile') ? `'9825000002'` : `'other@family.example'`);
      expect((await family.get('inquiry')).status).toBe(404);
      const link = (await renewLink(school.context(), 'Test', family.id)).split('=')[1] ?? '';
      expect((await open(link)).status).toBe(200);
      await change('null');
      expect((await open(link)).status).toBe(404);
    },
  );

  test('W6 C4 a save that is under way while the link is replaced neither counts nor wakes the old link', async () => {
    const family = await school.inquiry({ ...familyInquiry, fatherEmail: 'both@family.example' });
    const holder = await findLinkHolder(school.services, family.link);
    await ask('both@family.example');
    await open(await linkTo('both@family.example'));
    const found = vi.spyOn(school.services.linkHolders, 'inquiryNo').mockResolvedValue(holder);
    const saves = [
      await family.saveHealth(),
      await family.draft('health', { isSpecialNeeds: true }),
      await family.post('consent/withdraw', {}),
    ];
    found.mockRestore();
    expect(saves.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await open(family.link)).status).toBe(404);
    expect(await school.sql(`select 1 from admission_health where inquiry_id = ${family.id}`)).toEqual([]);
  });

  test('W6 C4 keeps what the family typed and saved, and opens what its devices keep of their typing', async () => {
    const family = await school.inquiry({ ...familyInquiry, fatherEmail: 'typed@family.example' });
    const [before] = (await family.get('inquiry')).json;
    await family.draft('health', { isSpecialNeeds: true });
    await ask('typed@family.example');
    const link = await linkTo('typed@family.example');
    const [after] = (await open(link)).json;
    expect(before.deviceKey).toMatch(/^[0-9a-f]{64}$/);
    expect(after.deviceKey).toBe(before.deviceKey);
    const { json } = await school.send({ url: `/api/admission/draft/health?inquiryNo=${link}` });
    expect(json.data.answers).toEqual({ isSpecialNeeds: true });
    const [other] = (await (await school.inquiry()).get('inquiry')).json;
    expect(other.deviceKey).not.toBe(before.deviceKey);
  });

  test('W15 is asked for twenty times an hour from one network, counted before the contact', async () => {
    const statuses = [];
    for (let asked = 0; asked < 25; asked++)
      statuses.push((await ask(`98251${String(asked).padStart(5, '0')}`)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429, 429]);
    const counted = await school.sql(`select subject from attempt where kind = 'new-link'`);
    expect(counted).toHaveLength(20);
  });

  test('W18 C5 the same statements run for a contact the school has and for one it has not', async () => {
    await school.inquiry({ ...familyInquiry, fatherEmail: 'one@family.example' });
    for (const name of ['two', 'two'])
      await school.inquiry({ ...familyInquiry, fatherEmail: `${name}@family.example` });
    const texts = [];
    for (const name of ['nobody', 'one', 'two', 'nobody.else'])
      texts.push((await recordStatements(school, () => ask(`${name}@family.example`))).texts);
    expect(texts[0]?.length).toBeGreaterThan(4);
    for (const others of texts) expect(others).toEqual(texts[0]);
  });

  test('B04 C6 stands in no answer to the request and in no log', async () => {
    const family = await school.inquiry({ ...familyInquiry, fatherMobile: '9825031313' });
    const { text, headers } = await ask('9825031313');
    expect(await queued()).toContainEqual({ recipient: '9825031313', subject_id: family.id });
    for (const place of [text, JSON.stringify(headers), school.log()]) expect(place).not.toContain(family.link);
  });

  test('is sent three times an hour to one contact, and says what is wrong with one', async () => {
    const statuses = [];
    for (let tries = 0; tries < 4; tries++) statuses.push((await ask('9825099999')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask('12')).json.errors).toEqual({
      contact: 'Enter the mobile number or email address you gave the school.',
    });
  });
});

/** Every operation of the form, with a family's typical input. */
const operations: [
  string,
  (family: Family, over: Record<string, string>) => Promise<{ status: number; text: string }>,
][] = [
  ['GET inquiry', (family, over) => family.get(`inquiry?${new URLSearchParams(over)}`)],
  ['GET basic-info', (family, over) => family.get(`basic-info?${new URLSearchParams(over)}`)],
  ['POST basic-info', (family, over) => family.saveBasicInfo(over)],
  ['GET parent-info', (family, over) => family.get(`parent-info?${new URLSearchParams(over)}`)],
  ['POST parent-info', (family, over) => family.saveParentInfo(over)],
  ['GET siblings', (family, over) => family.get(`siblings?${new URLSearchParams(over)}`)],
  ['POST siblings', (family, over) => family.post('siblings', { siblingName: '', ...over })],
  ['GET education-history', (family, over) => family.get(`education-history?${new URLSearchParams(over)}`)],
  ['POST education-history', (family, over) => family.post('education-history', { ...educationAnswers, ...over })],
  ['GET health', (family, over) => family.get(`health?${new URLSearchParams(over)}`)],
  ['POST health', (family, over) => family.saveHealth(over)],
  ['GET additional-info', (family, over) => family.get(`additional-info?${new URLSearchParams(over)}`)],
  ['POST additional-info', (family, over) => family.saveAdditionalInfo(over)],
  ['GET language', (family, over) => family.get(`language?${new URLSearchParams(over)}`)],
  ['POST language', (family, over) => family.post('language', { ...languageAnswers, ...over })],
  ['GET documents', (family, over) => family.get(`documents?${new URLSearchParams(over)}`)],
  ['POST documents', (family, over) => family.upload('Birth Certificate', over)],
];

describe('another family', () => {
  let ours: Family;
  let theirs: Family;
  beforeAll(async () => {
    [ours, theirs] = [await school.inquiry(), await school.inquiry({ ...familyInquiry, firstName: 'Stranger-marker' })];
    await theirs.fillAll();
    await theirs.post('education-history', educationAnswers);
  });

  test.each(operations)('B03 C2 RA41 %s answers 404 to its admissionID, number or link', async (_name, call) => {
    const foreign: Record<string, string>[] = [{ admissionID: String(theirs.id) }, { inquiryNoMD5: theirs.link }];
    for (const over of foreign) {
      const { status, text } = await call(ours, over);
      expect([status, text]).toEqual([
        404,
        '{"isSuccess":false,"code":"not_found","message":"Not found.","text":{"id":"Not found."},"errors":{},"texts":{},"data":{}}',
      ]);
    }
  });

  test('B03 B4 B5 its rows and files are not there for us, exactly as if they did not exist', async () => {
    const [row] = (await theirs.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel;
    const [document] = (await theirs.get('documents')).json.data.resultList;
    const [page1] = (await theirs.get('basic-info')).json.data.lstStudentAdmissionBasicInfoModel;
    const missing = [
      await ours.remove('education-history/99999'),
      await ours.remove('documents/99999'),
      await ours.get('files/00000000-0000-4000-8000-000000000000'),
    ];
    const foreign = [
      await ours.remove(`education-history/${row.studentAdmissionChildEducationHistoryID}`),
      await ours.remove(`documents/${document.studentAdmissionDocumentsID}`),
      await ours.get(`files/${document.documentFilePath}`),
      await ours.get(`files/${page1.admissionStudentImagePath}`),
      await ours.upload('Other', {
        otherDocumentDescription: 'x',
        studentAdmissionDocumentsID: document.studentAdmissionDocumentsID,
      }),
      await ours.remove('education-history/abc'),
      await ours.get('files/..%2f..%2fkeys'),
    ];
    for (const { status, text } of foreign) expect([status, text]).toEqual([404, missing[0]?.text]);
    expect(new Set(missing.map(({ text }) => text)).size).toBe(1);
    expect(
      (await theirs.get('education-history')).json.data.lstStudentAdmissionChildEducationHistoryModel,
    ).toHaveLength(1);
    expect((await theirs.get('documents')).json.data.resultList).toHaveLength(2);
  });

  test('B6 C2 reading by admissionID needs that family’s link', async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, index) => ours.get(`basic-info/${index + 1}`)));
    const own = statuses.findIndex((_, index) => index + 1 === ours.id);
    expect(statuses.flatMap(({ status }, index) => (status === 200 ? [index] : []))).toEqual([own]);
    expect(JSON.stringify(statuses.map(({ text }) => text))).not.toContain('Stranger-marker');
  });

  test('RA41 a name that comes from two places is refused, and the link counts from the query alone', async () => {
    const inBody = await school.send({
      method: 'POST',
      url: '/api/admission/siblings',
      body: { inquiryNo: ours.link, siblingName: '' },
    });
    expect(inBody.status).toBe(404);
    const both = await school.send({
      method: 'POST',
      url: `/api/admission/siblings?inquiryNo=${ours.link}&siblingName=x`,
      body: { siblingName: '' },
    });
    expect(both.status).toBe(400);
    expect((await ours.post('siblings', { siblingName: '', inquiryNo: theirs.inquiryNo })).status).toBe(404);
    expect(
      (
        await ours.post('siblings', {
          siblingName: '',
          inquiryNo: ours.inquiryNo,
          inquiryNoMD5: ours.link,
          admissionID: ours.id,
        })
      ).status,
    ).toBe(200);
  });
});
