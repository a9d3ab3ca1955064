import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { renderPage } from '#testing/render-page.tsx';
import { FindBox } from './FindBox.tsx';

test('pages found by their own title come before those found by their menu group', async () => {
  const pages = [
    { page: { path: 'academic/academic-master', title: text`Academic Master` }, group: text`School Setup` },
    { page: { path: 'academic/section', title: text`Sections` }, group: text`Academic Master` },
  ];
  renderPage(<FindBox pages={pages} />);
  fireEvent.change(await screen.findByRole('textbox', { name: 'Search pages' }), { target: { value: 'se' } });
  const hits = await screen.findAllByRole('option');
  expect(hits.map(({ textContent }) => textContent)).toEqual([
    'Sections Academic Master',
    'Academic Master School Setup',
  ]);
});
