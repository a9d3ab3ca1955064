import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { Discounts } from './Discounts.tsx';

const sibling = {
  id: 4,
  name: 'Siblings',
  code: 'SIB',
  valueKind: 'Percent',
  percent: 1000,
  amount: null,
  heads: [],
  eligibility: 'Siblings',
  categories: [],
  steps: [
    { child: 3, percent: 1500 },
    { child: 4, percent: 2000 },
  ],
  stackGroup: 'Family',
  priority: 20,
  maxAmount: 1_200_000,
  needsApproval: false,
  approvalAbove: 2500,
  academicYearId: null,
  year: '',
  isActive: true,
  version: 3,
  usedBy: 0,
};
const tuition = { id: 1, name: 'Tuition fee', isActive: true };
const tried = {
  charged: 500_000,
  net: 360_000,
  takenOff: 40_000,
  dues: [
    {
      label: 'Apr',
      head: 'Tuition fee',
      dueOn: '2026-04-10',
      charged: 500_000,
      steps: [
        { discount: 'Staff children', amount: 100_000, left: 400_000, limits: [] },
        { discount: 'Siblings', amount: 40_000, left: 360_000, limits: ['cap'] },
      ],
      net: 360_000,
    },
  ],
};

afterEach(() => {
  cleanup();
  queryClient.clear();
});

function show(more: object = {}) {
  const { sent } = fakeServer({
    'GET /api/fee/discount': { rows: [sibling] },
    'GET /api/fee/head/option': [tuition],
    'GET /api/student/category': [],
    'GET /api/academic/year/option': [],
    'GET /api/academic/year-list': [
      { id: 9, name: '2026-27', startsOn: '2026-04-01', endsOn: '2027-03-31', phase: 'Current', isCurrent: true },
    ],
    'GET /api/sign-in/me': { role: 'Staff', sets: ['accountant'] },
    ...more,
  } as never);
  renderPage(<Discounts />);
  return sent;
}

test('a discount is listed with its ladder, its maximum, its order and its need for approval', async () => {
  show();
  const row = within((await screen.findByText('Siblings', { selector: 'button' })).closest('tr') as HTMLElement);
  expect(row.getByText('10 %, later children 15 %, 20 %')).toBeTruthy();
  expect(row.getByText('at most ₹12,000.00 a year')).toBeTruthy();
  expect(row.getByText('20; the best of group “Family” counts')).toBeTruthy();
  expect(row.getByText('Above 25 %')).toBeTruthy();
});

test('the form asks only for what a discount of its kind has', async () => {
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Add discount' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add discount' }));
  expect(form.queryByRole('textbox', { name: /Third child/ })).toBeNull();
  fireEvent.change(form.getByRole('combobox', { name: /^For/ }), { target: { value: 'Siblings' } });
  expect(await form.findByRole('textbox', { name: /Third child/ })).toBeTruthy();
  fireEvent.change(form.getByRole('combobox', { name: /^For/ }), { target: { value: 'Any student' } });
  fireEvent.click(form.getByRole('radio', { name: 'Fixed amount' }));
  expect(await form.findByRole('textbox', { name: /Amount a year/ })).toBeTruthy();
  expect(form.queryByRole('textbox', { name: /Percentage/ })).toBeNull();
  expect(await form.findByRole('checkbox', { name: 'Tuition fee' })).toBeTruthy();
});

test('B3.13 a stored discount is tried on a student: its steps are shown with what limits them', async () => {
  const sent = show({
    'GET /api/fee/concession/student': [{ id: 7, name: 'Ira Shah (G7)', isActive: true }],
    'POST /api/fee/discount/try': tried,
  });
  fireEvent.click(await screen.findByText('Siblings', { selector: 'button' }));
  const form = within(await screen.findByRole('dialog', { name: 'Edit Siblings' }));
  fireEvent.click(form.getByText('Try it on a student'));
  const box = form.getByRole('combobox', { name: 'Student' });
  fireEvent.focus(box);
  fireEvent.click(box);
  fireEvent.click(await form.findByText('Ira Shah (G7)'));
  fireEvent.click(form.getByRole('button', { name: 'Compute' }));
  expect((await form.findByRole('table')).textContent).toContain('Siblings: -₹400.00 → ₹3,600.00');
  expect(form.getByText(/capped/)).toBeTruthy();
  const [call] = sent.filter(({ method }) => method === 'POST');
  expect(call?.fields).toMatchObject({ studentId: '7', yearId: 9, discountId: 4, percent: '10', thirdPercent: '15' });
});

test('a discount that is not complete yet says what is missing', async () => {
  show({
    'GET /api/fee/concession/student': [{ id: 7, name: 'Ira Shah (G7)', isActive: true }],
    'POST /api/fee/discount/try': refusal('invalid', 'There is a problem', {
      fields: { percent: 'Percentage (%) is required.' },
    }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Add discount' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add discount' }));
  fireEvent.click(form.getByText('Try it on a student'));
  const box = form.getByRole('combobox', { name: 'Student' });
  fireEvent.focus(box);
  fireEvent.click(box);
  fireEvent.click(await form.findByText('Ira Shah (G7)'));
  fireEvent.click(form.getByRole('button', { name: 'Compute' }));
  expect(await form.findByText('Percentage (%) is required.')).toBeTruthy();
});
