import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Daily } from '../contract/daily.ts';
import { DailyAttendancePage } from './DailyAttendancePage.tsx';

const office = { role: 'Staff', sets: ['office'] };
const daily: Daily = {
  today: '2026-11-26',
  day: '2026-11-26',
  closedFor: '',
  sections: [
    {
      id: 5,
      name: 'Grade 5, B',
      teacher: 'Meena Chauhan',
      strength: 40,
      takenAt: null,
      takenBy: '',
      present: 0,
      absent: 0,
      late: 0,
      leave: 0,
      perMille: null,
    },
  ],
  absentees: [],
  late: [],
};

test('E3.6 a refused number hides the late arrival entered before it', async () => {
  const entered = { name: 'Aarav Shah', section: 'Grade 5, B', arrivedAt: '09:20' };
  const answers = [entered, refusal('invalid', '', { fields: { number: 'No student has this number.' } }), entered];
  fakeServer({
    'GET /api/sign-in/me': office,
    'GET /api/attendance/daily': daily,
    'POST /api/attendance/gate': () => answers.shift(),
  });
  renderPage(<DailyAttendancePage />, '/page?show=late');
  const field = await screen.findByRole('textbox', { name: /GR number/ });
  const enter = (number: string) => {
    fireEvent.change(field, { target: { value: number } });
    fireEvent.click(screen.getByRole('button', { name: 'Enter as late now' }));
  };
  enter('5B 17');
  await screen.findByText('Aarav Shah, Grade 5, B: late at 09:20');
  enter('99999');
  await screen.findByText('No student has this number.');
  expect(screen.queryByText(/late at 09:20/)).toBeNull();
  enter('5B 18');
  await screen.findByText('Aarav Shah, Grade 5, B: late at 09:20');
  await waitFor(() => expect(screen.queryByText('No student has this number.')).toBeNull());
});

test('E3.2 a reminder names the sections of which no class teacher was told', async () => {
  fakeServer({
    'GET /api/sign-in/me': office,
    'GET /api/attendance/daily': daily,
    'POST /api/attendance/daily/remind': { sections: 1, teachers: 0, missed: ['Grade 5, B'] },
  });
  renderPage(<DailyAttendancePage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Remind teachers…' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Remind' }));
  await screen.findByText('0 teachers were reminded');
  expect(screen.getByText('No class teacher with an account: Grade 5, B')).toBeTruthy();
});
