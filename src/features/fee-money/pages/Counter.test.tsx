import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { banks } from '../contract/banks.ts';
import { CashierDay } from './CashierDay.tsx';
import { Counter } from './Counter.tsx';

const line = (key: string, dueOn: string, owed: number, more: object = {}) => ({
  key,
  dueId: 1,
  isFine: false,
  head: 'Tuition fee',
  label: dueOn,
  dueOn,
  priority: 30,
  receiptSeriesId: 1,
  net: owed,
  paid: 0,
  owed,
  days: 0,
  mostFine: null,
  isDue: true,
  ...more,
});
const found = {
  on: '2026-11-26',
  today: '2026-11-26',
  children: [
    {
      studentId: 7,
      version: 3,
      name: 'Aarav Shah',
      grNo: '2231',
      place: '5 B',
      leftOn: '',
      joinsOn: '',
      isElsewhere: false,
      lines: [
        line('due 1', '2026-10-10', 500_000),
        line('fine 1', '2026-10-10', 50_000, { isFine: true, days: 42, mostFine: 50_000 }),
        line('due 2', '2026-11-10', 500_000),
        line('due 3', '2026-12-10', 500_000, { isDue: false }),
      ],
      advance: 0,
      lastReceiptId: 40,
      net: 0,
      paid: 0,
    },
  ],
  lastBank: 'Bank of Baroda',
  payers: [{ guardianId: 4, name: 'Nikhil Shah', relation: 'Father', mobile: '5550000001', isPrimary: true }],
};
const paper = {
  id: 1,
  receiptNo: 'SCH/26-27/00001',
  paymentNo: 'P-00001',
  school: { name: 'Sunrise School', lines: ['Surat'] },
  heading: '',
  date: '2026-11-26',
  student: 'Aarav Shah',
  grNo: '2231',
  place: '5 B',
  rollNo: '2',
  receivedFrom: 'Nikhil Shah (father)',
  mode: 'Cash',
  reference: '',
  lines: [{ head: 'Tuition fee', label: 'October', dueOn: '2026-10-10', due: 500_000, paid: 500_000 }],
  total: 500_000,
  inWords: { id: 'Five thousand rupees only' },
  notes: [],
  copy: { id: 'Original' },
  isCancelled: false,
  payment: { amount: 500_000, inWords: { id: 'Five thousand rupees only' } },
};
const family = {
  key: '9',
  guardianId: 4,
  children: [{ studentId: 7, name: 'Aarav Shah', grNo: '2231', place: '5 B', leftOn: '', joinsOn: '' }],
  payer: 'Nikhil Shah',
  mobile: '5550000001',
  due: 1_000_000,
  fine: 50_000,
};

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  window.print = vi.fn();
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
});

async function openFamily(take: object = { id: 1, paymentNo: 'P-00001', advance: 0, papers: [paper] }, dues = found) {
  const { sent } = fakeServer({
    'GET /api/fee/counter/find': { families: [family] },
    'GET /api/fee/counter/dues': dues,
    'GET /api/fee/counter/today': {
      isClosed: false,
      closedAt: '',
      mayOpenShift: false,
      nextShift: 2,
      receipts: 0,
      amount: 0,
      payments: [],
    },
    'POST /api/fee/payment': take,
    'POST /api/fee/counter/cheque': take,
  });
  renderPage(<Counter />);
  const box = await screen.findByRole('combobox', { name: /GR number/ });
  fireEvent.change(box, { target: { value: 'shah' } });
  // Enter comes before the answer.
  fireEvent.keyDown(box, { key: 'Enter' });
  const amount = (await screen.findByLabelText('Amount (₹)')) as HTMLInputElement;
  const payments = () => sent.filter(({ method, path }) => method === 'POST' && path === '/api/fee/payment');
  return { amount, payments, sent, form: amount.closest('form') as HTMLFormElement };
}

test('B5.12 Enter finds a family, the amount is what is due, and Enter takes it in cash and prints', async () => {
  const { amount, payments, sent, form } = await openFamily();
  expect(amount.value).toBe('10,500');
  expect(sent.find(({ path }) => path === '/api/fee/counter/dues')?.query).toMatchObject({
    studentId: '7',
    guardianId: '4',
  });
  // A second Enter of the same press takes nothing.
  now = 300;
  fireEvent.submit(form);
  now = 500;
  fireEvent.submit(form);
  await vi.waitFor(() => expect(window.print).toHaveBeenCalledOnce());
  expect(payments()).toHaveLength(1);
  expect(payments()[0]?.fields).toMatchObject({
    payerGuardianId: 4,
    mode: 'Cash',
    amount: 1_050_000,
    paidOn: '2026-11-26',
    children: [
      {
        studentId: 7,
        version: 3,
        lines: [
          { key: 'due 1', amount: 500_000 },
          { key: 'fine 1', amount: 50_000 },
          { key: 'due 2', amount: 500_000 },
        ],
      },
    ],
  });
});

test('a fine whose dues are paid names their day', async () => {
  const lines = [line('fine 2', '2026-09-10', 10_000, { isFine: true })];
  await openFamily(undefined, { ...found, children: found.children.map((child) => ({ ...child, lines })) });
  expect(await screen.findByText('Late fine, dues of 10 Sep')).toBeTruthy();
});

test('the foot tells the keys: those that find a family, then those that take its money', async () => {
  const told = () => [...document.querySelectorAll('kbd:not([data-key])')].map(({ textContent }) => textContent);
  const opened = openFamily();
  await screen.findByRole('combobox', { name: /GR number/ });
  expect(told()).toEqual(['Enter', '↓']);
  await opened;
  expect(told()).toEqual(['Enter', 'Alt 1–7', 'F8', 'F9', 'Esc']);
});

test('the key F8 focuses the oldest due, and the amount typed there is collected', async () => {
  const { amount, payments, form } = await openFamily();
  now = 500;
  fireEvent.keyDown(amount, { key: 'F8' });
  const oldest = screen.getByLabelText<HTMLInputElement>('Pays now: Aarav Shah, Tuition fee, 2026-10-10');
  expect(document.activeElement).toBe(oldest);
  fireEvent.change(oldest, { target: { value: '1000' } });
  fireEvent.submit(form);
  await vi.waitFor(() => expect(payments()).toHaveLength(1));
  expect(payments()[0]?.fields).toMatchObject({ amount: 650_000 });
});

test('the counter’s head shows today’s total, with the way to close an open shift', async () => {
  const day = {
    isClosed: false,
    closedAt: '',
    mayOpenShift: false,
    nextShift: 2,
    receipts: 31,
    amount: 18_645_000,
    payments: [],
  };
  fakeServer({ 'GET /api/fee/counter/today': day });
  renderPage(<CashierDay />);
  const close = await screen.findByRole('link', { name: 'Close day' });
  expect(close.getAttribute('href')).toContain('part=day');
  expect(close.parentElement?.textContent).toContain('Your day: 31 receipts, ₹1,86,450');
  cleanup();
  queryClient.clear();
  fakeServer({ 'GET /api/fee/counter/today': { ...day, isClosed: true, closedAt: '2026-11-26T06:54:00.000Z' } });
  renderPage(<CashierDay />);
  expect(await screen.findByText(/^Your day: 31 receipts/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Close day' })).toBeNull();
});

test('a smaller amount pays the oldest first, Alt and a digit choose the mode, and a refusal keeps what was typed', async () => {
  const { amount, payments, form } = await openFamily(
    refusal('invalid', 'There is a problem', {
      fields: { reference: 'Reference used on receipt SCH/26-27/00009.' },
    }),
  );
  fireEvent.change(amount, { target: { value: '5,200' } });
  fireEvent.keyDown(amount, { key: '2', altKey: true });
  fireEvent.change(await screen.findByLabelText('Reference'), { target: { value: '433012345678' } });
  now = 1_000;
  fireEvent.submit(form);
  expect(await screen.findByText('Reference used on receipt SCH/26-27/00009.')).toBeTruthy();
  expect(payments()[0]?.fields).toMatchObject({
    mode: 'UPI',
    reference: '433012345678',
    children: [
      {
        lines: [
          { key: 'due 1', amount: 500_000 },
          { key: 'fine 1', amount: 20_000 },
        ],
      },
    ],
  });
  expect(amount.value).toBe('5,200');
  expect(window.print).not.toHaveBeenCalled();
});

test('the key F9 takes the cash that is given and shows what to return, and Enter there collects the amount alone', async () => {
  const { amount, payments, form } = await openFamily();
  fireEvent.change(amount, { target: { value: '₹ 5,000/-' } });
  fireEvent.keyDown(amount, { key: 'F9' });
  const given = screen.getByLabelText<HTMLInputElement>('Cash given');
  expect(document.activeElement).toBe(given);
  fireEvent.change(given, { target: { value: '4500' } });
  expect(await screen.findByText('₹500.00 less than the amount')).toBeTruthy();
  fireEvent.change(given, { target: { value: '૫૫૦૦' } });
  expect((await screen.findByText('Return')).textContent).toBe('Return ₹500.00');
  now = 1_000;
  fireEvent.submit(form);
  await vi.waitFor(() => expect(payments()).toHaveLength(1));
  expect(payments()[0]?.fields).toMatchObject({ amount: 500_000, children: [{ lastReceiptId: 40 }] });
  expect(JSON.stringify(payments()[0]?.fields)).not.toContain('5500');
});

test('an amount that can’t be read is sent as it was typed, for the server to name what is wrong', async () => {
  const { amount, payments, form } = await openFamily(refusal('invalid', 'Enter an amount, such as 1,25,000.50.'));
  fireEvent.change(amount, { target: { value: '10.005' } });
  now = 1_000;
  fireEvent.submit(form);
  expect(await screen.findByText('Enter an amount, such as 1,25,000.50.')).toBeTruthy();
  expect(payments()[0]?.fields).toMatchObject({ amount: '10.005' });
  expect(amount.value).toBe('10.005');
});

test('MC15 a closed counter says so before the search, and opens a second shift', async () => {
  const today = { receipts: 3, amount: 100, payments: [], closedAt: '2026-11-26T06:54:00.000Z', nextShift: 2 };
  const server = fakeServer({
    'GET /api/fee/counter/today': { ...today, isClosed: true, mayOpenShift: true },
    'POST /api/fee/day/shift': { id: 9, shift: 2, openingCash: 95_000 },
  });
  renderPage(<Counter />);
  expect(await screen.findByText('Your drawer is closed since 12:24.')).toBeTruthy();
  server.answers['GET /api/fee/counter/today'] = { ...today, isClosed: false, mayOpenShift: false };
  fireEvent.click(screen.getByRole('button', { name: 'Open a second shift' }));
  await vi.waitFor(() => expect(screen.queryByText('Your drawer is closed since 12:24.')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /GR number/ }));
});

test('a cheque is taken at the counter with its number, bank and day, and its receipts are printed', async () => {
  const { amount, form, sent } = await openFamily();
  fireEvent.keyDown(amount, { key: '6', altKey: true });
  fireEvent.change(await screen.findByLabelText('Number'), { target: { value: '412300' } });
  // The bank of the family's last cheque is there; others can be chosen.
  const bank = screen.getByLabelText<HTMLInputElement>('Bank');
  expect([bank.value, bank.list?.options.length ?? 0]).toEqual(['Bank of Baroda', banks.length]);
  expect(screen.queryByLabelText('Reference')).toBeNull();
  now = 1_000;
  fireEvent.submit(form);
  await vi.waitFor(() => expect(window.print).toHaveBeenCalledOnce());
  const [cheque] = sent.filter(({ path }) => path === '/api/fee/counter/cheque');
  expect(cheque?.fields).toMatchObject({
    kind: 'Cheque',
    number: '412300',
    bank: 'Bank of Baroda',
    datedOn: '2026-11-26',
    amount: 1_050_000,
    payerGuardianId: 4,
    children: [{ studentId: 7, version: 3 }],
  });
});

test('B5.21 Enter opens the family that matches the typed text, even while results of an earlier search are shown', async () => {
  const other = { ...family, key: '10', children: [{ ...family.children[0], studentId: 8, name: 'Mira Jain' }] };
  let answerOther: (answer: object) => void = () => undefined;
  const { sent } = fakeServer({
    'GET /api/fee/counter/find': ({ query }) =>
      query.search === '2231' ? { families: [family] } : new Promise<object>((done) => (answerOther = done)),
    'GET /api/fee/counter/dues': found,
    'GET /api/fee/counter/today': {
      isClosed: false,
      closedAt: '',
      mayOpenShift: false,
      nextShift: 2,
      receipts: 0,
      amount: 0,
      payments: [],
    },
  });
  renderPage(<Counter />);
  const box = await screen.findByRole('combobox', { name: /GR number/ });
  fireEvent.change(box, { target: { value: '2231' } });
  await screen.findByText('Aarav Shah');
  fireEvent.change(box, { target: { value: '3105' } });
  fireEvent.keyDown(box, { key: 'Enter' });
  await vi.waitFor(() => expect(sent.some(({ query }) => query.search === '3105')).toBe(true));
  fireEvent.keyDown(box, { key: 'Enter' });
  answerOther({ families: [other] });
  await screen.findByLabelText('Amount (₹)');
  const asked = sent.filter(({ path }) => path === '/api/fee/counter/dues');
  expect(asked.map(({ query }) => query.studentId)).toEqual(['8']);
});

test('after a cancellation the next family can be typed at once', async () => {
  const payment = {
    id: 5,
    version: 1,
    paymentNo: 'P-00005',
    at: '2026-11-26T06:00:00.000Z',
    names: 'Aarav Shah',
    mode: 'Cash',
    amount: 500_000,
  };
  const server = fakeServer({
    'GET /api/fee/counter/today': {
      isClosed: false,
      closedAt: '',
      mayOpenShift: false,
      nextShift: 2,
      receipts: 1,
      amount: 500_000,
      payments: [{ ...payment, endedAs: '' }],
    },
    'GET /api/fee/payment/:id': {
      ...payment,
      paidOn: '2026-11-26',
      valueOn: '2026-11-26',
      reference: '',
      payer: 'Nikhil Shah',
      by: 'Farida',
      receipts: 'SCH/1',
      endedAs: '',
      isAsked: false,
      isAlone: true,
      isOwnDrawer: true,
      isUnplaced: false,
      answers: ['Given back now', 'It never came', 'The school still has it'],
      children: [{ studentId: 7, name: 'Aarav Shah', grNo: '2231', place: '5 B', amount: 500_000 }],
    },
    'POST /api/fee/payment/:id/cancel': { isAsked: false },
  });
  renderPage(<Counter />);
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel this payment: P-00005' }));
  const reason = await screen.findByLabelText(/Reason/);
  fireEvent.click(screen.getByRole('radio', { name: 'Given back now' }));
  fireEvent.change(reason, { target: { value: 'Wrong child' } });
  const today = {
    isClosed: false,
    closedAt: '',
    mayOpenShift: false,
    nextShift: 2,
    receipts: 0,
    amount: 0,
    payments: [{ ...payment, endedAs: 'Cancelled' }],
  };
  server.answers['GET /api/fee/counter/today'] = today;
  fireEvent.submit(reason.closest('form') as HTMLFormElement);
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel this payment: P-00005' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /GR number/ }));
});
