import { act, cleanup, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { configure } from '#features/school/ui/configuration.ts';
import { addWords, byLanguage, type Words } from '#kit/browser/language.tsx';
import { activate } from '#kit/browser/text.ts';
import { openForm, visit } from '#testing/form-page.tsx';
import { pageLanguageApi } from '../contract/page-language.ts';
import './consent-texts.ts';
import './end-texts.ts';

addWords({ ...byLanguage(import.meta.glob<Words>('../../../words/form-*.ts')), en: {} });
afterEach(() => {
  cleanup();
  activate('en');
});

test('a page is switched to a planted language, and so are the pages after it', async () => {
  const answers = { [`PUT /api${pageLanguageApi.choose.path}`]: { isSuccess: true, message: '' } };
  const server = await openForm('/admission', { answers });
  act(() => void configure({ schoolName: 'Test School', languages: ['en', 'gu', 'hi', 'xx' as 'en'] }));
  const choice = () => document.querySelector('header nav a[lang=xx]');
  await waitFor(() => expect(choice()?.textContent).toBe('Planted words'));
  fireEvent.click(choice() as Element);
  const heading = () => document.querySelector('h1')?.textContent;
  await waitFor(() => expect(heading()).toMatch(/^«/));
  expect([document.documentElement.lang, document.cookie]).toEqual(['xx', 'language=xx']);
  await waitFor(() =>
    expect(server.sent.filter(({ method }) => method === 'PUT')).toMatchObject([{ fields: { language: 'xx' } }]),
  );
  // An option of a contract, and a text of a file that the last page fetches.
  expect([...document.querySelectorAll('label')].some(({ textContent }) => textContent?.startsWith('«'))).toBe(true);
  await visit('/admission4');
  await waitFor(() => expect(document.querySelectorAll('main h2').length).toBeGreaterThan(1));
  for (const { textContent } of document.querySelectorAll('main h2')) expect(textContent).toMatch(/^«/);
});
