import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { type Calendar, usualWeeklyOff } from '../contract/calendar.ts';
import { DayForm } from './DayForm.tsx';

const calendar: Calendar = {
  startsOn: '2026-06-01',
  endsOn: '2027-05-31',
  isClosed: false,
  rowVersion: 1,
  weeklyOff: usualWeeklyOff,
  days: [],
};

test('a past day with registers shows the warning, and is saved with it at the next press', async () => {
  const message = text`Other records depend on these days.`;
  const warning = text`Attendance was taken on 1 of these days.`;
  const refused = {
    error: { code: 'conflict', message: message.id, text: message, data: { texts: [warning], token: 'seen' } },
  };
  const { sent } = fakeServer({
    'PUT /api/academic/calendar/day': ({ fields }) =>
      fields.warned === 'seen' ? { rowVersion: 2 } : (Response.json(refused, { status: 409 }) as never),
  });
  renderPage(
    <DayForm
      hiddenValues={{ academicYearId: 1, rowVersion: 1 }}
      year={{ id: 1, name: '2026-27', phase: 'Current', isCurrent: true, startsOn: '2026-06-01', endsOn: '2027-05-31' }}
      calendar={calendar}
      grades={[]}
      wanted={{ from: '2026-11-20', to: '2026-11-20', kind: 'Holiday', name: 'Rain', gradeId: null, isThere: false }}
      onClose={() => undefined}
      onDone={async () => undefined}
    />,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/Attendance was taken/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Change the days anyway' }));
  await waitFor(() => expect(sent.map(({ fields }) => fields.warned)).toEqual(['', 'seen']));
});

test('the last day follows the first until it is another', async () => {
  fakeServer({});
  renderPage(
    <DayForm
      hiddenValues={{ academicYearId: 1, rowVersion: 1 }}
      year={{ id: 1, name: '2026-27', phase: 'Current', isCurrent: true, startsOn: '2026-06-01', endsOn: '2027-05-31' }}
      calendar={calendar}
      grades={[]}
      wanted={{ from: '', to: '', kind: '', name: '', gradeId: null, isThere: false }}
      onClose={() => undefined}
      onDone={async () => undefined}
    />,
  );
  const first = await screen.findByLabelText<HTMLInputElement>('First day');
  const last = screen.getByLabelText<HTMLInputElement>('Last day');
  const type = (box: HTMLInputElement, words: string) => {
    fireEvent.focus(box);
    fireEvent.change(box, { target: { value: words } });
    fireEvent.blur(box);
  };
  type(first, '2026-11-20');
  await waitFor(() => expect(last.value).toBe('20 Nov 2026'));
  type(first, '2026-11-21');
  await waitFor(() => expect(last.value).toBe('21 Nov 2026'));
  type(last, '2026-11-25');
  type(first, '2026-11-22');
  await waitFor(() => expect(first.value).toBe('22 Nov 2026'));
  expect(last.value).toBe('25 Nov 2026');
});
