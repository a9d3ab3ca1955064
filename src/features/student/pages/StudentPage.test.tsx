import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { StudentHead } from '../contract/record.ts';
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
