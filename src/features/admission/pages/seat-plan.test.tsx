import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ProcessAdmissionPage } from './ProcessAdmissionPage.tsx';
import { SeatPlan } from './process/SeatPlan.tsx';

const row = (id: number, over: object) => ({
  ...{ id, version: 1, academicYearId: 2, branchId: 1, branch: 'Surat', programId: 1, program: 'CBSE', gradeId: 1 },
  ...{ grade: 'Grade 1', quota: 'General', total: 60, reserved: 4, interaction: 'None', admissionFee: 0, offerDays: 7 },
  ...{ opensOn: '', closesOn: '', isOpen: true, held: 0, offered: 2, confirmed: 0, admitted: 51, free: 3, waiting: 4 },
  ...over,
});
const rows = [
  row(1, {}),
  row(2, { quota: 'RTE', total: 20, reserved: 0, offered: 0, admitted: 20, free: 0, waiting: 0 }),
  row(3, { gradeId: 2, grade: 'Grade 2', free: 5, waiting: 0 }),
];
const offers = [
  { id: 7, seatId: 1, child: 'Het Parekh', since: '2026-11-12', sibling: '', score: 70 },
  { id: 8, seatId: 1, child: 'Tanvi Joshi', since: '2026-11-13', sibling: '', score: null },
];

const open = async (page = <SeatPlan />, address = '/page') => {
  const server = fakeServer({
    'GET /api/admission/seat': {
      ...{ year: { id: 2, name: '2027-28', isClosed: false }, years: [{ id: 2, name: '2027-28' }] },
      ...{ rows, offers, proposed: 0, may: { plan: true } },
    },
    'PUT /api/admission/seat/:id': { id: 3, version: 2 },
    'GET /api/sign-in/me': { role: 'Staff', sets: ['admissionHead'] },
  });
  renderPage(page, address);
  await screen.findByRole('table');
  return server;
};
const cell = (name: string) => screen.getByRole('button', { name });

test('a cell has one number, a full one says so, and the sums stand at the foot', async () => {
  await open();
  expect(cell('Grade 1, General: 3 of 60 free').textContent).toBe('3 of 60');
  expect(cell('Grade 1, RTE: 0 of 20 free').textContent).toBe('Full of 20');
  const foot = screen.getByRole('row', { name: /^All grades/ });
  expect(
    within(foot)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['8', '', '8 of 140', '4', '2']);
});

test('arrows walk over the cells that have seats, and Enter shows what became of them', async () => {
  await open();
  const first = cell('Grade 1, General: 3 of 60 free');
  first.focus();
  fireEvent.keyDown(first, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(cell('Grade 1, RTE: 0 of 20 free'));
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(cell('Grade 1, RTE: 0 of 20 free'));
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowLeft' });
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(cell('Grade 2, General: 5 of 60 free'));
  fireEvent.click(first);
  const dialog = await screen.findByRole('dialog', { name: 'Grade 1, General' });
  expect(within(dialog).getByText('Free of 60').parentElement?.textContent).toBe('Free of 60 3');
  expect(within(dialog).queryByText('On hold')).toBeNull();
  expect(within(dialog).getByRole('button', { name: 'Waiting list of Grade 1, General' })).toBeTruthy();
});

test('E changes the planned seats in the cell, and O offers to all families that are ticked', async () => {
  const server = await open();
  const second = cell('Grade 2, General: 5 of 60 free');
  second.focus();
  fireEvent.keyDown(second, { key: 'e' });
  const input = screen.getByRole('textbox', { name: 'Seats of Grade 2, General' });
  fireEvent.change(input, { target: { value: '64' } });
  fireEvent.keyDown(input, { key: 'Enter' });
  await expect.poll(() => server.sent.find(({ method }) => method === 'PUT')?.fields).toMatchObject({ total: '64' });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Offer to Tanvi Joshi' }));
  expect(screen.getByRole('button', { name: 'Offer 1 seat…' })).toBeTruthy();
  const first = cell('Grade 1, General: 3 of 60 free');
  first.focus();
  fireEvent.keyDown(first, { key: 'o' });
  expect(await screen.findByRole('dialog', { name: 'Offer a seat' })).toBeTruthy();
});

test('the offers have their button in the head of the page, and not in their panel', async () => {
  await open(<ProcessAdmissionPage />, '/page?show=seats');
  const button = await screen.findByRole('button', { name: 'Offer 2 seats…' });
  expect(button.closest('.page-head')).not.toBeNull();
  expect(button.closest('section')).toBeNull();
});
