import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { StaffAccount } from '../contract/staff-account.ts';
import { AccountCard } from './AccountCard.tsx';

const record = {
  id: 7,
  version: 3,
  card: { name: 'Ravi Solanki', picture: '', designation: '', department: '', email: 'ravi@school.example' },
  isOwn: false,
  may: { update: true, keepAccount: false },
  status: 'Active',
  lastDay: '',
  person: { email: 'ravi@school.example', mobile: '9825020002' },
} as StaffRecord;
const account: NonNullable<StaffAccount['account']> = {
  id: 4,
  version: 2,
  userName: '',
  roles: ['Staff'],
  isActive: true,
  endsOn: '',
  sets: ['office'],
  branches: [],
  derived: [],
  lastSignInAt: '2026-11-20T05:30:00Z',
  devices: 2,
};
const branches = [
  { id: 1, name: 'Main school', isActive: true },
  { id: 2, name: 'North school', isActive: true },
];

function show(found: StaffAccount['account'], answers: Answers = {}) {
  const { sent } = fakeServer({
    'GET /api/academic/branch/option': branches,
    'GET /api/staff/7/account': { account: found },
    ...answers,
  });
  renderPage(<AccountCard record={record} />);
  return sent;
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const posted = (sent: { method: string }[]) => sent.filter(({ method }) => method === 'POST');

test('a person without an account is invited by email with the chosen permissions', async () => {
  const sent = show(null, { 'POST /api/staff/7/invite': {} });
  await press('Invite…');
  const form = within(await screen.findByRole('dialog', { name: 'Invite Ravi Solanki' }));
  expect(form.getByRole<HTMLInputElement>('radio', { name: 'Email' }).checked).toBe(true);
  expect(form.queryByRole('checkbox', { name: 'Class teacher' })).toBeNull();
  fireEvent.click(form.getByRole('checkbox', { name: 'Nurse' }));
  fireEvent.click(form.getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText('Invitation sent.')).toBeTruthy();
  expect(posted(sent)).toMatchObject([{ fields: { channel: 'Email', sets: ['nurse'] } }]);
});

test('a refused invitation stands beside the choice of the channel', async () => {
  const message = 'The staff record has no mobile number.';
  show(null, {
    'POST /api/staff/7/invite': () => refusal('invalid', message, { fields: { channel: message } }),
  });
  await press('Invite…');
  const form = within(await screen.findByRole('dialog', { name: 'Invite Ravi Solanki' }));
  fireEvent.click(form.getByRole('radio', { name: 'SMS' }));
  fireEvent.click(form.getByRole('button', { name: 'Send invitation' }));
  expect((await form.findAllByText(message, { exact: false })).length).toBeGreaterThan(0);
});

test('the card shows status, permissions, last sign-in and devices', async () => {
  show(account);
  const card = within(await screen.findByRole('region', { name: 'Account' }));
  expect(await card.findByText('Signs in')).toBeTruthy();
  for (const words of ['Office', 'All', '2']) expect(card.getByText(words)).toBeTruthy();
});

test('the card names the branches of the permissions, and the rights by assignment with their source', async () => {
  show({
    ...account,
    branches: [{ id: 2, name: 'North school' }],
    derived: [
      {
        set: 'classTeacher',
        source: text`Class teacher of ${{ section: 'Grade 5, A' }} since ${{ from: '1 Jun 2026' }}`,
      },
      { set: 'headOfDepartment', source: text`Head of ${{ department: 'Science' }}` },
    ],
  });
  for (const words of ['North school', 'Class teacher of Grade 5, A since 1 Jun 2026', 'Head of Science'])
    expect(await screen.findByText(words)).toBeTruthy();
});

test('an account is suspended only after a question', async () => {
  const sent = show(account, { 'POST /api/staff/7/suspend': {} });
  await press('Suspend the account of Ravi Solanki');
  const question = within(screen.getByRole('dialog', { name: 'Suspend the account of Ravi Solanki' }));
  expect(posted(sent)).toEqual([]);
  fireEvent.click(question.getByRole('button', { name: 'Suspend' }));
  expect(await screen.findByText('Account suspended.')).toBeTruthy();
  expect(posted(sent)).toMatchObject([{ fields: { version: 2, isSuspended: true } }]);
});

test('an account whose access ended is only restored, and a refusal is shown', async () => {
  const message = 'This person has left. Re-join them first.';
  show(
    { ...account, isActive: false, endsOn: '2020-01-31' },
    {
      'POST /api/staff/7/suspend': () => refusal('invalid', message),
    },
  );
  expect(await screen.findByText('Access ended')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Invite again…' })).toBeNull();
  await press('Restore');
  expect(await screen.findByText(message)).toBeTruthy();
});

test('permissions are saved with their branches and the version of the account', async () => {
  const sent = show(account, { 'POST /api/staff/7/grant': {} });
  await press('Permissions…');
  const form = within(await screen.findByRole('dialog', { name: 'Permissions of Ravi Solanki' }));
  expect(form.getByRole<HTMLInputElement>('checkbox', { name: 'Office' }).checked).toBe(true);
  fireEvent.click(form.getByRole('checkbox', { name: 'HR' }));
  fireEvent.click(await form.findByRole('checkbox', { name: 'North school' }));
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(posted(sent)).toMatchObject([{ fields: { version: 2, sets: ['office', 'hr'], branchIds: [2] } }]),
  );
});
