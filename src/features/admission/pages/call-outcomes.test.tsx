import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { CallOutcomes } from './CallOutcomes.tsx';

const row = {
  kind: 'call',
  id: 4,
  when: 'late',
  title: 'Hetvi Kapadia',
  about: 'Grade 1',
  detail: text`Today`,
  to: 'admission/inquiry/4',
  act: text`Open`,
  seen: '2026-11-25',
} as const;

const openCall = async () => {
  fakeServer({ 'GET /api/admission/inquiry/lost-reason': [] });
  renderPage(<CallOutcomes row={row} />);
  await screen.findByRole('button', { name: 'Reached: Hetvi Kapadia' });
};

test('the outcomes that end most calls are buttons, the others in the menu of the row', async () => {
  await openCall();
  expect(
    [...document.querySelectorAll('button:not([hidden])')].map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Reached: Hetvi Kapadia', 'No answer: Hetvi Kapadia', 'Actions for Hetvi Kapadia']);
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Hetvi Kapadia' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Visit…' }));
  expect(await screen.findByRole('dialog', { name: 'Visit' })).toBeTruthy();
});

test.each([
  ['3', 'Visit'],
  ['4', 'Mark as lost'],
])('what the key %s presses opens “%s” while the menu is closed', async (key, title) => {
  await openCall();
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
  expect(await screen.findByRole('dialog', { name: title })).toBeTruthy();
});
