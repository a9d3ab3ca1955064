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
const nothing: OutputOf<typeof dashboardApi.todo> = { hasFailed: false, total: 0, isMore: false, rows: [], more: [] };
const answers = (cards: DashboardCard[], todo = nothing): Answers => ({
  'GET /api/dashboard': { warnings: [], year: '2026-27', cards } satisfies OutputOf<typeof dashboardApi.read>,
  'GET /api/dashboard/todo': todo,
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
  expect(sent.map(({ path }) => path).sort()).toEqual(['/api/dashboard', '/api/dashboard/todo']);
});

test('P1.6 what there is to do comes by urgency, with its name, one press to act, and what is left of each kind', async () => {
  const row = { kind: 'call-late', about: 'LKG', mobile: '5550001070', to: 'admission/inquiry/7', act: text`Call` };
  fakeServer(
    answers([], {
      hasFailed: false,
      total: 14,
      isMore: false,
      rows: [
        { ...row, id: 7, when: 'late', title: 'Nitya Kothari', detail: text`Today` },
        { ...row, id: 8, when: 'today', title: 'Avni Vekariya', detail: text`Today` },
      ],
      more: [{ title: text`Calls overdue`, count: 12, isMore: false, to: 'admission/inquiry?tab=overdue' }],
    }),
  );
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const card = await screen.findByRole('region', { name: 'To do today' });
  expect(await within(card).findByRole('heading', { name: 'Late 1' })).toBeTruthy();
  const act = within(card).getByRole('link', { name: 'Call: Nitya Kothari' });
  expect(act.getAttribute('href')).toBe('/school-erp/admission/inquiry/7');
  expect(within(card).getAllByRole('link', { name: '5550001070' })[0]?.getAttribute('href')).toBe('tel:5550001070');
  const more = within(card).getByRole('link', { name: '12 more: Calls overdue' });
  expect(more.getAttribute('href')).toBe('/school-erp/admission/inquiry?tab=overdue');
});

test('P1.2 a card that could not be read says so, and the others stand', async () => {
  fakeServer(answers([{ title: text`Accounts`, figures: [], hasFailed: true }, teachers]));
  renderPage(<DashboardPage me={{ ...me, role: 'Staff' }} />);
  const card = await screen.findByRole('region', { name: 'Accounts' });
  expect(within(card).getByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Teachers' })).toBeTruthy();
});
