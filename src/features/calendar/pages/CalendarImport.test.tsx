import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { usualWeeklyOff } from '../contract/calendar.ts';
import { CalendarImport } from './CalendarImport.tsx';

test('the usual holidays of a state are a list to correct, which names the dates to check', async () => {
  const { sent } = fakeServer({
    'POST /api/academic/calendar/import': {
      ...{ isApplied: false, confirmToken: null, rows: [], warnings: [] },
      counts: { added: 0, changed: 0, same: 0, wrong: 0 },
    },
  });
  renderPage(<CalendarImport academicYearId={1} startsOn="2026-06-01" endsOn="2027-05-31" onClose={() => undefined} />);
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'Gujarat' } });
  const list = screen.getByRole('textbox') as HTMLTextAreaElement;
  expect(list.value).toContain('15-08-2026, Independence Day\n28-08-2026, Raksha Bandhan\n');
  const words = screen.getByText(
    /^This list is only a start\. .* against the government’s list for Gujarat/,
  ).textContent;
  for (const name of ['Raksha Bandhan', 'Sardar Patel Jayanti', 'Gujarat Day']) expect(words).toContain(name);
  expect(words).not.toContain('Independence Day');
  fireEvent.change(list, { target: { value: '09-11-2026, Diwali' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await expect.poll(() => sent.at(-1)?.fields).toEqual({ academicYearId: 1, text: '09-11-2026, Diwali' });
});

test('weekly offs are chosen with the holidays, and are saved without any too', async () => {
  const { sent } = fakeServer({
    'POST /api/academic/calendar/import': ({ fields }) => ({
      ...{ isApplied: 'confirmToken' in fields, confirmToken: 'token', rows: [], warnings: [] },
      counts: { added: 0, changed: 0, same: 0, wrong: 0 },
    }),
  });
  const year = { academicYearId: 1, startsOn: '2026-06-01', endsOn: '2027-05-31' };
  renderPage(<CalendarImport {...year} weeklyOff={usualWeeklyOff} onClose={() => undefined} />);
  fireEvent.click(await screen.findByRole('checkbox', { name: '2nd Saturday' }));
  fireEvent.click(screen.getByRole('checkbox', { name: '4th Saturday' }));
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await expect
    .poll(() => sent.at(-1)?.fields)
    .toEqual({
      ...{ academicYearId: 1, text: '', confirmToken: 'token' },
      weeklyOff: { ...usualWeeklyOff, saturday: [2, 4] },
    });
});

test('a list that was typed is not lost without a question', async () => {
  let isClosed = false;
  const onClose = () => {
    isClosed = true;
  };
  renderPage(<CalendarImport academicYearId={1} startsOn="2026-06-01" endsOn="2027-05-31" onClose={onClose} />);
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: '09-11-2026, Diwali' } });
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByRole('button', { name: 'Leave without saving' })).toBeTruthy();
  expect(isClosed).toBe(false);
});
