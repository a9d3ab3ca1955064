import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { text } from '#kit/contract/text.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { DashboardCard, dashboardApi } from '../contract.ts';
import { DashboardPage } from './DashboardPage.tsx';

const me = {
  userID: 3,
  name: 'Asha Patel',
  picture: '',
  sets: [],
  userName: '',
  email: '',
  mobile: '',
} as const satisfies Omit<Me, 'role'>;
const teachers: DashboardCard = {
  title: text`Teachers`,
  figures: [
    {
      label: text`Sections without a class teacher`,
      value: 1200,
      isProblem: true,
      to: 'academic/section-teacher-mapping?show=gaps',
    },
    { label: text`Subjects without a teacher`, value: 0, isProblem: true },
  ],
};
const answers = (cards: DashboardCard[]): Answers => ({
  'GET /api/dashboard': { warnings: [], year: '2026-27', cards } satisfies OutputOf<typeof dashboardApi.read>,
});

test('a card shows each figure with its name, and leads to the page that lists what is counted', async () => {
  fakeServer({
    ...answers([teachers]),
    'GET /api/academic/checklist': {},
  });
  renderPage(<DashboardPage me={{ ...me, role: 'Admin' }} />);
  const card = await screen.findByRole('region', { name: 'Teachers' });
  const link = within(card).getByRole('link', { name: 'Sections without a class teacher' });
  expect(link.getAttribute('href')).toBe('/school-erp/academic/section-teacher-mapping?show=gaps');
  expect(within(card).getByText('1,200')).toBeTruthy();
  expect(screen.getByText(/Academic year 2026-27$/)).toBeTruthy();
});

test('Staff without permissions read whom to ask, and nothing that is the Admins’ is asked for', async () => {
  const { sent } = fakeServer(answers([]));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  expect(await screen.findByText(/^You have no pages here yet\. Ask an Admin/)).toBeTruthy();
  expect(sent.map(({ path }) => path)).toEqual(['/api/dashboard']);
});
