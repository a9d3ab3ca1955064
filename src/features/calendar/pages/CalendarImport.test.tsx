import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
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
  expect(screen.getByText(/^Correct the list before you import it\. .*: Raksha Bandhan, /)).toBeTruthy();
  fireEvent.change(list, { target: { value: '09-11-2026, Diwali' } });
  fireEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await expect.poll(() => sent.at(-1)?.fields).toEqual({ academicYearId: 1, text: '09-11-2026, Diwali' });
});
