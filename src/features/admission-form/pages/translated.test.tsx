import { act, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { documentRow, field, fill, openForm, page } from '#testing/form-page.tsx';
import { translateDocument } from '#testing/translator.tsx';

let end = () => {};
afterEach(() => end());

const shown = () => page().replaceAll('◊', '');
const status = () => document.querySelector('form > div:last-child > div > [role=status]')?.textContent ?? '';
const pressTranslated = (words: string) => {
  const found = [...document.querySelectorAll<HTMLElement>('button, a, summary')].find(
    (element) => element.textContent?.replaceAll('◊', '').trim() === words,
  );
  if (!found) throw new Error(`There is nothing to press called ${words}.`);
  fireEvent.click(found);
};

/** A saved page, the page after it, and another answer to one of its questions. */
const pages: [path: string, next: string, name: string, answer: string][] = [
  ['/admission', '/admission1', 'religion', 'Jain'],
  ['/admission1', '/admission2', 'fatherQualification', 'Diploma of another kind'],
  ['/admission2', '/admission3', 'childPersonalityAndHomeRoutine', 'x'.repeat(990)],
  ['/admission3', '/admission4', 'reasonsForAdmission', 'Near to the grandmother'],
];

test.each(pages)('%s goes on working while the browser translates it', async (path, next, name, answer) => {
  await openForm(path, { pages: 4, documents: [documentRow('Birth Certificate')] });
  end = translateDocument();
  expect(document.body.textContent).toContain('◊');
  vi.useFakeTimers();
  fill(name, answer);
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(status().replaceAll('◊', '')).toMatch(/^Saved \d\d:\d\d$/);
  expect(status()).toContain('◊');
  // A refused answer and its correction: messages come and go.
  fill(name, '');
  pressTranslated('Save and Next');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(
    field(name).closest('.question')?.textContent ?? document.querySelector('[role=alert]')?.textContent,
  ).toContain('◊');
  fill(name, answer);
  vi.useRealTimers();
  expect(shown()).not.toContain('could not be opened');
  pressTranslated('Save and Next');
  await waitFor(() => expect(window.location.pathname).toBe(next));
  expect(shown()).not.toContain('could not be opened');
});

test('/admission4 goes on working while the browser translates it', async () => {
  await openForm('/admission4', { pages: 4, documents: [documentRow('Birth Certificate')] });
  end = translateDocument();
  pressTranslated('Submit Form');
  await waitFor(() => expect(document.querySelector('[role=alert]')?.textContent).toContain('◊'));
  fill('documentName', 'Other');
  pressTranslated('Previous');
  await waitFor(() => expect(window.location.pathname).toBe('/admission3'));
  expect(shown()).not.toContain('could not be opened');
});
