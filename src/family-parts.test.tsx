import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FamilyPageData } from '#features/family/contract/family.ts';
import { FamilyPage } from '#features/family/pages/FamilyPage.tsx';
import { fakeServer } from '#testing/fake-server.ts';
import { renderFamily } from '#testing/render-family.tsx';
import { familyParts } from './family-parts.ts';

const marks = (studentId: number, ...given: [day: string, kind: string, cameAt?: string][]) =>
  given.map(([day, kind, cameAt = '']) => ({
    studentId,
    day: `2026-11-${day}`,
    kind,
    half: 1,
    symbol: '',
    cameAt,
    takenAt: day === '26' && kind ? '8:22' : '',
  }));
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
        isDayOff: false,
        ways: [{ trip: 'pickup', time: '07:12', stop: 'Honey Park', vehicle: 'GJ 05 BX 4417' }],
      },
      { studentId: 9, route: 'Route 7', isDayOff: false, ways: [] },
    ],
  },
};
const show = (over: Partial<FamilyPageData> = {}) => {
  fakeServer({ 'GET /api/family': { ...page, ...over }, 'POST /api/family/opened': {} });
  renderFamily(<FamilyPage parts={familyParts} />);
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
    'My number and messages',
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

const homework = (id: number, dueOn: string, over: object = {}) => ({
  id,
  studentId: 7,
  title: 'Page 48',
  subject: 'Maths',
  minutes: 20,
  assignedOn: '2026-11-25',
  dueOn,
  isNext: false,
  instructions: '',
  links: [],
  files: [],
  status: 'Pending',
  marks: null,
  maxMarks: null,
  feedback: '',
  ...over,
});
const ride = (over: object) => ({
  studentId: 7,
  route: 'Route 7',
  isDayOff: false,
  ways: [
    { trip: 'pickup', time: '07:12', stop: 'Honey Park', vehicle: 'Bus 9', insteadOf: 'Bus 7', isNone: false },
    { trip: 'drop', time: '14:35', stop: 'Honey Park', vehicle: 'Bus 9', insteadOf: 'Bus 7', isNone: false, ...over },
  ],
});
/** The lines of the card of the first child’s day. */
const cardOf = async () => {
  const [card] = await screen.findAllByRole('region', { name: 'Today' });
  return [...(card?.children ?? [])].map(({ textContent }) => textContent);
};

test('the card of the day says school, bus with its changes, homework of the next school day, and dues', async () => {
  const items = [homework(1, '2026-11-27', { isNext: true }), homework(2, '2026-12-04', { subject: 'English' })];
  show({ parts: { ...page.parts, homework: items, transport: [ride({})] } });
  expect(await cardOf()).toEqual([
    'Aarav is at school',
    'Register taken at 8:22',
    'Bus at 07:12 · 14:35',
    'Bus 9 today instead of Bus 7',
    'Homework for 27 Nov: Maths',
    'Fees due today: ₹9,020.00',
  ]);
});

test('the card says when a child came late, that it has no bus home, and nothing of homework that is handed in', async () => {
  const items = [homework(1, '2026-11-27', { isNext: true, status: 'Submitted' })];
  const attendance = marks(7, ['26', 'Late', '8:40']);
  const rides = [ride({ isNone: true, vehicle: '' })];
  show({ parts: { attendance, homework: items, transport: rides } });
  expect(await cardOf()).toEqual([
    'Aarav is at school',
    'Came at 8:40',
    'Bus at 07:12',
    'Bus 9 today instead of Bus 7',
    'No bus home today',
  ]);
});

test.each([
  ['Aarav: the register is not taken yet', marks(7, ['26', ''])],
  ['Aarav is marked absent today', marks(7, ['26', 'Absent'])],
  ['Aarav has no school today', marks(7, ['25', 'Present'])],
])('the card says: %s', async (words, attendance) => {
  show({ parts: { attendance } });
  expect((await cardOf())[0]).toBe(words);
});

test('of more than five announcements the older ones are folded, and one that no longer waits is among them', async () => {
  const others = [1, 2, 3, 4, 5].map((id) => ({
    ...notice,
    id,
    title: `Notice ${id}`,
    asks: 'Nothing',
    isAsked: false,
  }));
  const old = { ...notice, id: 9, title: 'Fair of June', isAsked: false };
  show({ parts: { announcement: [...others, old] } });
  const folded = (await screen.findAllByText('Earlier announcements'))[0]?.closest('details') as HTMLElement;
  expect(within(folded).getByText('Fair of June')).toBeTruthy();
  expect(folded.textContent).toContain('Not acknowledged');
  expect(within(folded).queryByText('Notice 5')).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Needs you' })).toBeNull();
});
