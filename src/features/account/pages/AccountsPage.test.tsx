import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Account, AccountRequest, accountApi } from '../contract/account.ts';
import { AccountsPage } from './AccountsPage.tsx';

const account: Account = {
  id: 3,
  staffId: 5,
  name: 'Asha Patel',
  email: 'asha@school.example',
  mobile: '',
  userName: '',
  isStaff: true,
  isAdmin: false,
  sets: [],
  branchIds: [],
  derived: [],
  isActive: true,
  sessions: 0,
  version: 2,
};
const request: AccountRequest = {
  id: 8,
  name: 'Nilesh Shah',
  email: 'nilesh@school.example',
  mobile: '9825020078',
  reason: 'I join.',
  askedAt: '2026-11-21T05:30:00Z',
};
const page = <Row,>(rows: Row[]) => ({ rows, next: null, previous: null, total: rows.length, isMore: false });
const accounts = page([account]) satisfies OutputOf<typeof accountApi.list>;
const away = 'The school’s system can’t be reached.';
const lineIsGone = () => {
  throw new TypeError('The line is gone.');
};
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test('while the server is away the accounts say so, keep what was searched for, and go on without a reload', async () => {
  const answers: Answers = { 'GET /api/account': accounts, 'GET /api/account-request': page([]) };
  const { sent: calls } = fakeServer(answers);
  renderPage(<AccountsPage />);
  await screen.findByText('Asha Patel');
  answers['GET /api/account'] = lineIsGone;
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search accounts' });
  fireEvent.change(search, { target: { value: 'asha' } });
  expect(await screen.findByText(away, { exact: false }, { timeout: 3000 })).toBeTruthy();
  answers['GET /api/account'] = accounts;
  await press('Try again');
  expect(await screen.findByText('1 account')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(away, { exact: false })).toBeNull());
  expect(search.value).toBe('asha');
  expect(calls.at(-1)?.query).toMatchObject({ search: 'asha' });
});

test('a change that the server did not take stays in the form, and is saved once the server is back', async () => {
  const answers: Answers = {
    'GET /api/account': accounts,
    'GET /api/account-request': page([]),
    'PUT /api/account/3': lineIsGone,
  };
  const { sent: calls } = fakeServer(answers);
  renderPage(<AccountsPage />);
  await press('Edit Asha Patel');
  const form = within(await screen.findByRole('dialog', { name: 'Edit Asha Patel' }));
  const nurse = form.getByRole<HTMLInputElement>('checkbox', { name: 'Nurse' });
  fireEvent.click(nurse);
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  const problem = await form.findByRole('alert', { name: 'There is a problem' }, { timeout: 3000 });
  await waitFor(() => expect(document.activeElement).toBe(problem));
  expect(nurse.checked).toBe(true);
  answers['PUT /api/account/3'] = account;
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Asha Patel' })).toBeNull());
  expect(calls.filter(({ method }) => method === 'PUT').at(-1)?.fields).toMatchObject({ sets: ['nurse'], version: 2 });
});

test('a request is declined only after a question, and the focus goes to the title', async () => {
  let requests = [request];
  const { sent: calls } = fakeServer({
    'GET /api/account': accounts,
    'GET /api/account-request': () => page(requests) satisfies OutputOf<typeof accountApi.requests>,
    'POST /api/account-request/8/decline': () => {
      requests = [];
      return {};
    },
  });
  renderPage(<AccountsPage />);
  const declined = () => calls.filter(({ method }) => method === 'POST').map(({ path }) => path);
  const question = () => within(screen.getByRole('dialog', { name: 'Decline Nilesh Shah' }));
  await press('Decline Nilesh Shah');
  expect(question().getByText('Nilesh Shah will get an email.')).toBeTruthy();
  fireEvent.click(question().getByRole('button', { name: 'Cancel' }));
  expect(declined()).toEqual([]);
  await press('Decline Nilesh Shah');
  fireEvent.click(question().getByRole('button', { name: 'Decline' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Decline Nilesh Shah' })).toBeNull());
  expect(declined()).toEqual(['/api/account-request/8/decline']);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
});

const branches = ['Adajan', 'Vesu'].map((name, index) => ({ id: index + 1, name, isActive: true }));
const derived: Account['derived'] = [
  { set: 'classTeacher', source: text`Class teacher of ${{ section: 'Grade 5, A' }} since ${{ from: '1 Jun 2026' }}` },
];
const editing = async (given: Partial<Account> = {}, options = branches, answers: Answers = {}) => {
  const server = fakeServer({
    ...answers,
    'GET /api/account': page([{ ...account, ...given }]),
    'GET /api/account-request': page([]),
    'GET /api/academic/branch/option': options,
    'PUT /api/account/3': account,
  });
  renderPage(<AccountsPage />);
  await press('Edit Asha Patel');
  return { ...server, form: within(await screen.findByRole('dialog', { name: 'Edit Asha Patel' })) };
};

test('rights that follow from the mapping are shown with their source, and cannot be given', async () => {
  const { form } = await editing({ sets: ['office'], derived });
  expect(screen.getByText('Office, Class teacher')).toBeTruthy();
  expect(form.getByText('Class teacher of Grade 5, A since 1 Jun 2026')).toBeTruthy();
  expect(form.getByRole<HTMLInputElement>('checkbox', { name: 'Office' }).checked).toBe(true);
  expect(form.queryByRole('checkbox', { name: 'Class teacher' })).toBeNull();
});

test('an account is limited to the branches that are ticked, and to no others', async () => {
  const { form, sent } = await editing({ sets: ['office'], branchIds: [2] });
  const group = within(await form.findByRole('group', { name: 'Branches' }));
  const boxOf = (name: string) => group.getByRole<HTMLInputElement>('checkbox', { name });
  expect([boxOf('Adajan').checked, boxOf('Vesu').checked]).toEqual([false, true]);
  fireEvent.click(boxOf('Adajan'));
  fireEvent.click(boxOf('Vesu'));
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Asha Patel' })).toBeNull());
  expect(sent.filter(({ method }) => method === 'PUT').at(-1)?.fields).toMatchObject({ branchIds: [1] });
});

test('a school of one branch is not asked about branches', async () => {
  const { form, sent } = await editing({}, branches.slice(0, 1));
  await waitFor(() => expect(sent.some(({ path }) => path === '/api/academic/branch/option')).toBe(true));
  expect(form.queryByRole('group', { name: 'Branches' })).toBeNull();
});

test('A21 an account is closed by one tick, and saved with the version that was read', async () => {
  const { form, sent } = await editing();
  fireEvent.click(form.getByRole('checkbox', { name: 'Can sign in' }));
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Asha Patel' })).toBeNull());
  expect(sent.filter(({ method }) => method === 'PUT').at(-1)?.fields).toMatchObject({ isActive: false, version: 2 });
});

test('A22 the devices of a person are listed, and one of them is signed out', async () => {
  const session = { role: 'Staff', address: '10.0.0.8', beganAt: request.askedAt, seenAt: request.askedAt };
  const sessions = [
    { ...session, number: 4, device: 'Mozilla (Windows) Firefox/130.0' },
    { ...session, number: 5, device: 'Mozilla (Linux) Chrome/140.0' },
  ];
  const { form, sent, answers } = await editing({ sessions: 2 }, branches, {
    'GET /api/account/3/session': sessions,
    'DELETE /api/account/3/session/:number': {},
  });
  expect(await form.findAllByRole('listitem')).toHaveLength(2);
  answers['GET /api/account/3/session'] = sessions.slice(1);
  fireEvent.click(form.getByRole('button', { name: /^Sign out Firefox, Windows/ }));
  await waitFor(() => expect(form.getAllByRole('listitem')).toHaveLength(1));
  expect(form.getByRole('listitem').textContent).toContain('Chrome, Linux');
  expect(sent.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    '/api/account/3/session/4',
  ]);
});

test('sets have names in the list and where they are given, with what they permit', async () => {
  const { form, sent } = await editing({ sets: ['admissionHead'] });
  expect(screen.getByText('Admission head', { selector: 'div' })).toBeTruthy();
  const set = form.getByRole('checkbox', { name: 'Finance approver' });
  const words = document.getElementById(set.getAttribute('aria-describedby') ?? '');
  expect(words?.textContent).toMatch(/^Approves concessions/);
  fireEvent.click(set);
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Asha Patel' })).toBeNull());
  expect(sent.filter(({ method }) => method === 'PUT').at(-1)?.fields).toMatchObject({
    sets: ['admissionHead', 'financeApprover'],
  });
});
