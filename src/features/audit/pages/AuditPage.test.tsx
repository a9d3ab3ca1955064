import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { today } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { AuditEntry, auditApi } from '../contract/audit.ts';
import { AuditPage } from './AuditPage.tsx';

const entry = {
  id: 1,
  at: '2026-11-21T05:30:00Z',
  actor: 'Asha Patel',
  staffId: 5,
  role: 'Admin',
  session: 7,
  address: '10.0.0.8',
  action: 'sign-in.signed-in',
  act: text`Signed in`,
  entity: 'sign_in_account',
  kind: text`Account`,
  name: 'Asha Patel',
  entityId: 3,
  result: 'done',
  isView: false,
  requestId: 'request',
  details: [{ label: text`Method`, values: [text`Code by email`] }],
} satisfies AuditEntry;
const areas = ['Accounts', 'Fees'];
const list = { rows: [entry], next: null, areas } satisfies OutputOf<typeof auditApi.list>;
const lists: Answers = {
  'GET /api/staff/option': [{ id: 5, name: 'Asha Patel', isActive: true }],
};
const away = 'The school’s system can’t be reached.';
const lineIsGone = () => {
  throw new TypeError('The line is gone.');
};

const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const type = async (name: string, value: string) => {
  fireEvent.change(await box(name), { target: { value } });
  fireEvent.blur(await box(name));
};
const listed = () => screen.findByRole('cell', { name: /^21 Nov 2026, \d\d:\d\d$/ });
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('days are entered and shown day first, and one that is none is refused beside its box', async () => {
  const { sent: calls } = fakeServer({ ...lists, 'GET /api/audit': list });
  const reads = () => calls.filter(({ path }) => path === '/api/audit');
  const router = renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  await type('From', '31 2 2026');
  const from = await box('From');
  const words = document.getElementById(from.getAttribute('aria-describedby') ?? '');
  expect(words?.textContent).toBe('Error: Enter a valid date, such as 21-11-2026.');
  expect(reads()).toHaveLength(1);
  await type('From', '3/2/2026');
  await type('To', '4 feb 2026');
  await waitFor(() => expect(router.state.location.search).toEqual({ from: '2026-02-03', to: '2026-02-04' }));
  await waitFor(() => expect(reads().at(-1)?.query).toEqual({ from: '2026-02-03', to: '2026-02-04' }));
  expect((await box('From')).value).toBe('3 Feb 2026');
  expect((await box('To')).value).toBe('4 Feb 2026');
});

test('a filter that nothing matches says so', async () => {
  fakeServer({ ...lists, 'GET /api/audit': { rows: [], next: null, areas } satisfies OutputOf<typeof auditApi.list> });
  renderPage(<AuditPage />, '/school-erp/audit');
  expect(await screen.findByText('No entries match. Try removing a filter.')).toBeTruthy();
});

test('while the server is away the audit says so beside what was pressed, and goes on without a reload', async () => {
  const answers: Answers = { ...lists, 'GET /api/audit': list };
  fakeServer(answers);
  renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  Object.assign(answers, {
    'GET /api/audit': lineIsGone,
    'GET /api/audit/export': lineIsGone,
    'POST /api/audit/verify': lineIsGone,
  });
  const alerts = () => screen.getAllByRole('alert').filter(({ textContent }) => textContent?.includes(away));
  press('Verify log');
  await waitFor(() => expect(alerts()).toHaveLength(1), { timeout: 3000 });
  press('Export');
  await waitFor(() => expect(alerts()).toHaveLength(2), { timeout: 3000 });
  choose('Result', 'refused');
  await waitFor(() => expect(alerts()).toHaveLength(3), { timeout: 3000 });
  answers['GET /api/audit'] = list;
  press('Try again');
  await waitFor(() => expect(alerts()).toHaveLength(2));
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Result' }).value).toBe('refused');
});

test('W13 the check of the seals says in words that entries have no seal', async () => {
  fakeServer({
    ...lists,
    'GET /api/audit': list,
    'POST /api/audit/verify': {
      sealed: 41,
      brokenAt: 40,
      unsealed: 2,
      timeBackAt: 17,
      head: '0a1b2c3d',
    } satisfies OutputOf<typeof auditApi.verify>,
  });
  renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  press('Verify log');
  await waitFor(() =>
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      'Entry 40 was changed or deleted. ' +
        '2 entries can’t be verified: they were added outside the system, or the system no longer protects the log. ' +
        'Entry 17 has an earlier time than the entry before it. Tell your system administrator at once.',
    ),
  );
});

test('an entry says in words what was done by whom to which record, and leads to both', async () => {
  const { sent } = fakeServer({ ...lists, 'GET /api/audit': list });
  const router = renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  expect(screen.getByRole('cell', { name: 'Signed in' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Asha Patel' }).getAttribute('href')).toBe('/school-erp/staff/view-staff/5');
  press('Show all entries of Account: Asha Patel');
  await waitFor(() => expect(router.state.location.search).toEqual({ entity: 'sign_in_account', entityId: '3' }));
  await waitFor(() => expect(sent.at(-1)?.query).toEqual({ entity: 'sign_in_account', entityId: '3' }));
});

test('user, action and record are chosen from lists, and a period with one press', async () => {
  fakeServer({ ...lists, 'GET /api/audit': list });
  const router = renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  await screen.findByRole('option', { name: 'Asha Patel' });
  const asked = (search: object) => waitFor(() => expect(router.state.location.search).toMatchObject(search));
  choose('User', '5');
  await asked({ staffId: '5' });
  choose('Action', 'Signed in or out');
  await asked({ verb: 'Signed in or out' });
  choose('Record', 'Accounts');
  await asked({ area: 'Accounts' });
  press('Last 7 days');
  await waitFor(() =>
    expect(router.state.location.search).toEqual({
      staffId: '5',
      verb: 'Signed in or out',
      area: 'Accounts',
      from: today(6),
      to: today(),
    }),
  );
});

test('X21 the details stand in a row of their own as wide as the table, with words for what they name', async () => {
  fakeServer({ ...lists, 'GET /api/audit': list });
  renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  fireEvent.click(screen.getByRole('button', { name: /^Details of Signed in, / }));
  expect(screen.getByText('Method').closest('td')?.colSpan).toBe(6);
  expect(screen.getByText('Method').nextElementSibling?.textContent).toBe('Code by email');
});

test('what parents, the system and visitors did is one choice away, and a visitor is not called Nobody', async () => {
  const visitor = { ...entry, actor: 'Nobody', staffId: null, role: '' };
  fakeServer({
    ...lists,
    'GET /api/audit': { rows: [visitor], next: null, areas } satisfies OutputOf<typeof auditApi.list>,
  });
  const router = renderPage(<AuditPage />, '/school-erp/audit?staffId=5');
  await listed();
  expect(screen.getByRole('cell', { name: 'Not signed in' })).toBeTruthy();
  choose('Other user', 'Parent');
  await waitFor(() => expect(router.state.location.search).toEqual({ actor: 'Parent' }));
});

test('the button of the filters says how many are set, and all are removed with one press', async () => {
  fakeServer({ ...lists, 'GET /api/audit': list });
  const router = renderPage(<AuditPage />, '/school-erp/audit');
  await listed();
  choose('Action', 'Viewed');
  await screen.findByRole('button', { name: 'Filters: 1 set' });
  choose('Result', 'done');
  await screen.findByRole('button', { name: 'Filters: 2 set' });
  press('Clear filters');
  await screen.findByRole('button', { name: 'Filters' });
  expect(router.state.location.search).toEqual({});
});
