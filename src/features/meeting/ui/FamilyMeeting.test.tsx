import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderFamily } from '#testing/render-family.tsx';
import type { FamilyMeeting } from '../contract/family.ts';
import { Body } from './FamilyMeeting.tsx';

const teacher = { isClassTeacher: false, subjects: 'Maths', studentId: 7, child: 'Aarav', booked: null };
const meeting: FamilyMeeting = {
  id: 1,
  name: 'Parent meeting',
  day: '2026-12-12',
  booksUntil: '2026-12-11',
  mayBook: true,
  teachers: [
    { ...teacher, hostId: 3, teacher: 'Meera Rao', isClassTeacher: true },
    { ...teacher, hostId: 4, teacher: 'Ravi Iyer' },
  ],
};
const times = [
  { id: 11, from: '15:00', to: '15:10' },
  { id: 12, from: '15:15', to: '15:25' },
];

test('a time is chosen and booked, then given up; what another family took is read again', async () => {
  let free = times;
  fakeServer({
    'GET /api/family/meeting/host/3/slot': () => free,
    'POST /api/family/meeting/slot/11/book': () => {
      free = times.slice(1);
      return refusal('conflict', 'This time was taken a moment ago. Still free: 15:15');
    },
    'POST /api/family/meeting/slot/12/book': { from: '15:15', to: '15:25', place: 'Room 12', mayFree: true },
    'POST /api/family/meeting/slot/12/free': {},
  });
  renderFamily(<Body meeting={meeting} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Choose a time with Meera Rao' }));
  fireEvent.click(await screen.findByRole('radio', { name: '15:00' }));
  fireEvent.click(screen.getByRole('button', { name: 'Book this time' }));
  expect(await screen.findByText(/Still free: 15:15/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('radio', { name: '15:15' }));
  expect(screen.queryByRole('radio', { name: '15:00' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Book this time' }));
  expect((await screen.findByText('15:15–15:25')).parentElement?.textContent).toBe('15:15–15:25 · Room 12');
  fireEvent.click(screen.getByRole('button', { name: 'Give up 15:15 with Meera Rao' }));
  expect(await screen.findByRole('button', { name: 'Choose a time with Meera Rao' })).toBeTruthy();
});
