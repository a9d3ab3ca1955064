import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { DayTab } from './DayTab.tsx';

const day = {
  id: 7,
  version: 3,
  day: '2026-11-26',
  shift: 1,
  shifts: [{ shift: 1, isClosed: false }],
  staffId: 4,
  cashier: 'Farida Shaikh',
  cashiers: [{ id: 4, name: 'Farida Shaikh' }],
  isClosed: false,
  openingCash: 95_000,
  carried: 95_000,
  isCounted: false,
  openingReason: '',
  modes: [
    { mode: 'Cash', amount: 200_000, receipts: 2 },
    { mode: 'UPI', amount: 750_000, receipts: 1 },
  ],
  cancelled: { amount: 0, receipts: 0 },
  series: [
    {
      id: 1,
      name: 'School',
      amount: 950_000,
      receipts: 3,
      first: 'SCH/26-27/00001',
      last: 'SCH/26-27/00003',
      missing: 0,
    },
  ],
  cashReceived: 200_000,
  cashCancelled: 0,
  expected: 295_000,
  counts: [],
  counted: 0,
  difference: 0,
  reason: '',
  banked: 0,
  slipNo: '',
  closedBy: '',
  closedAt: '',
  open: [],
  isOther: false,
  may: { count: false, close: true, openShift: false },
};
const closed = {
  ...day,
  version: 4,
  isClosed: true,
  shifts: [{ shift: 1, isClosed: true }],
  counts: [
    { note: 500, pieces: 5 },
    { note: 100, pieces: 4 },
  ],
  counted: 290_000,
  difference: -5_000,
  reason: 'Gave too much change',
  banked: 200_000,
  slipNo: '718',
  closedBy: 'Farida Shaikh',
  closedAt: '2026-11-26T10:10:00.000Z',
  may: { count: false, close: false, openShift: true },
};

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const type = (name: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });

test('MC15 closing a shift asks with the sums, once the cash is counted and a difference has its reason', async () => {
  const server = fakeServer({
    'GET /api/fee/day': day,
    'POST /api/fee/day/:id/close': { counted: 290_000, expected: 295_000, difference: -5_000 },
  });
  renderPage(<DayTab />);
  const first = await screen.findByRole('button', { name: 'Count the cash first' });
  expect((first as HTMLButtonElement).disabled).toBe(true);
  expect(screen.queryByText(/short/)).toBeNull();
  type('Pieces of ₹500', '5');
  type('Pieces of ₹100', '4');
  expect(await screen.findByText('₹50.00 short')).toBeTruthy();
  type(/^To the bank/, '2,000');
  type(/^Slip number/, '718');
  const form = screen.getByRole('form', { name: 'Close the shift' });
  fireEvent.submit(form);
  expect(await screen.findAllByText('The cash differs from the expected amount. Enter a reason.')).not.toEqual([]);
  expect(screen.queryByRole('dialog')).toBeNull();
  type(/^Reason/, 'Gave too much change');
  fireEvent.submit(form);
  const dialog = await screen.findByRole('dialog');
  const facts = [...dialog.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(facts).toEqual([
    '3 receipts₹9,500.00',
    'Counted₹2,900.00',
    'To the bank, slip 718₹2,000.00',
    'Kept for the next shift₹900.00',
    'Short₹50.00',
  ]);
  expect(server.sent.some(({ path }) => path.endsWith('/close'))).toBe(false);
  server.answers['GET /api/fee/day'] = closed;
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close, ₹50.00 short' }));
  await screen.findByText(/Closed by Farida Shaikh/);
  const [sent] = server.sent.filter(({ path }) => path.endsWith('/close'));
  expect(sent?.fields).toMatchObject({ version: 3, banked: '2,000', slipNo: '718', reason: 'Gave too much change' });
});

test('MC15 a closed shift shows its count, what went to the bank and what is kept, and offers a second shift', async () => {
  const server = fakeServer({
    'GET /api/fee/day': closed,
    'POST /api/fee/day/shift': { id: 8, shift: 2, openingCash: 90_000 },
  });
  renderPage(<DayTab />);
  await screen.findByText(/Closed by Farida Shaikh, 26 Nov 2026, 15:40/);
  const rows = [...document.querySelectorAll('tfoot tr')].map(({ textContent }) => textContent);
  expect(rows).toContain('To the bankslip 718₹2,000.00');
  expect(rows).toContain('Kept₹900.00');
  const shifts = [
    { shift: 1, isClosed: true },
    { shift: 2, isClosed: false },
  ];
  server.answers['GET /api/fee/day'] = { ...day, id: 8, shift: 2, shifts, openingCash: 90_000, carried: 90_000 };
  fireEvent.click(screen.getByRole('button', { name: 'Open a second shift' }));
  await screen.findByText('Opening cash ₹900.00, left by the last shift');
  expect(screen.getByLabelText<HTMLSelectElement>('Shift').value).toBe('2');
});

test('MC9 an opening cash that was counted shows its difference once, with its reason', async () => {
  fakeServer({
    'GET /api/fee/day': {
      ...day,
      openingCash: 94_000,
      isCounted: true,
      openingReason: 'A note was torn',
      expected: 294_000,
    },
  });
  renderPage(<DayTab />);
  expect(await screen.findByText('Opening cash ₹940.00, counted')).toBeTruthy();
  expect(screen.getByText(/^Difference of the opening/).closest('div')?.textContent).toContain('-₹10.00');
});
