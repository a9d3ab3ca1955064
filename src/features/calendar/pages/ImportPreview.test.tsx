import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ImportRow } from '#kit/contract/import.ts';
import { text } from '#kit/contract/text.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ImportPreview } from './ImportPreview.tsx';

const row = (line: number, status: ImportRow['status'], messages = {}): ImportRow => ({
  line,
  displayName: `Tree ${line}`,
  status,
  messages,
});
const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);

test('the rows of a file stand in the order of the answer with what becomes of them, those unchanged among them', async () => {
  const rows = [row(2, 'added'), row(3, 'wrong', { name: text`Name is required.` }), row(4, 'same'), row(5, 'changed')];
  renderPage(
    <ImportPreview answer={{ rows, counts: { added: 1, changed: 1, same: 1, wrong: 1 } }} remedy="Correct it." />,
  );
  await screen.findByRole('table');
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
    '1 row has an error. Nothing was imported. Correct it.',
  );
  expect(shown()).toEqual(['2Tree 2new ', '3Tree 3error Name is required.', '4Tree 4unchanged ', '5Tree 5changed ']);
});

test('a message about a column begins with its label, unless it names it', async () => {
  const messages = { height: text`Use one of these: Low, High.`, name: text`Name is required.`, '': text`Too many.` };
  const columns = { height: { label: text`Height` }, name: { label: text`Name` } };
  renderPage(
    <ImportPreview
      answer={{ rows: [row(2, 'wrong', messages)], counts: { added: 0, changed: 0, same: 0, wrong: 1 } }}
      remedy=""
      columns={columns}
    />,
  );
  await screen.findByRole('table');
  expect(shown()).toEqual(['2Tree 2error Height: Use one of these: Low, High. Name is required. Too many.']);
});

test('the rows that the server does not list are counted', async () => {
  renderPage(
    <ImportPreview
      answer={{ rows: [row(301, 'wrong')], counts: { added: 0, changed: 0, same: 299, wrong: 1 } }}
      remedy=""
    />,
  );
  expect(await screen.findByText('299 more entries are not shown.')).toBeTruthy();
  expect(shown()).toEqual(['301Tree 301error ']);
});
