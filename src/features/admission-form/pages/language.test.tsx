import { i18n } from '@lingui/core';
import { act, cleanup, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { configure } from '#features/school/ui/configuration.ts';
import { addWords, speak, type Words, withWords } from '#kit/browser/language.tsx';
import { activate, translate } from '#kit/browser/text.ts';
import {
  documentRow,
  field,
  fill,
  inquiry,
  nameOf,
  openForm,
  page,
  press,
  schoolRow,
  submittedInquiry,
  visit,
} from '#testing/form-page.tsx';
import { consentApi, noticeVersions } from '../contract/consent.ts';
import type { Correction } from '../contract/correction.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { messageApi } from '../contract/message.ts';
import { newsApi } from '../contract/news.ts';
import { pageLanguageApi } from '../contract/page-language.ts';
import { timeApi } from '../contract/time.ts';
import { keepAskedLanguage } from './reader-language.ts';
import './consent-texts.ts';
import './end-texts.ts';

/** Holds a language's file until it is let go, or refuses it. */
let fetching: (() => Promise<unknown>) | undefined;
const late = (words: () => Promise<Words>) => async () => {
  await fetching?.();
  return words();
};

beforeAll(async () => {
  addWords({
    en: {},
    gu: late(() => import('../../../words/form-gu.ts')),
    hi: late(() => import('../../../words/form-hi.ts')),
  });
  // The largest page of those that are loaded later.
  await import('./SubmitPage.tsx');
});
afterEach(() => {
  // A page that is still drawn would be drawn in English.
  cleanup();
  document.title = '';
  fetching = undefined;
  // biome-ignore lint/suspicious/noDocumentCookie: as the page keeps it.
  document.cookie = 'language=; path=/; max-age=0';
  activate('en');
});

/** Words of a part that no language has been fetched for. */
const addUnfetched = () =>
  addWords({ en: {}, gu: late(async () => ({ messages: {} })), hi: late(async () => ({ messages: {} })) });

const schoolEmail = 'office@test-school.example';
const offered = () =>
  configure({
    schoolName: 'Test School',
    schoolPhone: '0261 222 1100',
    schoolEmail,
    languages: ['en', 'gu', 'hi'],
  });
const choose = (name: string) => {
  const link = [...document.querySelectorAll('header nav a')].find((one) => one.textContent === name);
  if (!link) throw new Error(`${name} is not offered.`);
  fireEvent.click(link);
};
const chosen = '{ "isSuccess": true, "message": "" }';
const answers = {
  [`PUT /api${pageLanguageApi.choose.path}`]: JSON.parse(chosen),
};
const heading = () => document.querySelector('h1')?.textContent;

/** The word for errors is before the title in each language. */
const titles = { ગુજરાતી: /^ભૂલ: પ્રવેશ/, हिन्दी: /^ग़लती: प्रवेश/, English: /^Error: Admission/ };

test('LG02 a page that is half filled in keeps what was typed, the caret and its errors from English to Gujarati to Hindi and back', async () => {
  const server = await openForm('/admission', { answers });
  act(() => void offered());
  await waitFor(() => expect(document.querySelector('header nav')).not.toBeNull());
  fill('religion', 'Jain');
  fill('caste', 'વણિક');
  fill('currentPinCode', '12');
  const box = field('religion') as HTMLInputElement;
  box.focus();
  box.setSelectionRange(3, 3);
  fireEvent.click(
    [...document.querySelectorAll('button')].find((one) => one.textContent === 'Save and Next') as Element,
  );
  await waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull());
  box.focus();
  box.setSelectionRange(3, 3);
  const before = server.sent.length;
  for (const [name, words, save] of [
    ['ગુજરાતી', 'કંઈક બાકી છે કે ભૂલ છે', 'સાચવો અને આગળ વધો'],
    ['हिन्दी', 'कुछ छूट गया है या ग़लत है', 'सहेजें और आगे बढ़ें'],
    ['English', 'There is a problem', 'Save and Next'],
  ] as const) {
    choose(name);
    await waitFor(() => expect(document.querySelector('[role=alert]')?.textContent).toContain(words));
    expect(page()).toContain(save);
    expect(document.title).toMatch(titles[name]);
    expect(field('religion')).toBe(box);
    expect(['religion', 'caste', 'currentPinCode'].map((one) => (field(one) as HTMLInputElement).value)).toEqual([
      'Jain',
      'વણિક',
      '12',
    ]);
    expect([document.activeElement, box.selectionStart]).toEqual([box, 3]);
  }
  const sent = server.sent.slice(before).filter(({ path }) => !path.includes('/draft'));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array.from({ length: 3 }, () => 'PUT /api/admission/language'),
  );
});

test('LG03 where a language’s file can’t be fetched nothing changes but a message, and the next click works', async () => {
  await openForm('/admission', { answers });
  act(() => void offered());
  addUnfetched();
  fetching = () => Promise.reject(new TypeError('Failed to fetch'));
  choose('ગુજરાતી');
  await waitFor(() => expect(document.body.textContent).toContain('Couldn’t load ગુજરાતી. Try again.'));
  expect([document.documentElement.lang, document.cookie, heading()]).toEqual(['en', '', 'Admission Form 2026-27']);
  fetching = undefined;
  choose('ગુજરાતી');
  await waitFor(() => expect(heading()).toBe('પ્રવેશ ફોર્મ 2026-27'));
  expect([document.documentElement.lang, document.cookie]).toEqual(['gu', 'language=gu']);
  expect(document.title).toBe('પ્રવેશ ફોર્મ 2026-27');
});

test('of two clicks the last one counts, in whatever order the files arrive', async () => {
  await openForm('/admission', { answers });
  act(() => void offered());
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  addUnfetched();
  fetching = () => held;
  choose('ગુજરાતી');
  fetching = undefined;
  choose('हिन्दी');
  await waitFor(() => expect(heading()).toBe('प्रवेश फ़ॉर्म 2026-27'));
  release();
  await act(() => new Promise((go) => setTimeout(go, 20)));
  expect([heading(), document.documentElement.lang]).toEqual(['प्रवेश फ़ॉर्म 2026-27', 'hi']);
});

/** A part of a page that is loaded later, with one word. */
const addPart = (id: string) =>
  addWords({
    en: { [id]: ['Later'] },
    gu: late(async () => ({ messages: { [id]: ['પછી'] } })),
    hi: late(async () => ({ messages: { [id]: ['बाद में'] } })),
  });

test('a part that is loaded while a language is fetched has its words when the page changes', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  addPart('before');
  fetching = () => held;
  const spoken = speak('gu');
  addPart('meanwhile');
  release();
  await spoken;
  expect([i18n.locale, translate({ id: 'before' }), translate({ id: 'meanwhile' })]).toEqual(['gu', 'પછી', 'પછી']);
});

test('a part that waits for Gujarati while the reader changes to Hindi is shown in Hindi, and in English before', async () => {
  await speak('gu');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  fetching = () => held;
  addPart('other');
  expect(translate({ id: 'other' })).toBe('Later');
  const loaded = withWords(Promise.resolve('module'));
  await Promise.resolve();
  activate('hi');
  release();
  expect([await loaded, i18n.locale, translate({ id: 'other' })]).toEqual(['module', 'hi', 'बाद में']);
});

test('a choice counts before the language in the address, which then has none, and the way back reads nothing more', async () => {
  offered();
  const server = await openForm('/admission?lang=gu', { answers });
  await act(() => speak('gu'));
  choose('English');
  await waitFor(() => expect(document.cookie).toBe('language=en'));
  expect([new URLSearchParams(window.location.search).has('lang'), heading()]).toEqual([
    false,
    'Admission Form 2026-27',
  ]);
  await waitFor(() => expect(server.sent.some(({ method }) => method === 'PUT')).toBe(true));
  const before = server.sent.length;
  await act(async () => void window.dispatchEvent(new PopStateEvent('popstate')));
  expect(server.sent.length).toBe(before);
});

test('a language that was tapped before the script had loaded is the reader’s choice, on the device and with the inquiry', async () => {
  offered();
  const server = await openForm('/admission?lang=hi', { answers });
  keepAskedLanguage();
  expect([document.cookie, new URLSearchParams(window.location.search).has('lang')]).toEqual(['language=hi', false]);
  await waitFor(() =>
    expect(server.sent.filter(({ method }) => method === 'PUT')).toMatchObject([{ fields: { language: 'hi' } }]),
  );
});

test.each([
  ['a link of the school names', 'usual=hi'],
  ['the school does not offer', 'lang=hi'],
  ['does not exist', 'lang=xx'],
])('a language that %s is not the reader’s choice', async (_, query) => {
  configure({ schoolName: 'Test School', languages: ['en', 'gu'] });
  const server = await openForm(`/admission?${query}`, { answers });
  keepAskedLanguage();
  expect([document.cookie, server.sent.filter(({ method }) => method === 'PUT')]).toEqual(['', []]);
});

test('a second tap while the first is sent is sent after it', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const put = Object.keys(answers)[0] ?? '';
  const server = await openForm('/admission', {
    answers: {
      [put]: async () => {
        await held;
        return JSON.parse(chosen);
      },
    },
  });
  act(() => void offered());
  const taps = () => server.sent.filter(({ method }) => method === 'PUT').map(({ fields }) => fields.language);
  choose('ગુજરાતી');
  await waitFor(() => expect(taps()).toEqual(['gu']));
  choose('हिन्दी');
  await waitFor(() => expect(document.cookie).toBe('language=hi'));
  choose('English');
  await waitFor(() => expect(document.cookie).toBe('language=en'));
  expect(taps()).toEqual(['gu']);
  release();
  await waitFor(() => expect(taps()).toEqual(['gu', 'en']));
});

test('a family whose language the school knows reads the form in it, unless it chose another on this device', async () => {
  offered();
  await openForm('/admission', { inquiry: { language: 'gu' }, answers });
  await waitFor(() => expect(heading()).toBe('પ્રવેશ ફોર્મ 2026-27'));
  // biome-ignore lint/suspicious/noDocumentCookie: as the page keeps it.
  document.cookie = 'language=en; path=/';
  await act(() => speak('en'));
  offered();
  await openForm('/admission', { inquiry: { language: 'gu' }, answers });
  await waitFor(() => expect(heading()).toBe('Admission Form 2026-27'));
});

test('LG14 the consent says in which language it was read, even where that changed just before', async () => {
  offered();
  const server = await openForm('/admission', {
    inquiry: { isConsentRequired: true },
    answers: { ...answers, [`POST /api${consentApi.give.path}`]: JSON.parse(chosen) },
  });
  await waitFor(() => expect(page()).toContain('Your rights'));
  fill('consentName', 'Bhavna Modi');
  choose('ગુજરાતી');
  await waitFor(() => expect(page()).toContain('આપના અધિકારો'));
  expect((field('consentName') as HTMLInputElement).value).toBe('Bhavna Modi');
  for (const box of document.querySelectorAll<HTMLInputElement>('main input[type=checkbox], main input[value=Mother]'))
    fireEvent.click(box);
  fireEvent.click(document.querySelector('main button[type=submit]') as Element);
  await waitFor(() =>
    expect(server.sent.find(({ method, path }) => method === 'POST' && path.endsWith('/consent'))).toMatchObject({
      fields: { language: 'gu', noticeVersion: noticeVersions.gu, consentRelation: 'Mother' },
    }),
  );
});

test('a message to the school names its heading in English, whatever the language of the page', async () => {
  offered();
  await act(() => speak('gu'));
  const send = `POST /api${messageApi.toSchool.path}`;
  const server = await openForm('/admission', { answers: { ...answers, [send]: JSON.parse(chosen) } });
  press('અહીં કંઈક ખોટું છે? શાળાને જણાવો');
  await waitFor(() => expect(document.querySelector('dialog textarea')).not.toBeNull());
  fill('messageText', 'નામ ખોટું છે.');
  fireEvent.click(document.querySelector('dialog button[type=submit]') as Element);
  await waitFor(() =>
    expect(server.sent.find(({ path }) => path.endsWith('message-to-school'))).toMatchObject({
      fields: { about: 'Basic details' },
    }),
  );
});

const honest = {
  gu: 'આ પાનાનો અનુવાદ કમ્પ્યુટરે કર્યો છે. કંઈ સમજાય નહીં? English પસંદ કરો અથવા 0261 222 1100 પર ફોન કરો.',
  hi: 'इस पृष्ठ का अनुवाद कंप्यूटर ने किया है। कुछ समझ न आए? English चुनें या 0261 222 1100 पर फ़ोन करें।',
};

test('a translated page of a school without a phone offers English, and the English page has no such line', async () => {
  configure({ schoolName: 'Test School', languages: ['en', 'gu', 'hi'] });
  await openForm('/admission', { answers });
  expect(page()).not.toContain('translated by computer');
  await act(() => speak('hi'));
  expect(page()).toContain('इस पृष्ठ का अनुवाद कंप्यूटर ने किया है। कुछ समझ न आए? English चुनें।');
});

/** What may be in Latin letters on a page of another language. */
const allowed =
  /^(?:PDF|PNG|JPG|JPEG|GIF|MB|kB|UID|ADHD|Applied|for|Prefer|not|to|say|English|Test|School|CBSE|Regular|Grade|[ABO]{1,2}|https|x+|X+)$/;

/** Every text, label and hint of the page that has Latin words, but what was typed and what the school calls something. */
function latin(): string[] {
  const found: string[] = [];
  const entered =
    JSON.stringify([inquiry, schoolRow]) +
    [...document.querySelectorAll('input, textarea')].map((box) => (box as HTMLInputElement).value).join(' ');
  const take = (words: string) =>
    found.push(
      ...(words.replaceAll(schoolEmail, '').match(/[A-Za-z]{2,}/g) ?? [])
        .filter((word) => !allowed.test(word) && !entered.includes(word))
        .map((word) => `${word} in “${words}”`),
    );
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) take(walk.currentNode.textContent ?? '');
  for (const element of document.querySelectorAll('[aria-label], [alt], [title], [placeholder]'))
    for (const name of ['aria-label', 'alt', 'title', 'placeholder']) take(element.getAttribute(name) ?? '');
  take(document.title);
  return [...new Set(found)];
}

test.each([
  ['/admission', 'gu'],
  ['/admission', 'hi'],
  ['/admission1', 'gu'],
  ['/admission1', 'hi'],
  ['/admission2', 'gu'],
  ['/admission2', 'hi'],
  ['/admission3', 'gu'],
  ['/admission3', 'hi'],
  ['/admission4', 'gu'],
  ['/admission4', 'hi'],
] as const)('LG01 %s shows no English in %s, with no answer and with every error', async (path, language) => {
  configure({ schoolName: 'Test School', schoolPhone: '0261 222 1100', languages: ['en', 'gu', 'hi'] });
  await act(() => speak(language));
  await openForm(path, { pages: 0, documents: [documentRow('Birth Certificate')], answers });
  await waitFor(() => expect(document.querySelector('main form')).not.toBeNull());
  expect(latin()).toEqual([]);
  fireEvent.click(document.querySelector('form > div:last-child button[type=submit]') as Element);
  await waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull());
  expect(latin()).toEqual([]);
  expect(page()).toContain(honest[language]);
  expect(i18n.locale).toBe(language);
  vi.useRealTimers();
});

test.each(['/admission', '/admission1', '/admission3', '/admission4'])(
  'LG02 the list of problems of %s follows the language, with the headings of its groups',
  async (path) => {
    offered();
    await openForm(path, { pages: 0, documents: [documentRow('Birth Certificate')], answers });
    await waitFor(() => expect(document.querySelector('main form')).not.toBeNull());
    fireEvent.click(document.querySelector('form > div:last-child button[type=submit]') as Element);
    await waitFor(() => expect(document.querySelector('[role=alert] li')).not.toBeNull());
    for (const language of ['gu', 'hi'] as const) {
      await act(() => speak(language));
      expect(latin()).toEqual([]);
    }
    vi.useRealTimers();
  },
);

test('a page that the school has read in its language no longer says that it was translated by computer', async () => {
  configure({
    ...{ schoolName: 'Test School', schoolPhone: '0261 222 1100', languages: ['en', 'gu', 'hi'] },
    unread: { form: ['hi'], family: [] },
  });
  await act(() => speak('gu'));
  await openForm('/admission1', { pages: 0, documents: [], answers });
  await waitFor(() => expect(document.querySelector('main form')).not.toBeNull());
  expect(page()).not.toContain(honest.gu);
  await act(() => speak('hi'));
  expect(page()).toContain(honest.hi);
  vi.useRealTimers();
});

const remarks = [
  { section: 'Child', field: 'religion', remark: 'ધર્મ લખો.', isAnswered: false },
  { section: 'Documents', field: '', remark: 'ફોટો ઝાંખો છે.', isAnswered: true },
] as const;
const news = {
  meetings: [{ startsAt: '2026-07-01T04:30:00Z', endsAt: '2026-07-01T05:00:00Z', place: 'ઑફિસ' }],
  letter: null,
  replyBy: '2026-07-10',
  due: 2_500_000,
  choice: { until: '2026-07-05T12:30:00Z', isChosen: false },
};
const times = [{ id: 1, startsAt: '2026-07-06T04:30:00Z', endsAt: '2026-07-06T05:00:00Z', place: 'ઑફિસ' }];
const statuses = ['Received', 'Under review', 'Correction needed', 'On the waiting list', 'No place offered'];
const submittedAs = (status: string) =>
  openForm('/admission', {
    answers: {
      ...answers,
      [nameOf(inquiryApi.inquiry)]: submittedInquiry.map((row) => ({ ...row, status })),
      [nameOf(newsApi.read)]: news,
      [nameOf(timeApi.times)]: times,
    },
  });
/** The pages beside the five steps, with what they show after a press. */
const others: Record<string, () => Promise<unknown>> = {
  consent: async () => {
    await openForm('/admission', { inquiry: { isConsentRequired: true }, answers });
    await waitFor(() => expect(document.querySelector('main form')).not.toBeNull());
    expect(latin()).toEqual([]);
    fireEvent.click(document.querySelector('main button[type=submit]') as Element);
    await waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull());
  },
  'a consent that is not given': async () => {
    await openForm('/admission', { inquiry: { isConsentRequired: true }, answers });
    await waitFor(() => expect(document.querySelector('main form')).not.toBeNull());
    fireEvent.click(document.querySelector('main button:not([type=submit])') as Element);
    expect(document.querySelector('main form')).toBeNull();
  },
  ...Object.fromEntries(statuses.map((status) => [`submitted, ${status}`, () => submittedAs(status)])),
  correction: async () => {
    const correction: Correction = { remarks: [...remarks], pages: [1] };
    await openForm('/admission', { inquiry: { correction }, pages: 4, answers });
    await waitFor(() => expect(page()).toContain('ધર્મ લખો.'));
  },
  'link problem': async () => {
    await openForm('/admission', { answers });
    await visit('/admission', '');
    await waitFor(() => expect(document.querySelector('main form')).not.toBeNull());
  },
  withdraw: async () => {
    await openForm('/admission', { answers });
    const details = [...document.querySelectorAll('details')].find(({ textContent }) => /સંમતિ|सहमति/.test(textContent));
    if (!details) throw new Error('There is no consent on the page.');
    details.open = true;
    await waitFor(() => expect(details.querySelector('button')).not.toBeNull());
    fireEvent.click(details.querySelector('button') as Element);
  },
};

test.each(Object.keys(others).flatMap((name) => (['gu', 'hi'] as const).map((language) => [name, language] as const)))(
  'LG01 the page of %s shows no English in %s',
  async (name, language) => {
    offered();
    await act(() => speak(language));
    await others[name]?.();
    expect(latin()).toEqual([]);
    expect(page()).toContain(honest[language]);
  },
);
