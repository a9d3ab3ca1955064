import { IconTicket } from '@tabler/icons-react';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { setListAround } from '#kit/browser/list/list-around.ts';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { MenuRail } from './MenuRail.tsx';
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

const inner = [
  { path: 'tree/merge/$id', title: text`Merge`, within: ['some/other', 'elsewhere'] },
  { path: 'tree/letter-list', title: text`Letters`, within: ['some/other'] },
];
const marked = async () =>
  (await screen.findAllByRole('link')).flatMap((one) => (one.hasAttribute('aria-current') ? [one.textContent] : []));

test.each(['/school-erp/tree/merge/7', '/school-erp/tree/letter-list', '/school-erp/tree/letter-list/9'])(
  'the menu marks at %s the page that the open one names as around it',
  async (address) => {
    fakeServer({ 'GET /api/dashboard/badge': {} });
    renderPage(<SideMenu groups={groups} inner={inner} />, address);
    expect(await marked()).toEqual(['Other list']);
  },
);

test('the menu marks no page at an address of no page', async () => {
  fakeServer({ 'GET /api/dashboard/badge': {} });
  renderPage(<SideMenu groups={groups} inner={inner} />, '/school-erp/tree/merge');
  expect((await screen.findByRole('button', { name: 'Some' })).getAttribute('aria-expanded')).toBe('false');
});

test('of two lists with the same records the menu marks the one to which the record leads back', async () => {
  fakeServer({ 'GET /api/dashboard/badge': {} });
  const lists = [
    { path: 'some/by-me', records: 'some/record', title: text`By me` },
    { path: 'some/to-me', records: 'some/record', title: text`To me` },
  ];
  const menu = <SideMenu groups={[{ title: text`Some`, icon: IconTicket, pages: lists }]} />;
  renderPage(menu, '/school-erp/some/record/7');
  expect(await marked()).toEqual(['By me']);
  act(() => setListAround('/school-erp/some/to-me'));
  expect(await marked()).toEqual(['To me']);
  act(() => setListAround(''));
});

test('the icons of a wide page’s menu name their groups, mark the one that is open, and open the menu at a group', async () => {
  fakeServer({ 'GET /api/dashboard/badge': {} });
  const home = { title: text`Home page`, icon: IconTicket, pages: [{ path: 'home', title: text`Home page` }] };
  const open = vi.fn();
  renderPage(<MenuRail groups={[home, ...groups]} onOpen={open} />, '/school-erp/some/other');
  const group = await screen.findByRole('button', { name: 'Some', current: true });
  expect(screen.getByRole('link', { name: 'Home page' }).getAttribute('href')).toBe('/school-erp/home');
  fireEvent.click(group);
  expect(open).toHaveBeenCalledWith(1);
});

test('a menu that was opened at a group shows the pages of that group', async () => {
  fakeServer({ 'GET /api/dashboard/badge': {} });
  const other = {
    title: text`More`,
    icon: IconTicket,
    pages: [{ path: 'more/list', title: text`More of them` }, ...pages],
  };
  renderPage(<SideMenu groups={[...groups, other]} opened={1} />, '/school-erp/some/other');
  await screen.findByRole('link', { name: 'More of them' });
});
