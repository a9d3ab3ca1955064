import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { english, onDay, text } from '#kit/contract/text.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { keepsTo } from '#kit/server/messages/registered-text.ts';
import { type Rendered, smsOf, toRegister } from '#kit/server/messages/text-message.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { textMessageApi } from '../contract/text-message.ts';
import { fillPatterns, textMessageWarnings } from './text-message.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openOwnSchool({ SMS_URL: 'http://127.0.0.1:1/?to={mobile}&text={text}' });
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  await school.sql(`update academic_school set name = 'Teak Tree School', phone = '0261 222 1100'`);
});
afterEach(() => school.sql('delete from sms_template'));
afterAll(() => school.close());

const rows = async () => (await admin.call(textMessageApi.list, {})).rows;
const rowOf = async (kind: string) => (await rows()).find((row) => row.kind === kind);
const save = async (kind: string, registeredText: string, over: object = {}) =>
  admin.call(textMessageApi.save, {
    ...{ kind, registeredText, templateId: '', rowVersion: (await rowOf(kind))?.rowVersion ?? null },
    ...over,
  });
const warnings = async () => (await textMessageWarnings(school.services)).map(({ text }) => english(text));

test('every kind of text message is listed with when it is sent and the words to register', async () => {
  const kinds = Object.keys(school.services.textMessages).sort();
  expect((await rows()).map(({ kind }) => kind).sort()).toEqual(kinds);
  expect(kinds.length).toBeGreaterThan(20);
  expect(await rowOf('admission.link')).toMatchObject({
    when: { id: 'When a family gets the link to the admission form.' },
    ourText:
      'Dear parent, fill in the admission form for {#var#} at Teak Tree School until {#var#}: {#url#} Help: 0261 222 1100',
    status: 'Not registered',
    id: null,
  });
  expect((await rowOf('sign-in-code'))?.ourText).toMatch(/^\{#var#\} is your code to sign in to Shala, .* Teak Tree/);
});

test('the words to register, registered as they are, agree with what is sent', async () => {
  for (const [kind, { example }] of Object.entries(school.services.textMessages)) {
    const sender = { name: 'Teak Tree School', phone: '0261 222 1100' };
    const rendered = example(sender, school.config.publicUrl);
    const words = toRegister(rendered, sender);
    expect([kind, keepsTo(words, smsOf(rendered))]).toEqual([kind, true]);
    await save(kind, words);
    expect((await rowOf(kind))?.status).toBe('Agrees');
  }
});

test('a registered text that differs is saved, and shown with where it differs', async () => {
  await save('admission.reminder', 'Dear parent, the form for {#var#} is not finished.');
  expect(await rowOf('admission.reminder')).toMatchObject({
    status: 'Differs',
    differsAt: expect.stringMatching(/^admission form for Aarohi at Teak Tree School/),
  });
  await school.sql(`update academic_school set name = 'Teak School'`);
  await save('admission.link', (await rowOf('admission.link'))?.ourText ?? '');
  await school.sql(`update academic_school set name = 'Teak Tree School'`);
  expect(await rowOf('admission.link')).toMatchObject({
    status: 'Differs',
    differsAt: expect.stringMatching(/^Tree School until/),
  });
});

test('a change is in the history of its kind, and nothing is saved over another Admin’s change', async () => {
  await save('sign-in-code', '{#var#} is your code.', { templateId: '1107160000000012345' });
  const first = await rowOf('sign-in-code');
  await save('sign-in-code', '{#numeric#} is your code.', { templateId: '1107160000000012345' });
  const { rows: acts } = await admin.call(textMessageApi.history, { id: first?.id ?? 0, before: '' });
  expect(acts.map(({ actor, details }) => ({ actor, details }))).toEqual([
    { actor: 'Asha', details: { 'Registered text': '{#var#} is your code. → {#numeric#} is your code.' } },
    {
      actor: 'Asha',
      details: { 'Registered text': '– → {#var#} is your code.', 'Template ID': '– → 1107160000000012345' },
    },
  ]);
  for (const rowVersion of [first?.rowVersion ?? 0, null])
    await expect(save('sign-in-code', 'Late', { rowVersion })).rejects.toMatchObject({ code: 'stale' });
  expect((await rowOf('sign-in-code'))?.registeredText).toBe('{#numeric#} is your code.');
});

const gujarati = async (kind: string) =>
  (await admin.call(textMessageApi.list, { language: 'gu' })).rows.find((row) => row.kind === kind);
const register = async (kind: string, registeredText: string) =>
  admin.call(textMessageApi.save, {
    ...{ kind, language: 'gu' as const, registeredText, templateId: '' },
    rowVersion: (await gujarati(kind))?.rowVersion ?? null,
  });
const absent = {
  language: 'gu' as const,
  subject: { id: 'x' },
  paragraphs: [
    text`Dear parent, ${{ child: 'Dev' }} is marked absent on ${{ date: onDay('2027-09-24', true) }}. If you did not expect this, call ${{ school: 'Teak Tree School' }}: ${{ phone: '0261 222 1100' }}`,
  ],
};
const written = async (kind: string, rendered: Rendered = absent) =>
  render(school.services, { isFor: 'as queued', render: async () => rendered }, 1, 'sms', null, { kind });

test('each language is registered by itself, and a kind that is not is sent in English', async () => {
  const kind = 'attendance.absent';
  expect(await written(kind)).toMatchObject({
    language: 'gu',
    text: expect.stringMatching(/^વાલીશ્રી, Dev 24-09-2027ના/),
  });
  await save(kind, (await rowOf(kind))?.ourText ?? '');
  expect(await written(kind)).toMatchObject({ language: 'en', text: expect.stringMatching(/^Dear parent, Dev/) });
  expect(await gujarati(kind)).toMatchObject({ status: 'Not registered', rowVersion: null });
  await register(kind, (await gujarati(kind))?.ourText ?? '');
  expect(await written(kind)).toMatchObject({ language: 'gu' });
  expect([(await gujarati(kind))?.status, (await rowOf(kind))?.status]).toEqual(['Agrees', 'Agrees']);
  // Kinds of staff alone are in English.
  expect(await gujarati('sign-in-code')).toBeUndefined();
});

test('LG07 what is sent is the registered text with its gaps filled, though our words change later', async () => {
  const kind = 'attendance.absent';
  await register(kind, (await gujarati(kind))?.ourText ?? '');
  // As it was registered before the words of the catalogue changed.
  await school.sql(`update sms_template set registered_text = replace(registered_text, 'ગેરહાજર', 'ગેર હાજર'),
    pattern = replace(pattern, 'ગેરહાજર', 'ગેર હાજર') where kind = '${kind}' and language = 'gu'`);
  expect((await written(kind))?.text).toBe(
    'વાલીશ્રી, Dev 24-09-2027ના રોજ ગેર હાજર છે. જાણ ન હોય તો ફોન કરો: 0261 222 1100 Teak Tree School',
  );
  // A pattern with a gap that the message has no value for is no text to send.
  await school.sql(
    `update sms_template set pattern = pattern || ' {other}' where kind = '${kind}' and language = 'gu'`,
  );
  expect((await written(kind))?.text).toMatch(/^Dear parent, Dev/);
  // Other words of the kind are not replaced by the registered ones.
  const other = { ...absent, paragraphs: [text`Read it on your page of the school: ${{ link: 'x' }}`] };
  expect((await written(kind, other))?.text).toBe('Read it on your page of the school: x');
});

test('a Gujarati text that differs from its registered template is sent in English, and Admins are warned', async () => {
  const kind = 'attendance.absent';
  await save(kind, (await rowOf(kind))?.ourText ?? '');
  await register(kind, 'વાલીશ્રી, {#var#}');
  expect(await written(kind)).toMatchObject({ language: 'en', text: expect.stringMatching(/^Dear parent, Dev/) });
  expect(await warnings()).toContain(
    '1 text message in another language differs from its registered template and is sent in English. Correct them in Organizational Master, Text messages.',
  );
});

test('a text that was registered before its pattern was kept gets it, and agrees though our words change later', async () => {
  const kind = 'attendance.absent';
  await register(kind, (await gujarati(kind))?.ourText ?? '');
  await school.sql(`update sms_template set pattern = ''`);
  await fillPatterns.correct(school.services);
  expect(await gujarati(kind)).toMatchObject({ status: 'Agrees', hasChanged: false });
  await school.sql(`update sms_template set registered_text = replace(registered_text, 'ગેરહાજર', 'ગેર હાજર'),
    pattern = replace(pattern, 'ગેરહાજર', 'ગેર હાજર')`);
  expect(await gujarati(kind)).toMatchObject({ status: 'Agrees', hasChanged: true });
});

test('an unknown kind and a template ID with letters are refused', async () => {
  await expect(save('admission.reply', 'x')).rejects.toMatchObject({ code: 'not_found' });
  await expect(save('toString', 'x')).rejects.toMatchObject({ code: 'not_found' });
  await expect(save('sign-in-code', 'x', { templateId: '11a' })).rejects.toMatchObject({
    fields: { templateId: { id: 'Use digits only.' } },
  });
});

test('H3 leaves nothing behind whichever of its statements fails', async () => {
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  const body = { registeredText: 'x', templateId: '', rowVersion: null };
  for (let n = 2; ; n++) {
    const url = '/api/academic/text-message/sign-in-code';
    const { status } = await failingAt(n, () => admin.send({ method: 'PUT', url, body }));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('Admins are warned of kinds without a registered text and of those that differ, where a gateway is configured', async () => {
  const { length } = Object.keys(school.services.textMessages);
  expect(await warnings()).toEqual([
    `${length} kinds of text message have no registered template, so operators may drop them. Enter them in Organizational Master, Text messages.`,
  ]);
  for (const { kind, ourText } of await rows()) await save(kind, ourText);
  expect(await warnings()).toEqual([]);
  await save('email-added', 'Hello');
  expect(await warnings()).toEqual([
    '1 kind of text message differs from its registered template and is not sent. Correct them in Organizational Master, Text messages.',
  ]);
  expect(await textMessageWarnings({ ...school.services, sendsTexts: false })).toEqual([]);
});
