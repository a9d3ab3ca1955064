import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FamilyPageData } from '#features/family/contract/family.ts';
import { FamilyPage } from '#features/family/pages/FamilyPage.tsx';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { familyParts } from './family-parts.ts';

const marks = (studentId: number, ...given: [day: string, kind: string][]) =>
  given.map(([day, kind]) => ({ studentId, day: `2026-11-${day}`, kind, half: 1, symbol: '' }));
const notice = {
  id: 3,
  number: 1,
  title: 'Sports day',
  body: [],
  category: 'Events',
  priority: 'Normal',
  publishedOn: '2026-11-20',
  isEdited: false,
  isRead: false,
  asks: 'Acknowledgement',
  options: [],
  toAnswer: [],
  answers: [],
  isAsked: true,
  isOpen: true,
  acknowledgeBy: '',
  isAcknowledged: false,
  children: [7],
  files: [],
};
const page: FamilyPageData = {
  guardian: 'Meera Shah',
  day: '2026-11-26',
  at: '2026-11-26T09:14:00+05:30',
  language: '',
  until: '2027-05-24',
  proof: { isProven: false, way: 'SMS', to: '43' },
  children: [
    { id: 7, name: 'Aarav', section: '5, B', reach: 'All' },
    { id: 9, name: 'Diya', section: '2, A', reach: 'All' },
  ],
  parts: {
    announcement: [notice],
    homework: [],
    attendance: [
      ...marks(7, ['16', 'Absent'], ['20', 'Late'], ['25', 'Present'], ['26', 'Present'], ['27', '']),
      ...marks(9, ['26', 'Leave']),
    ],
    'fee-money': [
      {
        studentId: 7,
        today: 902_000,
        rows: [{ label: 'Tuition, November', dueOn: '2026-11-10', isFine: false, amount: 902_000 }],
      },
    ],
    transport: [
      {
        studentId: 7,
        route: 'Route 7',
        ways: [{ trip: 'pickup', time: '07:12', stop: 'Honey Park', vehicle: 'GJ 05 BX 4417' }],
      },
      { studentId: 9, route: 'Route 7', ways: [] },
    ],
  },
};
const show = (over: Partial<FamilyPageData> = {}) => {
  fakeServer({ 'GET /api/family': { ...page, ...over }, 'POST /api/family/opened': {} });
  renderPage(<FamilyPage parts={familyParts} />);
};

beforeEach(() => window.history.replaceState(null, '', `/family?family=${'ab'.repeat(16)}`));

test('what waits for the guardian stands above the children, then fees, notices, homework, month and bus of each', async () => {
  show();
  await screen.findByText('Aarav is at school');
  const heads = screen.getAllByRole('heading', { level: 2 }).map(({ firstChild }) => firstChild?.textContent);
  expect(heads).toEqual([
    'Needs you',
    ...['Fees', 'Announcements', 'Homework', 'November', 'Bus'],
    ...['Announcements', 'Homework', 'November', 'Bus'],
    'Ask for leave',
  ]);
});

test('the page says of each child whether it is at school, and marks, fees and bus in words', async () => {
  show();
  expect(await screen.findByText('Aarav is at school')).toBeTruthy();
  expect(screen.getByText('Diya is on leave today')).toBeTruthy();
  const [month] = screen.getAllByRole('table');
  expect(within(month as HTMLElement).getByText('16').textContent ?? '').toContain('16');
  const cellOf = (day: string) =>
    within(month as HTMLElement)
      .getAllByRole('cell')
      .find(({ textContent }) => textContent?.startsWith(day))?.textContent;
  // No register of a later day is missing.
  expect([cellOf('27'), cellOf('26'), cellOf('28')]).toEqual(['27', '26 Present', '28 No school']);
  expect(screen.getByText('Mon 16')).toBeTruthy();
  expect(screen.getByText('Fri 20')).toBeTruthy();
  expect(screen.getByText(/07:12 Honey Park/)).toBeTruthy();
  expect(screen.getByText('Stop and time are shown to the adults who may collect the child.')).toBeTruthy();
  expect(screen.getAllByText('₹9,020.00').length).toBeGreaterThan(0);
  expect(screen.getByText(/It works until 24 May 2027/)).toBeTruthy();
});

test('a child without a mark of today is named with its section', async () => {
  show({ parts: { ...page.parts, attendance: [] } });
  expect((await screen.findAllByText('Aarav, 5, B')).length).toBe(1);
  expect(screen.queryByText('Aarav is at school')).toBeNull();
});
