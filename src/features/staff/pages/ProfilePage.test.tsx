import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OwnAccount } from '#features/account/contract/own-account.ts';
import { account } from '#features/account/pages/feature.tsx';
import { Added } from '#kit/browser/record/added.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { staleMessage } from '#kit/contract/errors.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { personFields, type StaffPerson, type StaffRecord, type staffRecordApi } from '../contract/record.ts';
import { ProfilePage } from './ProfilePage.tsx';

const page = (
  <Added value={account}>
    <ProfilePage />
  </Added>
);

const person: StaffPerson = {
  ...(emptyValuesOf(personFields) as StaffPerson),
  name: 'Asha Trivedi',
  employeeNumber: 'EMP0003',
  mobile: '9876543210',
  email: 'asha@school.example',
  gender: 'Female',
  birthDate: '1988-03-12',
  address: '12 Ring Road',
  aadhaarLast4: '1234',
};
const record: StaffRecord = {
  id: 3,
  version: 5,
  card: {
    name: 'Asha Trivedi',
    picture: '',
    designation: 'Teacher',
    department: 'Languages',
    email: 'asha@school.example',
  },
  isOwn: false,
  may: { update: true, keepAccount: false, remove: false },
  status: 'Active',
  lastDay: '',
  person,
};
const own: OwnAccount = {
  userName: 'trivedi.a',
  roles: ['Staff'],
  sets: ['hr'],
  hasPassword: false,
  needsPassword: false,
};
const first = {
  id: 1,
  from: '2020-06-01',
  until: '',
  designation: 'Teacher',
  department: 'Languages',
  branch: 'Main school',
  staffCategory: 'Teacher',
  employmentType: '',
  reportsTo: { id: 9, name: 'Ravi Solanki' },
  values: {
    designationId: 1,
    departmentId: 2,
    branchId: 3,
    staffCategoryId: 4,
    employmentTypeId: null,
    reportsToId: 9,
  },
};
const employment: OutputOf<typeof staffRecordApi.employment> = {
  posts: [
    { ...first, id: 2, from: '2090-06-01', designation: 'Principal' },
    { ...first, until: '2090-05-31' },
  ],
  spells: [
    {
      id: 1,
      joinedOn: '2020-06-01',
      lastDay: '',
      probationEndsOn: '',
      confirmedOn: '',
      separationReason: '',
      remark: '',
    },
  ],
};
const names = (...all: string[]) => all.map((name, index) => ({ id: index + 1, name, isActive: true }));

/** The page at an address, for a reader to whom the server shows this record. */
function open(over: Partial<StaffRecord>, { answers = {}, address }: { answers?: Answers; address?: string } = {}) {
  const server = fakeServer({
    'GET /api/staff/:id/record': { ...record, ...over },
    'GET /api/staff/:id/employment': employment,
    'GET /api/staff/:id/history': { rows: [], next: null },
    'GET /api/staff/own-account': own,
    'GET /api/sign-in/session': [],
    'GET /api/academic/designation/option': names('Teacher', 'Principal'),
    'GET /api/academic/department/option': names('Office', 'Languages'),
    'GET /api/academic/branch/option': names('A', 'B', 'Main school'),
    'GET /api/hris/staff-category/option': names('A', 'B', 'C', 'Teacher'),
    'GET /api/hris/employment-type/option': [],
    'GET /api/staff/option': [{ id: 9, name: 'Ravi Solanki', isActive: true }],
    ...answers,
  });
  renderPage(page, address);
  return server;
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const tabs = () =>
  within(screen.getByRole('navigation'))
    .getAllByRole('link')
    .map((link) => link.textContent);

test('a colleague sees the card: designation, department and email address, and no tabs', async () => {
  open({ may: { update: false, keepAccount: false, remove: false }, person: null, status: null });
  expect(await screen.findByRole('heading', { level: 1, name: 'Asha Trivedi' })).toBeTruthy();
  expect(screen.getByText('Email address').nextElementSibling?.textContent).toContain('asha@school.example');
  expect(screen.getAllByText('Languages')).toHaveLength(1);
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByText('Active')).toBeNull();
});

test('a keeper sees the personal data, the status, and the parts of the record', async () => {
  open({ status: 'Left', lastDay: '2026-06-30' });
  expect(await screen.findByText('12 Ring Road')).toBeTruthy();
  expect(screen.getByText('12 Mar 1988')).toBeTruthy();
  expect(screen.getByText('Left')).toBeTruthy();
  expect(screen.getByText('Last day: 30 Jun 2026')).toBeTruthy();
  expect(tabs()).toEqual(['Profile', 'Employment', 'Education and documents', 'History']);
  expect(screen.queryByRole('link', { name: /Edit username/ })).toBeNull();
});

test('a keeper sets and removes the picture of a person', async () => {
  const picture = '/api/staff/picture/1';
  const server = open(
    { card: { ...record.card, picture } },
    { answers: { 'DELETE /api/staff/:id/picture': {}, 'POST /api/staff/:id/picture': { picture } } },
  );
  await press('Picture of Asha Trivedi');
  fireEvent.change(await screen.findByLabelText(/^Choose another file/), {
    target: {
      files: [new File([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])], 'asha.png', { type: 'image/png' })],
    },
  });
  await screen.findByText('asha.png');
  await press('Save');
  await screen.findByText('Saved.');
  await press('Picture of Asha Trivedi');
  await press('Remove picture');
  fireEvent.click(
    within(screen.getByRole('dialog', { name: 'Remove picture' })).getByRole('button', { name: 'Remove' }),
  );
  expect(await screen.findByText('Removed.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const acts = server.sent.filter(({ method }) => method !== 'GET');
  expect(acts.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/staff/3/picture',
    'DELETE /api/staff/3/picture',
  ]);
});

test('one’s own page has what they may do, and says whom to ask about the rest', async () => {
  open({ isOwn: true, may: { update: false, keepAccount: false, remove: false } });
  expect(await screen.findByText('To correct these details, ask an Admin.')).toBeTruthy();
  expect(await screen.findByText('trivedi.a')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Edit email address' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Picture of Asha Trivedi' })).toBeTruthy();
  expect(tabs()).toEqual(['Profile', 'Employment', 'Education and documents']);
  expect(screen.queryByRole('link', { name: /Edit username/ })).toBeNull();
});

test('the user’s own data comes as a PDF', async () => {
  const server = open({ isOwn: true }, { answers: { 'GET /api/staff/own-data': new Response('%PDF') } });
  await press('Download my data');
  await waitFor(() => expect(server.sent.some(({ path }) => path === '/api/staff/own-data')).toBe(true));
});

test('a keeper prints the ID card of a person', async () => {
  const server = open({}, { answers: { 'POST /api/staff/id-card': new Response('%PDF') } });
  await press('ID card');
  await waitFor(() => expect(server.sent.at(-1)).toMatchObject({ path: '/api/staff/id-card', fields: { ids: [3] } }));
});

test('a person who has left gets no ID card', async () => {
  open({ status: 'Left', lastDay: '2026-06-30' });
  expect(await screen.findByText('12 Ring Road')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'ID card' })).toBeNull();
});

test('a keeper edits the person, and the form sends the version that it has read', async () => {
  const server = open({}, { answers: { 'PUT /api/staff/:id': { id: 3, version: 6 } } });
  await press('Edit Asha Trivedi');
  type(/^Address/, '14 Ring Road');
  await press('Save');
  expect(await screen.findByText('Saved.')).toBeTruthy();
  const { fields } = server.sent.find(({ method }) => method === 'PUT') ?? {};
  expect(fields).toEqual({ ...person, version: 5, address: '14 Ring Road' });
});

test('a mobile number in use is refused at the field', async () => {
  const taken = refusal('invalid', 'There is a problem', {
    fields: { mobile: 'Already in use. Enter a different one.' },
  });
  open({}, { answers: { 'PUT /api/staff/:id': taken } });
  await press('Edit Asha Trivedi');
  type(/^Mobile number/, '9000000000');
  await press('Save');
  await waitFor(() => expect(screen.getByLabelText(/^Mobile number/).getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText('Already in use. Enter a different one.')).toBeTruthy();
});

test('a keeper who saves second chooses between both versions, and nothing typed is lost', async () => {
  const saved = { ...person, address: '99 Station Road' };
  const stale = refusal('stale', staleMessage, { data: { version: 6, saved } });
  const server = open({}, { answers: { 'PUT /api/staff/:id': stale } });
  await press('Edit Asha Trivedi');
  type(/^Address/, '14 Ring Road');
  await press('Save');
  const versions = await screen.findByRole('table');
  expect(within(versions).getByRole('row', { name: 'Address 99 Station Road 14 Ring Road' })).toBeTruthy();

  server.answers['PUT /api/staff/:id'] = { id: 3, version: 7 };
  await press('Keep my version');
  await press('Save');
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(server.sent.findLast(({ method }) => method === 'PUT')?.fields).toMatchObject({
    version: 6,
    address: '14 Ring Road',
  });
});

test('a keeper who saves their own record second keeps the email that they proved meanwhile', async () => {
  const saved = { ...person, email: 'proved@sunrise.example', address: '99 Station Road' };
  const stale = refusal('stale', staleMessage, { data: { version: 6, saved } });
  const server = open({ isOwn: true }, { answers: { 'PUT /api/staff/:id': stale } });
  await press('Edit Asha Trivedi');
  type(/^Address/, '14 Ring Road');
  await press('Save');
  expect(await screen.findByRole('row', { name: 'Address 99 Station Road 14 Ring Road' })).toBeTruthy();
  expect(screen.queryByRole('row', { name: /^Email/ })).toBeNull();

  server.answers['PUT /api/staff/:id'] = { id: 3, version: 7 };
  await press('Keep my version');
  await press('Save');
  expect(await screen.findByText('Saved.')).toBeTruthy();
  expect(server.sent.findLast(({ method }) => method === 'PUT')?.fields).toMatchObject({
    version: 6,
    email: 'proved@sunrise.example',
    address: '14 Ring Road',
  });
});

test('a keeper’s own email and mobile stand beside the code that changes them, not in the form', async () => {
  const server = open({ isOwn: true }, { answers: { 'PUT /api/staff/:id': { id: 3, version: 6 } } });
  await press('Edit Asha Trivedi');
  const form = screen.getByRole('dialog', { name: 'Edit Asha Trivedi' });
  expect(within(form).queryByLabelText(/^Mobile number/)).toBeNull();
  type(/^Address/, '14 Ring Road');
  await press('Save');
  await screen.findByText('Saved.');
  expect(server.sent.find(({ method }) => method === 'PUT')?.fields).toMatchObject({ mobile: person.mobile });
});

test('the employment has the post of today with its manager, every post, and the joining date', async () => {
  open({}, { address: '/page?part=employment' });
  const [post, all] = await screen.findAllByRole('heading', { level: 2 });
  expect([post?.textContent, all?.textContent]).toEqual(['Post', 'All posts']);
  const link = await screen.findByRole('link', { name: 'Ravi Solanki' });
  expect(link.getAttribute('href')).toBe('/school-erp/staff/view-staff/9');
  const posts = screen.getByRole('table', { name: 'All posts' });
  expect(
    within(posts)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual([
    'DesignationDepartmentBranchPeriod',
    'PrincipalLanguagesMain schoolFrom 1 Jun 2090',
    'TeacherLanguagesMain school1 Jun 2020 to 31 May 2090',
  ]);
  expect(within(screen.getByRole('table', { name: 'Employment' })).getByText('From 1 Jun 2020')).toBeTruthy();
});

test('“Change post…” starts from the post of today, and shows a reporting loop at its field', async () => {
  const loop = text`Choose a person who does not report to this staff member.`;
  const refused = refusal('invalid', 'There is a problem', { fields: { reportsToId: loop } });
  const server = open({}, { address: '/page?part=employment', answers: { 'POST /api/staff/:id/post': refused } });
  await press('Change post…');
  await waitFor(() => expect((screen.getByLabelText('Designation') as HTMLSelectElement).value).toBe('1'));
  fireEvent.change(screen.getByLabelText('Designation'), { target: { value: '2' } });
  await press('Save');
  expect(await screen.findByText(loop.id)).toBeTruthy();
  expect(server.sent.find(({ method }) => method === 'POST')?.fields).toMatchObject({
    version: 5,
    designationId: '2',
    departmentId: '2',
    branchId: '3',
    reportsToId: '9',
  });
});

test('of two keepers the second is told that the post has changed meanwhile', async () => {
  open(
    {},
    { address: '/page?part=employment', answers: { 'POST /api/staff/:id/post': refusal('stale', staleMessage) } },
  );
  await press('Change post…');
  await waitFor(() => expect((screen.getByLabelText('Designation') as HTMLSelectElement).value).toBe('1'));
  await press('Save');
  expect(await screen.findByText(staleMessage.id)).toBeTruthy();
});

test('the person reads their employment, and has no button to change it', async () => {
  open(
    { isOwn: true, may: { update: false, keepAccount: false, remove: false } },
    { address: '/page?part=employment' },
  );
  expect(await screen.findByRole('table', { name: 'All posts' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change post…' })).toBeNull();
});

test('a keeper reads the history of the record', async () => {
  const entry = {
    id: 1,
    at: '2026-11-21T05:12:00.000Z',
    actor: 'Hema',
    action: 'changed',
    act: text`Changed the staff record`,
    details: { Address: '12 Ring Road → 14 Ring Road' },
  };
  open({}, { address: '/page?part=history', answers: { 'GET /api/staff/:id/history': { rows: [entry], next: null } } });
  expect(await screen.findByText('Changed the staff record')).toBeTruthy();
  expect(screen.getByText('12 Ring Road → 14 Ring Road')).toBeTruthy();
});

test('a part that cannot be read leaves the rest of the page', async () => {
  open(
    { isOwn: true, may: { update: false, keepAccount: false, remove: false } },
    { answers: { 'GET /api/sign-in/session': undefined } },
  );
  expect(await screen.findByRole('button', { name: 'Try again' }, { timeout: 20_000 })).toBeTruthy();
  expect(screen.getByText('12 Ring Road')).toBeTruthy();
});
