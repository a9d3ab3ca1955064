import { i18n } from '@lingui/core';
import { act, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { configure } from '#features/school/ui/configuration.ts';
import { addWords, speak, type Words } from '#kit/browser/language.tsx';
import { activate } from '#kit/browser/text.ts';
import { documentRow, field, fill, inquiry, openForm, page, schoolRow } from '#testing/form-page.tsx';
import { consentApi } from '../contract/consent.ts';
import { pageLanguageApi } from '../contract/page-language.ts';
import './consent-texts.ts';
import './end-texts.ts';

/** Holds a language's file until it is let go, or refuses it. */
let fetching: (() => Promise<unknown>) | undefined;
const late = (words: () => Promise<Words>) => async () => {
  await fetching?.();
  return words();
};

beforeAll(() =>
  addWords({
    en: {},
    gu: late(() => import('../../../words/form-gu.ts')),
    hi: late(() => import('../../../words/form-hi.ts')),
  }),
);
afterEach(() => {
  fetching = undefined;
  // biome-ignore lint/suspicious/noDocumentCookie: as the page keeps it.
  document.cookie = 'language=; path=/; max-age=0';
  activate('en');
});

/** Words of a part that no language has been fetched for. */
const addUnfetched = () =>
  addWords({ en: {}, gu: late(async () => ({ messages: {} })), hi: late(async () => ({ messages: {} })) });

const offered = () =>
  configure({
    schoolName: 'Test School',
    schoolPhone: '0261 222 1100',
    schoolEmail: 'office@test-school.example',
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
      fields: { language: 'gu', noticeVersion: '2026-11-24.1', consentRelation: 'Mother' },
    }),
  );
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
      ...(words.match(/[A-Za-z]{2,}/g) ?? [])
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
  await waitFor(() => expect(latin()).toEqual([]));
  fireEvent.click(document.querySelector('form > div:last-child button[type=submit]') as Element);
  await waitFor(() => expect(document.querySelector('[role=alert]')).not.toBeNull());
  await waitFor(() => expect(latin()).toEqual([]));
  expect(i18n.locale).toBe(language);
  vi.useRealTimers();
});
