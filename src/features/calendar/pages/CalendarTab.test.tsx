import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type Answers, fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Calendar } from '../contract/calendar.ts';
import type { yearApi } from '../contract/year.ts';
import { CalendarTab } from './CalendarTab.tsx';

const calendar: Calendar = {
  startsOn: '2026-06-01',
  endsOn: '2027-05-31',
  isClosed: false,
  rowVersion: 1,
  weeklyOff: {
    monday: [],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [1, 2, 3, 4, 5],
  },
  days: [],
};

test('where the calendar cannot be read it says so, and reads it at another try', async () => {
  const answers: Answers = {
    'GET /api/academic/year-list': [
      { id: 1, name: '2026-27', phase: 'Current', isCurrent: true, startsOn: '2026-06-01', endsOn: '2027-05-31' },
    ] satisfies OutputOf<typeof yearApi.list>,
    'GET /api/academic/calendar': () => {
      throw new TypeError('The line is gone.');
    },
  };
  fakeServer(answers);
  renderPage(<CalendarTab grades={[]} />);
  const alert = await screen.findByRole('alert', {}, { timeout: 3000 });
  expect(alert.textContent).toContain('The school’s system can’t be reached.');
  answers['GET /api/academic/calendar'] = calendar;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('table')).toBeTruthy();
});
