import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MasterRow } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { YearTab } from './YearTab.tsx';

const year = (id: number, name: string, status: string): MasterRow => ({
  id,
  version: 2,
  isActive: true,
  displayName: name,
  usedBy: 0,
  names: {},
  name,
  status,
  startsOn: '2026-06-01',
  endsOn: '2027-05-31',
  ageCutoffOn: '2026-06-01',
});

test('another year is made the current one, after a question', async () => {
  let years = [year(2, '2027-28', 'Planned'), year(1, '2026-27', 'Current')];
  const { sent: calls } = fakeServer({
    'GET /api/academic/year': () => ({ rows: years, next: null, previous: null, total: 2, isMore: false }),
    'GET /api/academic/year/2/make-current': { unfinished: [text`Homework is not closed.`] },
    'POST /api/academic/year/2/make-current': () => {
      years = [year(2, '2027-28', 'Current'), year(1, '2026-27', 'Closed')];
      return {};
    },
  });
  renderPage(<YearTab />);
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
  await press('Actions for 2026-27');
  expect(await screen.findByRole('menuitem', { name: 'History' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Make current' })).toBeNull();
  await press('Actions for 2026-27');
  await press('Actions for 2027-28');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Make current' }));
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(await screen.findByText('Homework is not closed.')).toBeTruthy();
  await press('Make current');
  expect(await screen.findByText(/ is the current year\.$/)).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST')).toMatchObject([{ fields: { version: 2 } }]);
  const line = (name: string) => screen.getByRole('button', { name }).closest('tr')?.textContent;
  await waitFor(() => expect(line('2027-28')).toContain('Current'));
  expect(line('2026-27')).toContain('Closed');
});
