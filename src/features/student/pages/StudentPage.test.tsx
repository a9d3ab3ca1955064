import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text, verbatim } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { StudentHead } from '../contract/record.ts';
import { CorrectEntry } from './CorrectEntry.tsx';
import { StudentRecord } from './StudentPage.tsx';

const head: StudentHead = {
  id: 7,
  mergedFrom: '',
  version: 1,
  name: 'Diya Shah',
  lastName: 'Shah',
  grNo: '1042',
  alert: '',
  alertLevel: '',
  status: 'Active',
  leftOn: '',
  branch: 'Main school',
  grade: 'Grade 3',
  section: 'Grade 3, B',
  rollNo: 12,
  classTeacher: 'Asha Trivedi',
  house: '',
  category: '',
  gradeId: 5,
  photo: '',
  cards: [],
  toVerify: '',
  may: { change: false, changePhoto: false, correctGr: false },
};

test('a child with a last day ahead reads "Leaves on …", and not "Active"', async () => {
  fakeServer({ 'GET /api/sign-in/me': { role: 'Staff', roles: ['Staff'], sets: [] } });
  renderPage(<StudentRecord head={{ ...head, leftOn: '2026-12-12' }} />);
  expect(await screen.findByText('Leaves on 12 Dec 2026')).toBeTruthy();
  expect(screen.queryByText('Active')).toBeNull();
});

test('a child without a last day reads "Active", and one who has left "Left"', async () => {
  fakeServer({ 'GET /api/sign-in/me': { role: 'Staff', roles: ['Staff'], sets: [] } });
  renderPage(<StudentRecord head={head} />);
  expect(await screen.findByText('Active')).toBeTruthy();
  renderPage(<StudentRecord head={{ ...head, status: 'Left', leftOn: '2026-05-12' }} />);
  expect(await screen.findByText('Left')).toBeTruthy();
});

test('an adult is one row with the ways to reach them and all acts in a menu, and empty parts are one line that opens them', async () => {
  const saved = {
    ...{ firstName: 'Komal', middleName: '', lastName: 'Shah', mobile: '5550001694', email: '', qualification: '' },
    ...{ occupation: '', organization: '', sectorId: null, specialtyId: null, jobProfile: '', staffId: null },
    ...{ isDeceased: false, relationId: 3, role: 'Parent', contactOrder: 1, mayCollect: true, receivesMessages: true },
    ...{ isBarred: false, restriction: '' },
  };
  const komal = { id: 9, version: 1, adultVersion: 1, name: 'Komal Shah', relation: 'Mother', work: 'Doctor', saved };
  fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', roles: ['Staff'], sets: [] },
    'GET /api/student/7/family': {
      guardians: [{ ...komal, worksHere: '', isPrimary: true, alsoOf: ['Aarav Shah'] }],
      localLanguage: 'Gujarati',
    },
    'GET /api/student/7/address': { version: 0, saved: {} },
  });
  const card = (key: string, title: string) => ({
    key,
    part: 'now' as const,
    order: 1,
    title: { id: title },
    isServed: false,
  });
  renderPage(
    <StudentRecord
      head={{
        ...head,
        may: { ...head.may, change: true },
        cards: [card('family', 'Family'), card('address', 'Address')],
      }}
    />,
  );
  const row = (await screen.findByText('Mother')).closest('li') as HTMLElement;
  expect(row.textContent).toContain('Call first · May collect · Receives messages · Doctor · Also of Aarav Shah');
  expect(within(row).getByRole('link', { name: 'Call Komal Shah' }).getAttribute('href')).toBe('tel:+915550001694');
  expect(within(row).getByRole('link', { name: 'WhatsApp to Komal Shah' }).getAttribute('href')).toBe(
    'https://wa.me/915550001694',
  );
  fireEvent.click(await within(row).findByRole('button', { name: 'More for Komal Shah' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Replace…' }));
  expect(await screen.findByRole('dialog', { name: 'Replace Komal Shah for this child' })).toBeTruthy();
  const show = await screen.findByRole('button', { name: 'Show' });
  expect(screen.queryByRole('heading', { name: 'Address' })).toBeNull();
  expect(show.parentElement?.textContent).toContain('Not recorded: Address');
  fireEvent.click(show);
  expect(screen.getByRole('heading', { name: 'Address' })).toBeTruthy();
});

test('what is to be done next is named with its page, and a child with nothing to do has no such card', async () => {
  const act = {
    title: verbatim('Aadhar Card'),
    about: text`to verify`,
    detail: text`Received on ${{ day: '24 Nov 2026' }}`,
    isLate: false,
    to: '/school-erp/student/student-list/7?part=papers',
  };
  const cards = [{ key: 'next', part: 'now' as const, order: 9, title: { id: 'Next' }, isServed: false }];
  const { sent } = fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', roles: ['Staff'], sets: [] },
    'GET /api/student/7/next': [act, { ...act, title: verbatim('Bus pass'), isLate: true }],
    'GET /api/student/8/next': [],
  });
  renderPage(<StudentRecord head={{ ...head, cards }} />);
  const card = await screen.findByRole('region', { name: 'Next' });
  expect(within(card).getByRole('link', { name: 'Aadhar Card' }).getAttribute('href')).toBe(act.to);
  expect(within(card).getAllByText('Overdue')).toHaveLength(1);
  cleanup();
  renderPage(<StudentRecord head={{ ...head, id: 8, cards }} />);
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/api/student/8/next'));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Next' })).toBeNull());
});

test('All certificates of a record’s menu are those of this child', async () => {
  fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', roles: ['Staff'], sets: ['office'] },
    'GET /api/student/7/today': [],
  });
  renderPage(<StudentRecord head={head} />);
  fireEvent.click(await screen.findByRole('button', { name: 'More for Diya Shah' }));
  const all = await screen.findByRole('menuitem', { name: 'All certificates' });
  expect(all.getAttribute('href')).toBe('/school-erp/student/student-list/7?part=papers');
});

test('a needed field of a correction is not called optional', async () => {
  fakeServer({
    'GET /api/student/7/correction': {
      corrections: [],
      closedOn: '2025-07-02',
      openUntil: '',
      needsSecond: false,
      touches: [],
    },
  });
  renderPage(<CorrectEntry head={head} onClose={() => undefined} />);
  const birth = await screen.findByRole('textbox', { name: /^Birth date/ });
  const nameOf = (box: HTMLElement) => box.closest('.question')?.querySelector('label')?.textContent;
  expect(nameOf(birth)).toBe('Birth date');
  fireEvent.click(screen.getByRole('radio', { name: 'By order' }));
  const labels = await Promise.all(
    ['Authority', 'Order number', 'Order of'].map(async (name) =>
      nameOf(await screen.findByRole('textbox', { name: new RegExp(`^${name}`) })),
    ),
  );
  expect(labels).toEqual(['Authority', 'Order number', 'Order of']);
  fireEvent.change(screen.getByRole('combobox', { name: /^Entry/ }), { target: { value: 'birthPlace' } });
  expect(nameOf(await screen.findByRole('textbox', { name: /^Birth place/ }))).toBe('Birth place (optional)');
});

test('a document that waits is the next act of the record: its file, the decision, and the second press sends nothing', async () => {
  const waiting = {
    ...{ id: 31, version: 4, type: 'Aadhar Card', issuedOn: '', expiresOn: '', daysLeft: null, isExpiring: false },
    ...{ status: 'Waiting', decidedBy: '', remark: '', addedAt: '2026-11-24T05:00:00Z' },
  };
  const server = fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', roles: ['Staff'], sets: ['office'] },
    'GET /api/student/7/document': { documents: [waiting], types: [], missing: [] },
    'POST /api/student/7/document/31/decide': {},
  });
  const keeper = { ...head, toVerify: 'Aadhar Card', may: { ...head.may, change: true } };
  renderPage(<StudentRecord head={keeper} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Verify Aadhar Card…' }));
  const view = await screen.findByRole('link', { name: 'View Aadhar Card, opens in a new tab' });
  expect(view.getAttribute('href')).toBe('/api/student/7/document/31/file');
  const verify = screen.getByRole('button', { name: 'Verify' });
  fireEvent.click(verify);
  fireEvent.click(verify);
  await waitFor(() => expect(screen.queryByRole('link', { name: /^View Aadhar Card/ })).toBeNull());
  expect(server.sent.filter(({ path }) => path.endsWith('/decide')).map(({ fields }) => fields)).toEqual([
    { version: 4, isVerified: true, remark: '' },
  ]);
});
