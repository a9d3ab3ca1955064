import { IconTicket } from '@tabler/icons-react';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { SideMenu } from './SideMenu.tsx';

const pages = [
  { path: 'some/waiting', title: text`Waiting list`, hasBadge: true },
  { path: 'some/other', title: text`Other list` },
];
const groups = [{ title: text`Some`, icon: IconTicket, pages }];

test('a page with a badge says how many records wait, and a closed group says it for its pages', async () => {
  fakeServer({ 'GET /api/dashboard/badge': { 'some/waiting': 3 } });
  renderPage(<SideMenu groups={groups} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Some\s*3 waiting$/ }));
  await screen.findByRole('link', { name: /^Waiting list\s*3 waiting$/ });
  expect(screen.getByRole('link', { name: 'Other list' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Some' })).toBeTruthy();
});

test('a menu without such pages asks for no numbers', async () => {
  const { sent } = fakeServer({});
  renderPage(<SideMenu groups={[{ title: text`Some`, icon: IconTicket, pages: pages.slice(1) }]} />);
  await screen.findByRole('button', { name: 'Some' });
  expect(sent).toEqual([]);
});
