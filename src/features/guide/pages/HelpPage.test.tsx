import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { HelpPage } from './HelpPage.tsx';

test('SY7 Help begins with all pages, and a page shows its words, steps, pictures and links to others', async () => {
  const { sent } = fakeServer({});
  renderPage(<HelpPage />, '/school-erp/help');
  expect(await screen.findByRole('heading', { name: 'Using Shala' })).toBeTruthy();
  const link = screen.getByRole('link', { name: 'The fee counter' });
  expect(link.getAttribute('href')).toBe('/school-erp/help?page=counter');
  expect(sent).toEqual([]);
});

test('SY7 a page of the guide has its picture with words for those who do not see it, and leads back to all pages', async () => {
  fakeServer({});
  renderPage(<HelpPage />, '/school-erp/help?page=counter');
  expect(await screen.findByRole('heading', { level: 1, name: 'The fee counter' })).toBeTruthy();
  const picture = screen.getByRole('img', { name: 'The counter with the dues of a child, the amount and the modes' });
  expect([picture.getAttribute('src'), picture.getAttribute('loading')]).toEqual([
    expect.stringContaining('counter'),
    'lazy',
  ]);
  expect(screen.getByText('Press Enter. The receipt is printed, and the family gets it by message.').tagName).toBe(
    'LI',
  );
  expect(screen.getByRole('link', { name: 'All pages of Help' }).getAttribute('href')).toBe('/school-erp/help');
});

test('SY7 an address without a page says so', async () => {
  fakeServer({});
  renderPage(<HelpPage />, '/school-erp/help?page=none');
  await waitFor(() => expect(document.body.textContent).toContain('Help has no such page.'));
});
