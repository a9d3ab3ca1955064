import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { educationAnswers } from '#database/seed/answers.ts';
import { onDay } from '#kit/contract/text.ts';
import { render, type Template } from '#kit/server/messages/outbox.ts';
import { openFamily, openSchool, type School } from '#testing/school.ts';
import { noticeVersions } from '../contract/consent.ts';
import { messages } from './messages.ts';
import { readSubmission } from './read-form.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterEach(() =>
  school.sql(
    `delete from sms_template; delete from setting where key in ('language.offer-gu', 'language.offer-hi', 'language.default')`,
  ),
);
afterAll(() => school.close());

const stored = async (id: number) =>
  (await school.sql(`select language, language_by as by from admission_inquiry where id = ${id}`))[0];
const written = async (id: number, kind: string, channel: 'email' | 'sms' = 'sms') => {
  const template = messages[kind];
  const message = template && (await render(school.services, template, id, channel));
  return { ...message, text: message?.text.replace(/https?:\S+/g, '…') };
};
const gujarati = /^[\P{L}\p{Script=Gujarati}]+$/u;

test('a family that switches its page to Gujarati gets the link’s message in Gujarati, by SMS and by email', async () => {
  const family = await school.inquiry();
  expect(await written(family.id, 'admission.link')).toMatchObject({ language: 'en' });
  expect((await family.chooseLanguage('gu')).status).toBe(200);
  expect(await stored(family.id)).toEqual({ language: 'gu', by: 'Page' });
  expect((await family.get('inquiry')).json[0].language).toBe('gu');
  await school.sql(`update admission_inquiry set link_expires_at = '2027-09-24T10:00:00Z' where id = ${family.id}`);
  await school.sql(`update academic_school set name = 'શાળા', phone = '0261 222 1100'`);
  await school.sql(`update admission_inquiry set first_name = 'મીરા' where id = ${family.id}`);
  const sms = await written(family.id, 'admission.link');
  expect(sms).toMatchObject({
    language: 'gu',
    text: 'વાલીશ્રી, મીરાનું પ્રવેશ ફોર્મ 24-09-2027 સુધીમાં ભરો: … મદદ: 0261 222 1100 શાળા',
  });
  const mail = await written(family.id, 'admission.link', 'email');
  expect(mail.text).toContain('આ લિંક 24 સપ્ટેમ્બર 2027 સુધી ચાલશે.');
  // Its last lines say in each other language where the page is in that.
  const [others, ...own] = (mail.text ?? '').split('\n\n').toReversed();
  expect([mail.subject, own.join()].map((words) => gujarati.test(words ?? ''))).toEqual([true, true]);
  expect(others).toMatch(/^Read in English: …\nहिन्दी में पढ़ें: …$/);
});

test('a family that has not chosen gets messages in the language that the school chose for such families, while it is offered', async () => {
  const family = await school.inquiry();
  const language = async () => (await written(family.id, 'admission.link')).language;
  expect(await language()).toBe('en');
  await school.sql(`insert into setting (key, value) values ('language.default', '"Gujarati"')`);
  expect(await language()).toBe('gu');
  await family.chooseLanguage('en');
  expect(await language()).toBe('en');
  await family.chooseLanguage('hi');
  expect(await language()).toBe('hi');
  await school.sql(`insert into setting (key, value) values ('language.offer-hi', 'false')`);
  expect(await language()).toBe('gu');
  await school.sql(`insert into setting (key, value) values ('language.offer-gu', 'false')`);
  expect(await language()).toBe('en');
});

test('the last tap counts, the same tap again writes nothing, and the audit log names each choice', async () => {
  const family = await school.inquiry();
  for (const language of ['gu', 'gu', 'hi', 'en']) expect((await family.chooseLanguage(language)).status).toBe(200);
  expect(await stored(family.id)).toEqual({ language: 'en', by: 'Page' });
  const acts = await school.sql(
    `select actor, details from audit where action = 'admission.language.chosen' and entity_id = ${family.id} order by id`,
  );
  expect(acts).toEqual(['gu', 'hi', 'en'].map((language) => ({ actor: 'Parent', details: { language } })));
});

test('of two taps at once both are answered, and one of them is stored', async () => {
  const family = await school.inquiry();
  const answers = await Promise.all([family.chooseLanguage('gu'), family.chooseLanguage('hi')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(['gu', 'hi']).toContain((await stored(family.id))?.language);
});

test.each([
  ['in capitals', 'GU'],
  ['with a region', 'gu-IN'],
  ['unknown', 'xx'],
  ['empty', ''],
  ['of every object', '__proto__'],
  ['of 3000 letters', 'g'.repeat(3000)],
  ['null', null],
  ['a number', 7],
  ['a list', ['gu']],
])('a language %s is refused beside its field, and nothing changes', async (_, language) => {
  const family = await school.inquiry();
  const { status, json } = await family.chooseLanguage(language);
  expect([status, Object.keys(json.errors)]).toEqual([422, ['language']]);
  expect(await stored(family.id)).toEqual({ language: '', by: '' });
});

test('LG04 the answer on the last page counts for messages, whatever the page’s language was before and is after', async () => {
  const family = await school.inquiry();
  await family.chooseLanguage('hi');
  await family.fillAll();
  await family.submit({ langPreferanceWithSchool: 'Gujarati' });
  expect(await stored(family.id)).toEqual({ language: 'gu', by: 'Form' });
  await family.chooseLanguage('hi');
  expect(await stored(family.id)).toEqual({ language: 'gu', by: 'Form' });
  expect((await written(family.id, 'admission.submitted', 'email')).subject).toMatch(/^પ્રવેશ ફોર્મ મળ્યું: /);
});

test('a form that an earlier version submitted, which kept the answer alone, is written about in its language', async () => {
  const family = await school.inquiry();
  await family.fillAll();
  await family.submit({ langPreferanceWithSchool: 'Gujarati' });
  await school.sql(`update admission_inquiry set language = '', language_by = '' where id = ${family.id}`);
  expect(await written(family.id, 'admission.submitted', 'email')).toMatchObject({ language: 'gu' });
});

test('a message without a translation is stored as English, with its date in English', async () => {
  const template: Template = {
    isFor: 'as queued',
    render: async () => ({
      language: 'gu',
      subject: { id: 'Not translated' },
      paragraphs: [{ id: 'Not translated until {date}.', values: { date: onDay('2027-09-24') } }],
    }),
  };
  expect(await render(school.services, template, 1)).toEqual({
    language: 'en',
    subject: 'Not translated',
    text: 'Not translated until 24 Sep 2027.',
  });
});

test('LG06 a school that registers texts with the operators sends them in English until Gujarati is registered too', async () => {
  const family = await school.inquiry();
  await family.chooseLanguage('gu');
  await school.sql(
    `insert into sms_template (kind, template_id, registered_text) values ('admission.reminder', '17', '')`,
  );
  expect(await written(family.id, 'admission.link')).toMatchObject({ language: 'en' });
  expect((await written(family.id, 'admission.link')).text).toMatch(/^Dear parent/);
  // An email is no matter of operators.
  expect(await written(family.id, 'admission.link', 'email')).toMatchObject({ language: 'gu' });
});

test('a language that the school offers no more counts as none, and counts again when it is offered again', async () => {
  const family = await school.inquiry();
  await family.chooseLanguage('hi');
  await school.sql(`insert into setting (key, value) values ('language.offer-hi', 'false')`);
  expect(await written(family.id, 'admission.link')).toMatchObject({ language: 'en' });
  const { json } = await school.send({ url: '/api/app-configuration' });
  expect(json.languages).toEqual(['en', 'gu']);
  await school.sql(`delete from setting where key = 'language.offer-hi'`);
  expect(await written(family.id, 'admission.link')).toMatchObject({ language: 'hi' });
});

test('LG14 a consent that was read in Gujarati is stored as such, with the version of the Gujarati notice', async () => {
  const family = await school.inquiry({ consent: undefined });
  const agreed = { consentName: 'હેતલ પટેલ', consentRelation: 'Mother', isParentOrGuardian: true, isAgreed: true };
  // The version of another language is another notice.
  const other = await family.post('consent', { ...agreed, language: 'gu', noticeVersion: noticeVersions.en });
  expect([other.status, Object.keys(other.json.errors)]).toEqual([422, ['isAgreed']]);
  const { status } = await family.post('consent', { ...agreed, language: 'gu', noticeVersion: noticeVersions.gu });
  expect(status).toBe(200);
  const [row] = await school.sql(
    `select language, notice_version as version from admission_consent where inquiry_id = ${family.id}`,
  );
  expect(row).toEqual({ language: 'gu', version: noticeVersions.gu });
});

test('LG18 a refusal that only the server has words for carries them in Gujarati and Hindi', async () => {
  const family = await school.inquiry();
  const answer = await family.post('siblings/details', { code: 'AB3DE' });
  expect(answer.json.texts.code.words).toEqual({
    gu: 'આ કોડ ખોટો છે અથવા તેની મુદત પૂરી થઈ છે. છેલ્લા મેસેજનો કોડ લખો.',
    hi: 'यह कोड ग़लत है या इसका समय समाप्त हो गया है। सबसे नए मैसेज का कोड लिखें।',
  });
});

test('a short link opens the form in the language that the school knows of', async () => {
  const family = await school.inquiry();
  const opened = async () => {
    const template = messages['admission.link'];
    const sms = template && (await render(school.services, template, family.id, 'sms'));
    const shortLink = /https?:\S+/.exec(sms?.text ?? '')?.[0] ?? '';
    return String((await school.send({ url: new URL(shortLink).pathname })).headers.location);
  };
  expect(await opened()).not.toContain('lang');
  await family.chooseLanguage('gu');
  expect(await opened()).toMatch(/^\/admission\?inquiryNo=[0-9a-f]{32}&usual=gu$/);
  await school.sql(`insert into setting (key, value) values ('language.offer-gu', 'false')`);
  expect(await opened()).toMatch(/^\/admission\?inquiryNo=[0-9a-f]{32}$/);
});

/** A family whose pages are in a language, by the switch, the cookie and the browser, fills in the form and submits it. */
async function fillIn(language: string) {
  const { id, inquiryNo, link } = await school.inquiry();
  const headers = { cookie: `language=${language}`, 'accept-language': language };
  const send: School['send'] = (request) => school.send({ ...request, headers: { ...headers, ...request.headers } });
  const family = openFamily({ send, sql: school.sql }, { id, inquiryNo, value: link });
  await family.chooseLanguage(language);
  await family.fillAll();
  await family.post('education-history', educationAnswers);
  const read = ['basic-info', 'parent-info', 'health', 'additional-info', 'education-history', 'documents', 'language'];
  const answers = [];
  for (const page of read) answers.push((await family.get(page)).text);
  answers.push((await family.submit({ isChildHaveReplacedLang: 'true', repalcedLangOfChild: 'Other' })).text);
  const tables = ['basic_info', 'parent_info', 'education', 'additional_info', 'language', 'document'];
  const rows = await school.sql(
    tables
      .map(
        (table) => `select '${table}' as of, to_jsonb(own) - '{id,inquiry_id,aadhaar}'::text[] as row
          from admission_${table} own where inquiry_id = ${id}`,
      )
      .join(' union all '),
  );
  expect(new Set(rows.map(({ of }) => of)).size).toBe(tables.length);
  const frozen = await readSubmission(school.context(), id);
  // Without what differs for each family and moment.
  return [...answers, ...[...rows, frozen].map((one) => JSON.stringify(one))].map((one) =>
    one
      .replaceAll(inquiryNo, 'number')
      .replaceAll(/((?:admission|studentAdmission\w+)ID":)\d+/g, '$1id')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'file')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+05:30)/g, 'time'),
  );
}

test('LG13 a form that is filled in and submitted in Gujarati or Hindi is stored, answered and frozen as the English one', async () => {
  const english = await fillIn('en');
  expect(english.join()).toContain('"home_language":"Gujarati"');
  for (const language of ['gu', 'hi']) expect(await fillIn(language)).toEqual(english);
});
