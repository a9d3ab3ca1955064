import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { inquiryFields } from '../contract/record.ts';
import { seatApi } from '../contract/seat.ts';
import { AddInquiry } from './AddInquiry.tsx';

afterEach(() => localStorage.clear());

const options = (...names: string[]) => names.map((name, place) => ({ id: place + 1, name, isActive: true }));
const listOf = (field: { to: { options: { path: string } } }, ...names: string[]) => ({
  [`GET /api${field.to.options.path}`]: options(...names),
});

async function open(answers: Answers = {}) {
  const server = fakeServer({
    [`GET /api${seatApi.year.path}`]: { id: 1 },
    'GET /api/inquiry/check': { similar: [], students: [], parents: null, worksHere: false, age: null },
    'POST /api/inquiry': { id: 7, version: 1 },
    ...listOf(inquiryFields.academicYearId, '2027-28'),
    ...listOf(inquiryFields.branchId, 'Main campus'),
    ...listOf(inquiryFields.programId, 'Nursery', 'Primary'),
    ...listOf(inquiryFields.gradeId, 'Junior', 'Grade 1'),
    ...listOf(inquiryFields.leadSourceId, 'Website', 'Walk-in'),
    ...listOf(inquiryFields.assignedToId, 'Meena'),
    ...answers,
  });
  renderPage(<AddInquiry onClose={() => undefined} />);
  const drawer = within(await screen.findByRole('dialog', { name: 'Add inquiry' }));
  const fill = (label: RegExp, value: string) => fireEvent.change(drawer.getByLabelText(label), { target: { value } });
  return { server, drawer, fill };
}

test('what there is only one of is filled in, the last name comes from the caller, and Ctrl+Enter saves', async () => {
  const { server, drawer, fill } = await open();
  expect(drawer.getByText('2027-28 · Main campus')).toBeTruthy();
  fill(/^Mobile number/, '9876543210');
  fireEvent.click(drawer.getByRole('radio', { name: 'Mother' }));
  fill(/^Caller’s name/, 'Asha Ben Rathod');
  expect(drawer.getByText('First name Asha Ben, last name Rathod')).toBeTruthy();
  fill(/^Child’s first name/, 'Diya');
  fireEvent.click(drawer.getByRole('radio', { name: 'Female' }));
  fill(/^Birth date/, '5-1-20');
  fill(/^Grade/, '2');
  fill(/^Program/, '2');
  fill(/^Lead source/, '1');
  fireEvent.keyDown(drawer.getByLabelText(/^Birth date/), { key: 'Enter', ctrlKey: true });
  await waitFor(() =>
    expect(server.sent.find(({ method }) => method === 'POST')?.fields).toMatchObject({
      motherMobile: '9876543210',
      motherFirstName: 'Asha Ben',
      motherLastName: 'Rathod',
      fatherMobile: '',
      fatherFirstName: '',
      firstName: 'Diya',
      lastName: 'Rathod',
      birthDate: '2020-01-05',
      academicYearId: '1',
      branchId: '1',
      programId: '2',
    }),
  );
});

test('the next inquiry on the device begins with the program and the lead source of the last one', async () => {
  localStorage.setItem('inquiry-usual', JSON.stringify({ programId: '2', leadSourceId: '2', academicYearId: '9' }));
  const { drawer } = await open();
  expect(drawer.getByText('2027-28 · Main campus · Primary')).toBeTruthy();
  expect(drawer.getByLabelText(/^Lead source/)).toHaveProperty('value', '2');
});

test('a choice that is wrong among the folded fields opens the fold', async () => {
  const { drawer } = await open();
  const fold = drawer.getByText(/^More:/).closest('details');
  expect(fold?.open).toBe(false);
  fireEvent.change(drawer.getByLabelText(/^Father’s email address/), { target: { value: 'none' } });
  fireEvent.click(drawer.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(fold?.open).toBe(true));
});

test('of several open years the one that the list shows first is filled in, until this device chose another', async () => {
  const years = listOf(inquiryFields.academicYearId, '2027-28', '2026-27');
  const { drawer } = await open(years);
  expect(drawer.getByText('2027-28 · Main campus')).toBeTruthy();
  cleanup();
  localStorage.setItem('inquiry-usual', JSON.stringify({ academicYearId: '2' }));
  const again = await open(years);
  expect(again.drawer.getByText('2026-27 · Main campus')).toBeTruthy();
});
