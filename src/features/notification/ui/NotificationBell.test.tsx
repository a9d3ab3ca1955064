import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toLocalDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Notification } from '../contract.ts';
import { NotificationBell } from './NotificationBell.tsx';

afterEach(() => vi.useRealTimers());

const path = '/school-erp/admission/review-list/7?part=notes';
const notificationOf = (id: number, over: Partial<Notification> = {}): Notification => ({
  id,
  about: '',
  text: text`The family of ${{ inquiryNo: `INQ/${id}` }} wrote to the school.`,
  path,
  at: new Date().toISOString(),
  isRead: false,
  ...over,
});
const daysAgo = (days: number) => {
  const at = new Date();
  at.setDate(at.getDate() - days);
  return at.toISOString();
};

/** A server with these notices; they are marked as read there. */
function open(rows: Notification[], more: Answers = {}) {
  let known = rows;
  const unread = () => ({ unread: known.filter(({ isRead }) => !isRead).length });
  const server = fakeServer({
    'GET /api/notice/unread': unread,
    'GET /api/notice': ({ query }) => {
      const before = query.before === undefined ? Number.POSITIVE_INFINITY : Number(query.before);
      const older = known.filter(({ id }) => id < before);
      const page = older.slice(0, 20);
      return { rows: page, ...unread(), next: older.length > 20 ? page.at(-1)?.id : null };
    },
    'POST /api/notice/read': ({ fields }) => {
      const { ids = [], upTo = 0 } = fields as { ids?: number[]; upTo?: number };
      known = known.map((one) => (ids.includes(one.id) || one.id <= upTo ? { ...one, isRead: true } : one));
      return unread();
    },
    ...more,
  });
  const router = renderPage(<NotificationBell />);
  return { ...server, router, arrive: (notification: Notification) => (known = [notification, ...known]) };
}
const bell = (name: string) => screen.findByRole('button', { name });
async function openPanel(name: string) {
  const button = await bell(name);
  button.focus();
  fireEvent.click(button);
  return screen.findByRole('dialog', { name: 'Notices' });
}

const countOf = (button: HTMLElement) => button.querySelector<HTMLElement>('[data-count]')?.dataset.count;

test('P4.9 the bell says how many are unread, and Escape closes its panel and returns the focus to it', async () => {
  open([notificationOf(3), notificationOf(2), notificationOf(1, { isRead: true })]);
  const panel = await openPanel('Notices, 2 unread');
  expect(countOf(await bell('Notices, 2 unread'))).toBe('2');
  expect(await within(panel).findAllByRole('link')).toHaveLength(3);
  fireEvent.keyDown(panel, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(await bell('Notices, 2 unread'));
});

test('the badge counts to nine', async () => {
  open(Array.from({ length: 12 }, (_, index) => notificationOf(12 - index)));
  expect(countOf(await bell('Notices, 12 unread'))).toBe('9+');
});

test('unread notices say so in words, and each says when it came', async () => {
  open([
    notificationOf(3, { at: `${toLocalDate(new Date())}T10:42:00+05:30` }),
    notificationOf(2, { at: daysAgo(1), isRead: true }),
    notificationOf(1, { at: '2025-11-21T06:30:00.000Z', isRead: true }),
  ]);
  const panel = await openPanel('Notices, 1 unread');
  const links = await within(panel).findAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Unread: The family of INQ/3 wrote to the school. Today, 10:42',
    expect.stringMatching(/^The family of INQ\/2 wrote to the school. Yesterday, \d\d:\d\d$/),
    expect.stringMatching(/^The family of INQ\/1 wrote to the school. 21 Nov 2025, \d\d:\d\d$/),
  ]);
});

test('a notice opens its page, with the query of the address, and is read then', async () => {
  const { router, sent } = open([notificationOf(3), notificationOf(2)]);
  const panel = await openPanel('Notices, 2 unread');
  fireEvent.click(await within(panel).findByRole('link', { name: /INQ\/3/ }));
  await waitFor(() => expect(router.state.location.href).toBe(path));
  expect(await bell('Notices, 1 unread')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent.filter(({ method }) => method === 'POST').map(({ fields }) => fields)).toEqual([{ ids: [3] }]);
});

test('all are marked as read up to the newest that is shown', async () => {
  const { sent } = open([notificationOf(3), notificationOf(2)]);
  const panel = await openPanel('Notices, 2 unread');
  fireEvent.click(await within(panel).findByRole('button', { name: 'Mark all as read' }));
  expect(await bell('Notices')).toBeTruthy();
  await waitFor(() => expect(within(panel).queryByRole('button', { name: 'Mark all as read' })).toBeNull());
  expect(sent.filter(({ method }) => method === 'POST').map(({ fields }) => fields)).toEqual([{ upTo: 3 }]);
});

test('older notices are shown page by page', async () => {
  open(Array.from({ length: 45 }, (_, index) => notificationOf(45 - index, { isRead: true })));
  const panel = await openPanel('Notices');
  const links = () => within(panel).findAllByRole('link');
  expect(await links()).toHaveLength(20);
  fireEvent.click(within(panel).getByRole('button', { name: 'Show more' }));
  await waitFor(async () => expect(await links()).toHaveLength(40));
  fireEvent.click(within(panel).getByRole('button', { name: 'Show more' }));
  await waitFor(async () => expect(await links()).toHaveLength(45));
  expect(within(panel).queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('without notices the panel says so', async () => {
  open([]);
  const panel = await openPanel('Notices');
  expect(await within(panel).findByText('Nothing new.')).toBeTruthy();
});

test('while the server does not answer, the bell stays and the panel says why', async () => {
  const { answers } = open([], { 'GET /api/notice': undefined, 'GET /api/notice/unread': undefined });
  const panel = await openPanel('Notices');
  const alert = await within(panel).findByRole('alert', undefined, { timeout: 5000 });
  expect(alert.textContent).toContain('Try again');
  answers['GET /api/notice'] = { rows: [notificationOf(1)], unread: 1, next: null };
  answers['GET /api/notice/unread'] = { unread: 1 };
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await within(panel).findByRole('link')).toBeTruthy();
  expect(await bell('Notices, 1 unread')).toBeTruthy();
});

const minute = 60_000;
const counts = (sent: { path: string }[]) => sent.filter(({ path }) => path === '/api/notice/unread').length;

test('the count is read again each minute, and no more once the session has ended', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { sent, answers, arrive } = open([notificationOf(1)]);
  await bell('Notices, 1 unread');
  arrive(notificationOf(2));
  await act(() => vi.advanceTimersByTimeAsync(minute));
  expect(await bell('Notices, 2 unread')).toBeTruthy();
  answers['GET /api/notice/unread'] = () => refusal('signed_out', 'Sign in.');
  await act(() => vi.advanceTimersByTimeAsync(minute));
  const before = counts(sent);
  expect(before).toBe(3);
  await act(() => vi.advanceTimersByTimeAsync(5 * minute));
  expect(counts(sent)).toBe(before);
});

test('the count is read again when the page becomes visible', async () => {
  const { arrive } = open([notificationOf(1)]);
  await bell('Notices, 1 unread');
  arrive(notificationOf(2));
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  expect(await bell('Notices, 2 unread')).toBeTruthy();
});
