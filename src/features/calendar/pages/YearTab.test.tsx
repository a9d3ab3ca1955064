import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MasterRow } from '#kit/contract/master.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { YearTab } from './YearTab.tsx';

const year = (id: number, name: string, phase: string): MasterRow => ({
  id,
  version: 2,
  isActive: true,
  displayName: name,
  usedBy: 4,
  names: {},
  name,
  phase,
  startsOn: '2026-06-01',
  endsOn: '2027-05-31',
  ageCutoffOn: '2026-06-01',
});

test('each year says what it is today, and only a planned one can be deleted with its data', async () => {
  const rows = [year(3, '2027-28', 'Planned'), year(2, '2026-27', 'Current'), year(1, '2025-26', 'Ended')];
  fakeServer({ 'GET /api/academic/year': { rows, next: null, previous: null, total: 3, isMore: false } });
  const actsOf = async (name: string) => {
    cleanup();
    renderPage(<YearTab />);
    fireEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
    expect(await screen.findByRole('menuitem', { name: 'History' })).toBeTruthy();
    return screen.getAllByRole('menuitem').map((item) => item.textContent);
  };
  expect(await actsOf('2026-27')).not.toContain('Delete with all its data');
  expect(await actsOf('2027-28')).toContain('Delete with all its data');
  const line = (name: string) => screen.getByRole('button', { name }).closest('tr')?.textContent;
  expect(['2027-28', '2026-27', '2025-26'].map((name) => line(name)?.match(/Planned|Current|Ended/)?.[0])).toEqual([
    'Planned',
    'Current',
    'Ended',
  ]);
});
