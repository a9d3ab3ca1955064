import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { MonthMatrix } from '../contract/month.ts';
import { MonthWiseAttendancePage } from './MonthWiseAttendancePage.tsx';

const totals = { present: 20, absent: 4, late: 1, halfDay: 0, leave: 1, onDuty: 0, days: 26, perMille: 808 };
const dates = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`);
const matrix: MonthMatrix = {
  today: '2026-11-27',
  month: '2026-10',
  sections: [{ id: 5, name: 'Grade 5, B' }],
  section: { id: 5, name: 'Grade 5, B' },
  days: dates.map((day, index) => ({
    day,
    kind: index === 1 ? 'Holiday' : 'Working day',
    name: index === 1 ? 'Gandhi Jayanti' : '',
    work: index === 1 ? 0 : 1,
    slots: [{ slot: 'Full day', isTaken: index !== 1 }],
    isTaken: index !== 1,
    isPast: true,
    present: 55,
    boys: 30,
    girls: 25,
  })),
  codes: [
    { code: 'P', name: 'Present', kind: 'Present' },
    { code: 'A', name: 'Absent', kind: 'Absent' },
  ],
  children: Array.from({ length: 60 }, (_, index) => ({
    studentId: index + 1,
    rollNo: index + 1,
    name: `Child ${index + 1}`,
    marks: dates.map((_, day) => [day === 1 ? '' : (day + index) % 7 === 0 ? 'A' : 'P']),
    elsewhere: [],
    isNeverJoined: false,
    totals: { ...totals, perMille: index === 0 ? 740 : index === 1 ? 790 : 900 },
    yearPerMille: 912,
  })),
  low: 75,
  near: 80,
  perMille: 871,
  yearPerMille: 902,
};

test('E2.6 the heads of days and children name every mark, and low percentages have a word beside the colour', async () => {
  fakeServer({ 'GET /api/attendance/month': matrix });
  renderPage(<MonthWiseAttendancePage />);
  const table = await screen.findByRole('table');
  const heads = [...table.querySelectorAll('thead th')];
  expect(heads).toHaveLength(1 + 31 + 8);
  expect(heads.every((head) => head.getAttribute('scope') === 'col')).toBe(true);
  expect(screen.getByRole('link', { name: '2 Oct 2026, Gandhi Jayanti' })).toBeTruthy();
  const rows = [...table.querySelectorAll('tbody tr, tfoot tr')];
  expect(rows).toHaveLength(60 + 3);
  for (const row of rows) expect(row.querySelector('th')?.getAttribute('scope')).toBe('row');
  expect(rows[59]?.querySelectorAll('td')).toHaveLength(31 + 8);
  expect(screen.getAllByLabelText('below 75 %')).toHaveLength(1);
  expect(screen.getByText('1 below 75 %')).toBeTruthy();
  expect(screen.getByText('1 more below 80 %')).toBeTruthy();
});

test('E2.9 of a day with two registers a cell shows both halves, each named, and one mark where they are the same', async () => {
  const cells = [
    ['P', 'P'],
    ['A', 'A'],
    ['A', 'P'],
    ['P', ''],
  ];
  const [child] = matrix.children;
  fakeServer({
    'GET /api/attendance/month': {
      ...matrix,
      days: matrix.days.map((day, index) => ({
        ...day,
        work: 1,
        slots: [
          { slot: 'Morning', isTaken: true },
          { slot: 'Afternoon', isTaken: index !== 3 },
        ],
        isTaken: index !== 3,
        present: 1.5,
      })),
      children: child && [{ ...child, marks: dates.map((_, index) => cells[index] ?? ['']) }],
    },
  });
  renderPage(<MonthWiseAttendancePage />);
  const row = await screen.findByRole('row', { name: /Child 1/ });
  const shown = [...row.querySelectorAll('td')].slice(0, 4);
  expect(shown.map(({ textContent }) => textContent)).toEqual(['·', 'A', 'A·', '·–']);
  expect([...(shown[2]?.querySelectorAll('span') ?? [])].map(({ title, dataset }) => [title, dataset.kind])).toEqual([
    ['Absent', 'Absent'],
    ['Present', 'Present'],
  ]);
  const heads = [...document.querySelectorAll('thead th')].slice(1, 5).map((head) => head.getAttribute('title'));
  expect(heads).toEqual(['', 'Gandhi Jayanti', '', 'Afternoon not taken']);
});
