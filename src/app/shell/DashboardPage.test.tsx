import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { DashboardPage } from './DashboardPage.tsx';

const me = {
  userID: 3,
  staffID: 3,
  name: 'Asha Patel',
  picture: '',
  sets: [],
  userName: '',
  email: '',
  mobile: '',
} as const satisfies Omit<Me, 'role'>;

test('an Admin is told on the dashboard which teachers are missing', async () => {
  fakeServer({
    'GET /api/academic/year-list': [{ id: 1, name: '2026-27', status: 'Current' }],
    'GET /api/dashboard/warnings': [],
    'GET /api/academic/section-teacher/gap-count': { leaders: 2, subjects: 1 },
  });
  renderPage(<DashboardPage me={{ ...me, sets: [], role: 'Admin' }} />);
  const card = await screen.findByRole('region', { name: 'Missing teachers' });
  expect(card.textContent).toContain('Sections without a class teacher: 2 · subjects without a teacher: 1');
});

test('who is no Admin is not told which teachers are missing, nor is it asked for', async () => {
  const { sent: calls } = fakeServer({});
  renderPage(<DashboardPage me={{ ...me, sets: [], role: 'Staff' }} />);
  expect(await screen.findByText(/^Welcome, Asha Patel\./)).toBeTruthy();
  expect(calls).toEqual([]);
});
