import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { InboxPage } from './InboxPage.tsx';

const row = (id: number) => ({
  id,
  request: `Prices ${id}`,
  student: '',
  amount: 6_000_000,
  requestedBy: 'Kiran',
  requestedOn: '2026-11-20',
  branch: '',
  reason: '',
  status: 'Pending',
  decidedBy: '',
  decidedOn: '',
  remark: '',
});
const request = (id: number, over: object = {}) => ({
  id,
  version: 1,
  kind: { id: 'Prices of a year' },
  title: { id: `Prices ${id}` },
  student: null,
  amount: 6_000_000,
  reason: '',
  requestedBy: 'Kiran',
  requestedAt: '2026-11-20T06:30:00.000Z',
  status: 'Pending',
  decidedBy: '',
  decidedAt: '',
  remark: '',
  facts: [{ label: { id: 'Grades' }, value: { id: 'Grade 1' } }],
  effect: [{ id: 'The prices are published.' }],
  to: '',
  seen: `seen ${id}`,
  next: null,
  previous: null,
  may: { decide: true, withdraw: false },
  ...over,
});

const openInbox = (address?: string) => {
  const server = fakeServer({
    'GET /api/approval': { rows: [row(1), row(2)], total: 2, isMore: false, next: null, previous: null },
    'GET /api/approval/count': { forMe: { total: 2, isMore: false } },
    'GET /api/approval/view': [],
    'GET /api/approval/1': request(1, { next: 2 }),
    'GET /api/approval/2': request(2, { previous: 1 }),
    'POST /api/approval/1/decide': { status: 'Approved' },
    'POST /api/approval/2/decide': { status: 'Rejected' },
  });
  const router = renderPage(<InboxPage />, address);
  return Object.assign(server, { router });
};

test('a key approves the open request and opens the next one, and another rejects with a remark', async () => {
  const server = openInbox();
  fireEvent.click(await screen.findByRole('button', { name: 'Prices 1' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }));
  expect(await panel.findByText('The prices are published.')).toBeTruthy();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'a' });
  expect(await panel.findByRole('heading', { name: 'Prices 2' })).toBeTruthy();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'r' });
  fireEvent.change(await panel.findByLabelText('Remark', { exact: false }), { target: { value: 'Too high.' } });
  fireEvent.click(panel.getByRole('button', { name: 'Reject' }));
  const decisions = () => server.sent.filter(({ path }) => path.endsWith('/decide')).map(({ fields }) => fields);
  await waitFor(() =>
    expect(decisions()).toEqual([
      { version: 1, seen: 'seen 1', outcome: 'Approved', remark: '' },
      { version: 1, seen: 'seen 2', outcome: 'Rejected', remark: 'Too high.' },
    ]),
  );
});

test('a second press right after an approval does not approve the request that opens next', async () => {
  const server = openInbox();
  fireEvent.click(await screen.findByRole('button', { name: 'Prices 1' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Request' }));
  fireEvent.click(await panel.findByRole('button', { name: 'Approve' }));
  await panel.findByRole('heading', { name: 'Prices 2' });
  const decided = () => server.sent.flatMap(({ path }) => (path.endsWith('/decide') ? [path] : []));
  fireEvent.click(panel.getByRole('button', { name: 'Approve' }));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'a' });
  await screen.findByText('Approved.');
  expect(decided()).toEqual(['/api/approval/1/decide']);
  const later = performance.now() + 1000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  onTestFinished(() => void vi.restoreAllMocks());
  fireEvent.click(panel.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(decided()).toEqual(['/api/approval/1/decide', '/api/approval/2/decide']));
});

test('after an approval the panel has the focus, and the toast names the request', async () => {
  openInbox();
  fireEvent.click(await screen.findByRole('button', { name: 'Prices 1' }));
  const dialog = await screen.findByRole('dialog', { name: 'Request' });
  const approve = await within(dialog).findByRole('button', { name: 'Approve' });
  approve.focus();
  fireEvent.click(approve);
  await within(dialog).findByRole('heading', { name: 'Prices 2' });
  await waitFor(() => expect(document.activeElement).toBe(dialog));
  expect((await screen.findByText('Approved.')).closest('[class*=toast]')?.textContent).toContain('Prices 1');
});

test('after the last request is decided, the title of the page has the focus', async () => {
  const server = openInbox();
  server.answers['GET /api/approval/1'] = request(1);
  fireEvent.click(await screen.findByRole('button', { name: 'Prices 1' }));
  const panel = await screen.findByRole('dialog', { name: 'Request' });
  fireEvent.click(await within(panel).findByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Approvals' })));
});

test('a request in the address is open, another one after it, and none once it is closed', async () => {
  const { router } = openInbox('/page?request=2');
  expect(await screen.findByRole('heading', { name: 'Prices 2' })).toBeTruthy();
  void router.navigate({ to: '/page', search: { request: '1' } });
  expect(await screen.findByRole('heading', { name: 'Prices 1' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toEqual({});
});
