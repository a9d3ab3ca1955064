import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { PriceGrid } from './PriceGrid.tsx';

const row = (key: string, over: object) => ({
  ...{ key, id: Number(key), version: 1, name: `Prices ${key}`, grades: `Grade ${key}`, of: 'Surat, CBSE' },
  ...{ status: 'Draft', versionNo: 1, before: [{ feeHeadId: 1, annual: 6_000_000 }] },
  lines: [
    { feeHeadId: 1, annual: 6_000_000, months: 12 },
    { feeHeadId: 2, annual: 500_000, months: 12 },
  ],
  ...over,
});
const heads = ['Tuition', 'Term', 'Lab'].map((name, index) => ({
  ...{ id: index + 1, name, frequency: 'Monthly', isActive: true },
}));

const open = async (rows: object[] = [row('4', {}), row('5', {}), row('6', { status: 'Waiting for approval' })]) => {
  const server = fakeServer({
    'GET /api/academic/year-list': [
      { id: 2, name: '2027-28', phase: 'Current', isCurrent: true, startsOn: '2027-06-01', endsOn: '2028-05-31' },
    ],
    'GET /api/fee/structure/grid': { heads, rows, may: { save: true } },
    'POST /api/fee/structure/grid': ({ confirmToken }: { confirmToken?: string }) => ({
      ...{
        heads: [{ head: 'Tuition', before: 12_000_000, after: 12_960_000, structures: 2 }],
        amounts: 2,
        structures: 2,
      },
      ...{ versions: 0, isApplied: Boolean(confirmToken), confirmToken: 'seen' },
    }),
    'GET /api/sign-in/me': { role: 'Staff', sets: ['accountant'] },
  });
  renderPage(<PriceGrid />);
  await screen.findByRole('grid', { name: 'Prices' });
  return server;
};
const amounts = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('gridcell')
    .map(({ textContent }) => textContent);

test('B4.34 a head is raised by 8 % down to whole ₹100 of a month, shown, undone and saved after its sums', async () => {
  const server = await open();
  fireEvent.click(screen.getByRole('radio', { name: 'A month' }));
  expect(amounts(/^Grade 4/)).toEqual(['5,000', '416.66']);
  fireEvent.change(screen.getByRole('combobox', { name: 'Amounts to raise' }), { target: { value: '1' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Rise (%)' }), { target: { value: '+8' } });
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  expect(screen.getByText('2 amounts raised')).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'A year' }));
  expect([amounts(/^Grade 4/), amounts(/^Grade 6/)]).toEqual([
    ['64,800', '5,000'],
    ['60,000', '5,000'],
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(amounts(/^Grade 4/)).toEqual(['60,000', '5,000']);
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save as drafts…' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('₹1,29,600.00')).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await expect.poll(() => server.sent.filter(({ method }) => method === 'POST')).toHaveLength(2);
  expect(server.sent.find(({ method }) => method === 'POST')?.fields).toMatchObject({
    rows: [
      { id: 4, cells: [{ feeHeadId: 1, annual: 6_480_000, seen: 6_000_000 }] },
      { id: 5, cells: [{ feeHeadId: 1, annual: 6_480_000, seen: 6_000_000 }] },
    ],
  });
});

test('B4.35 an amount that is none keeps the sheet from being saved, and stands in its cell with the reason', async () => {
  await open();
  const [cell] = within(screen.getByRole('row', { name: /^Grade 5/ })).getAllByRole('gridcell');
  act(() => cell?.focus());
  fireEvent.paste(cell as Element, { clipboardData: { getData: () => '૬૫,૦૦૦\t33OO' } });
  expect(amounts(/^Grade 5/)).toEqual(['65,000', '33OOEnter an amount, such as 1,25,000.50.']);
  expect(screen.getByRole('button', { name: '1 to correct' }).hasAttribute('disabled')).toBe(true);
});
