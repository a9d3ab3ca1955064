import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '#kit/browser/data/read.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ReportsTab } from './ReportsTab.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const label = (words: string) => ({ id: words });
const columns = (...names: string[]) => [
  ...names.map((name) => ({ label: label(name), kind: 'text', isPart: false })),
  { label: label('Total'), kind: 'money', isPart: false },
];
const answer = (over: object) => ({
  total: 70_000,
  ledger: 70_000,
  count: 1,
  chart: null,
  school: ['Sunrise School', '1 Station Road, Anand'],
  chosen: [{ label: label('Class'), value: 'Grade 5' }],
  ...over,
});
const reports: Record<string, object> = {
  Class: answer({
    columns: columns('Class'),
    totals: [null, 70_000],
    rows: [{ key: '5', receiptId: null, studentId: null, cells: ['Grade 5', 70_000] }],
  }),
  Section: answer({
    columns: columns('Section'),
    totals: [null, 70_000],
    rows: [{ key: '9', receiptId: null, studentId: null, cells: ['Grade 5 A', 70_000] }],
  }),
  Receipt: answer({
    columns: columns('Receipt', 'Student'),
    totals: [null, null, 70_000],
    rows: [{ key: null, receiptId: 3, studentId: 7, cells: ['SCH/1', 'Aarav Shah', 70_000] }],
  }),
};

test('MB12 a row of a report opens in place into sections and receipts, and keeps the address', async () => {
  const { sent } = fakeServer({
    'GET /api/sign-in/me': { role: 'Staff', sets: ['office'] },
    'GET /api/fee/report': ({ query }) => reports[query.by ?? ''],
  });
  renderPage(<ReportsTab />, '/page?report=Collection&by=Class&from=2044-10-01&to=2044-10-31');
  const open = await screen.findByRole('button', { name: 'Grade 5' });
  expect(open.getAttribute('aria-expanded')).toBe('false');
  open.focus();
  fireEvent.click(open);
  const sections = await screen.findByRole('region', { name: 'Behind Grade 5' });
  fireEvent.click(await within(sections).findByRole('button', { name: 'Grade 5 A' }));
  expect(await screen.findByRole('button', { name: 'SCH/1' })).toBeTruthy();
  expect(sent.findLast(({ path }) => path === '/api/fee/report')?.query).toMatchObject({
    by: 'Receipt',
    gradeId: '5',
    sectionId: '9',
  });
  fireEvent.click(screen.getByRole('button', { name: 'Grade 5' }));
  expect(screen.queryByRole('button', { name: 'SCH/1' })).toBeNull();
  // A print begins with whose report it is.
  expect(screen.getByText('Sunrise School').closest('p')?.textContent).toBe('Sunrise School1 Station Road, Anand');
  // The office sees no report of the bank.
  expect(screen.queryByRole('link', { name: 'Bank day' })).toBeNull();
});
