import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Me, signInApi } from '#features/sign-in/contract/sign-in.ts';
import { queryClient } from '#kit/browser/data/read.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { staffList } from '../contract/list.ts';
import { StaffListPage } from './StaffListPage.tsx';

type Person = OutputOf<typeof staffList.api.list>['rows'][number];
const ravi: Person = {
  id: 7,
  name: 'Ravi Solanki',
  employeeNumber: 'E-007',
  designation: 'Teacher',
  department: 'Science',
  employmentType: 'Permanent',
  gender: '',
  birthDate: '',
  staffCategory: 'Teaching',
  branch: 'Katargam',
  mobile: '9824012345',
  email: 'ravi@school.example',
  joinedOn: '2024-06-01',
  sections: ['Grade 5, A'],
  documentsDue: 2,
  signIn: 'Never signed in',
  status: 'Active',
  picture: '',
  away: '',
};
const admin: Me = {
  userID: 1,
  role: 'Admin',
  name: 'Asha Trivedi',
  picture: '',
  sets: [],
  userName: 'admin',
  email: '',
  mobile: '',
};
const named = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name, isActive: true }));

function openList(me: Partial<Me> = {}, rows: Person[] = [ravi], more: Answers = {}) {
  const total = { total: rows.length, isMore: false };
  const server = fakeServer({
    'GET /api/sign-in/me': { ...admin, ...me },
    'GET /api/staff': { rows, next: null, previous: null, ...total },
    'GET /api/staff/count': { active: total, joining: total, due: total, left: total, all: total },
    'GET /api/staff/view': [],
    'GET /api/academic/designation/option': named('Teacher', 'Clerk'),
    'GET /api/academic/department/option': named('Science'),
    'GET /api/academic/branch/option': named('Katargam', 'Varachha'),
    'GET /api/hris/staff-category/option': named('Teaching'),
    'GET /api/hris/employment-type/option': named('Permanent'),
    ...more,
  });
  return { ...server, router: renderPage(<StaffListPage />) };
}

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name });
const press = async (name: string) => fireEvent.click(await button(name));

test('the staff list shows what each person does and how they sign in, and leads to their page', async () => {
  openList();
  const link = await screen.findByRole('link', { name: 'Ravi Solanki' });
  expect(link.getAttribute('href')).toBe('/school-erp/staff/view-staff/7');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '',
    'Name',
    'Number',
    'Designation',
    'Department',
    'Mobile',
    'Joined',
    'Account',
    'Status',
  ]);
  expect(
    within(screen.getAllByRole('row')[1] as HTMLElement)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '',
    'RSRavi Solanki',
    'E-007',
    'Teacher',
    'Science',
    '9824012345',
    '1 Jun 2024',
    'Never signed in',
    'Active',
  ]);
  expect(screen.getByRole('heading', { name: 'Staff List' })).toBeTruthy();
});

test.each<[string, Partial<Me>, boolean]>([
  ['an Admin', {}, true],
  ['HR', { role: 'Staff', sets: ['hr'] }, true],
  ['the office', { role: 'Staff', sets: ['office'] }, false],
])('of those who read the list, %s adds people or not', async (_, me, mayAdd) => {
  openList(me);
  await screen.findByRole('link', { name: 'Ravi Solanki' });
  await waitFor(() => expect(queryClient.getQueryData([signInApi.me.path, {}])).toBeTruthy());
  if (mayAdd) expect(await button('Add staff member')).toBeTruthy();
  else expect(screen.queryByRole('button', { name: 'Add staff member' })).toBeNull();
});

test.each<[string, Partial<Me>, boolean]>([
  ['HR', { role: 'Staff', sets: ['hr'] }, true],
  ['the principal', { role: 'Staff', sets: ['principal'] }, false],
])('of those who read the list, %s prints ID cards of the selected people or not', async (_, me, mayPrint) => {
  const { sent } = openList(me, [ravi, { ...ravi, id: 8, name: 'Nita Shah' }], { 'POST /api/staff/id-card': {} });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Nita Shah' }));
  await waitFor(() => expect(queryClient.getQueryData([signInApi.me.path, {}])).toBeTruthy());
  if (!mayPrint) return expect(screen.queryByRole('button', { name: 'ID cards' })).toBeNull();
  await press('ID cards');
  await waitFor(() =>
    expect(sent.at(-1)).toMatchObject({ path: '/api/staff/id-card', fields: { ids: [8], isAll: false, query: {} } }),
  );
});

test.each<[string, Partial<Me>, boolean]>([
  ['HR', { role: 'Staff', sets: ['hr'] }, true],
  ['the office', { role: 'Staff', sets: ['office'] }, false],
])('what is due of documents has a tab and a column for %s or not', async (_, me, isKept) => {
  openList(me);
  await screen.findByRole('link', { name: 'Ravi Solanki' });
  await waitFor(() => expect(queryClient.getQueryData([signInApi.me.path, {}])).toBeTruthy());
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Documents due/ }) !== null).toBe(isKept));
  await press('More');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Columns…' }));
  await screen.findByRole('checkbox', { name: 'Sections' });
  expect(screen.queryByRole('checkbox', { name: 'Documents due' }) !== null).toBe(isKept);
});

test('only an Admin is asked whether a view is shared', async () => {
  openList({ role: 'Staff', sets: ['hr'] });
  await button('Add staff member');
  await press('Views');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save this view…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save this view' });
  expect(within(dialog).queryByRole('checkbox')).toBeNull();
});

test('a school without staff is offered to add the first one', async () => {
  openList({}, []);
  expect(await screen.findByText('Add your first staff member or import the list.')).toBeTruthy();
  const [, inList] = await screen.findAllByRole('button', { name: 'Add staff member' });
  fireEvent.click(inList as HTMLElement);
  expect(await screen.findByRole('dialog', { name: 'Add staff member' })).toBeTruthy();
});

/** A label may say that the field is optional. */
const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) });
const write = async (name: string, value: string) => fireEvent.change(await box(name), { target: { value } });
async function pick(name: string, option: string) {
  await screen.findByRole('option', { name: option });
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name });
  const { value } = [...select.options].find(({ text: words }) => words === option) ?? { value: '' };
  fireEvent.change(select, { target: { value } });
}

test('several people are added one after the other: what they have in common stays, and each is named', async () => {
  const { sent } = openList({}, [ravi], { 'POST /api/staff': { id: 9, version: 1 } });
  await press('Add staff member');
  expect(document.activeElement).toBe(await box('Name'));
  await write('Name', 'Nita Shah');
  await write('Mobile number', '9824054321');
  await write('Joining date', '1-6-2026');
  await pick('Designation', 'Clerk');
  await pick('Department', 'Science');
  await pick('Branch', 'Varachha');
  await press('Save and add another');
  expect(await screen.findByText('Nita Shah was added. Enter the next one.')).toBeTruthy();
  await waitFor(async () => expect(document.activeElement).toBe(await box('Name')));
  expect([(await box('Name')).value, (await box('Mobile number')).value]).toEqual(['', '']);
  await write('Name', 'Jay Rana');
  await write('Email address', 'jay@school.example');
  await press('Add');
  expect(await screen.findByText('Jay Rana was added.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const common = { joinedOn: '2026-06-01', designationId: '2', departmentId: '1', branchId: '2' };
  expect(sent.filter(({ method }) => method === 'POST').map(({ fields }) => fields)).toMatchObject([
    { name: 'Nita Shah', mobile: '9824054321', email: '', ...common },
    { name: 'Jay Rana', mobile: '', email: 'jay@school.example', ...common },
  ]);
});

test('the message that a person was added opens their record', async () => {
  const { router } = openList({}, [ravi], { 'POST /api/staff': { id: 9, version: 1 } });
  await press('Add staff member');
  await write('Name', 'Nita Shah');
  await write('Mobile number', '9824054321');
  await write('Joining date', '1-6-2026');
  await pick('Designation', 'Clerk');
  await pick('Department', 'Science');
  await pick('Branch', 'Varachha');
  await press('Add');
  await press('Open');
  await waitFor(() => expect(router.state.location.pathname).toBe('/school-erp/staff/view-staff/9'));
});

test('a refused person stays in the form with the reason beside the field', async () => {
  const taken = text`This mobile number is already in use.`;
  openList({}, [ravi], { 'POST /api/staff': refusal('invalid', 'Check the form.', { fields: { mobile: taken } }) });
  await press('Add staff member');
  await write('Name', 'Nita Shah');
  await write('Mobile number', '9824012345');
  await write('Joining date', '1-6-2026');
  await pick('Designation', 'Clerk');
  await pick('Department', 'Science');
  await pick('Branch', 'Varachha');
  await press('Save and add another');
  expect(await screen.findByText('This mobile number is already in use.')).toBeTruthy();
  expect((await box('Name')).value).toBe('Nita Shah');
  expect(screen.queryByText(/was added/)).toBeNull();
});

test('a new person with the contact of a colleague who has left is re-joined instead, with the post that was entered', async () => {
  const { sent } = openList({}, [ravi], {
    'POST /api/staff': refusal('invalid', 'There is a problem', {
      fields: { mobile: text`Jaya Left (J-1) left on 31 Mar 2020 and has this. Re-join them instead.` },
      data: { left: { id: 12, name: 'Jaya Left' } },
    }),
    'POST /api/staff/12/rejoin': {},
    'GET /api/staff/option': [],
  });
  await press('Add staff member');
  await write('Name', 'Jaya Left');
  await write('Mobile number', '9824012345');
  await write('Joining date', '1-6-2026');
  await pick('Designation', 'Clerk');
  await pick('Department', 'Science');
  await pick('Branch', 'Varachha');
  await press('Add');
  await press('Re-join Jaya Left…');
  const dialog = await screen.findByRole('dialog', { name: 'Re-join Jaya Left' });
  await within(dialog).findByRole('option', { name: 'Clerk' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Re-join' }));
  expect(await screen.findByText('Jaya Left has re-joined.')).toBeTruthy();
  const post = { joinedOn: '2026-06-01', designationId: '2', departmentId: '1', branchId: '2' };
  expect(sent.at(-1)?.path).not.toBe('/api/staff');
  expect(sent.find(({ path }) => path === '/api/staff/12/rejoin')?.fields).toMatchObject(post);
});

test('a person without mobile number and email address is refused before anything is sent', async () => {
  const { sent } = openList();
  await press('Add staff member');
  await write('Name', 'Nita Shah');
  await press('Add');
  expect(await screen.findByText('Enter a mobile number or an email address.')).toBeTruthy();
  expect(sent.some(({ method }) => method === 'POST')).toBe(false);
});
