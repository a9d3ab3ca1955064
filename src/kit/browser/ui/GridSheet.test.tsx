import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderPage } from '#testing/render-page.tsx';
import { GridSheet } from './GridSheet.tsx';
import { nextPlace, pasteInto, readBlock } from './grid-sheet.ts';

const columns = [
  { key: 'pears', name: 'Pears' },
  { key: 'plums', name: 'Plums' },
];
const rows = ['North', 'South', 'West'].map((name) => ({ key: name, name, label: name, isLocked: name === 'West' }));

function Fruit() {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [past, setPast] = useState<Record<string, string>[]>([]);
  const textOf = (row: string, column: string) => typed[`${row} ${column}`] ?? '1';
  return (
    <GridSheet
      label="Fruit"
      corner="Garden"
      rows={rows}
      columns={columns}
      textOf={textOf}
      problemOf={(row, column) => (/^[0-9,]*$/.test(textOf(row, column)) ? undefined : 'Enter a number.')}
      onChange={(changes) => {
        setPast([...past, typed]);
        setTyped({ ...typed, ...Object.fromEntries(changes.map((one) => [`${one.row} ${one.column}`, one.text])) });
      }}
      onUndo={past.length > 0 ? () => [setTyped(past.at(-1) ?? {}), setPast(past.slice(0, -1))] : undefined}
    />
  );
}
const open = async () => {
  renderPage(<Fruit />);
  const [first] = await screen.findAllByRole('gridcell');
  first?.focus();
};
const active = () => document.activeElement as HTMLElement;
const press = (key: string, over: object = {}) => fireEvent.keyDown(active(), { key, ...over });
const type = (text: string) => {
  press(text[0] ?? '');
  fireEvent.change(active(), { target: { value: text } });
};
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent);

test('B4.35 typing replaces a cell, Enter keeps it and goes down, Tab to the next, Escape leaves it as it was', async () => {
  await open();
  type('25');
  press('Enter');
  expect(cells()).toEqual(['25', '1', '1', '1', '1', '1']);
  expect(active().dataset.cell).toBe('1 0');
  type('1,20,000');
  press('Tab');
  expect(active().dataset.cell).toBe('1 1');
  type('9');
  press('Escape');
  expect(active().dataset.cell).toBe('1 1');
  expect(cells()).toEqual(['25', '1', '1,20,000', '1', '1', '1']);
});

test('B4.35 arrows walk, with Shift they select; Delete empties the selection, and Ctrl Z takes it back', async () => {
  await open();
  press('ArrowDown', { shiftKey: true });
  press('ArrowRight', { shiftKey: true });
  press('Delete');
  expect(cells()).toEqual(['', '', '', '', '1', '1']);
  press('z', { ctrlKey: true });
  expect(cells()).toEqual(['1', '1', '1', '1', '1', '1']);
  press('ArrowLeft');
  press('ArrowDown');
  // A row that cannot be changed is walked over, and typing there does nothing.
  press('7');
  expect([active().dataset.cell, cells()[4]]).toEqual(['2 0', '1']);
});

test('B4.35 a pasted block fills the cells from the first one; a wrong one has its reason beside it and what lies beyond is said', async () => {
  await open();
  press('ArrowRight');
  const clipboardData = { getData: () => '5\t6\r\n33OO\t7\r\n8\t9\r\n', setData: () => undefined };
  fireEvent.paste(active(), { clipboardData });
  expect(cells()).toEqual(['1', '5', '1', '33OOEnter a number.', '1', '1']);
  expect(screen.getByText(/pasted/).closest('[role=status]')?.textContent).toMatch(
    /2 cells were pasted.*3 cells are outside.*1 cell can’t/,
  );
  const wrong = screen.getByText('South, Plums: “33OO”. Enter a number.');
  expect(wrong).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Go there' }));
  expect(active().dataset.cell).toBe('1 1');
  expect(active().getAttribute('aria-invalid')).toBe('true');
});

test('B4.35 what is typed is kept when the user goes elsewhere, and a finger edits with its first press', async () => {
  await open();
  const [, second] = screen.getAllByRole('gridcell');
  if (!second) throw new Error('No cell.');
  fireEvent.click(second);
  const box = screen.getByRole('textbox', { name: 'North, Plums' });
  expect(document.activeElement).toBe(box);
  fireEvent.change(box, { target: { value: '42' } });
  fireEvent.blur(box);
  expect(cells()).toEqual(['1', '42', '1', '1', '1', '1']);
});

test('Tab leaves the sheet after an arrow, and leads on while amounts are entered', async () => {
  await open();
  press('ArrowRight');
  expect(press('Tab')).toBe(true);
  type('3');
  press('Tab');
  expect(active().dataset.cell).toBe('1 0');
  expect(press('Tab')).toBe(false);
  expect(active().dataset.cell).toBe('1 1');
});

test('a copied cell fills the whole selection', () => {
  const selected = { top: 0, left: 0, bottom: 1, right: 0 };
  expect(pasteInto(selected, readBlock('4\n'), { y: 2, x: 2 }).cells).toEqual([
    { y: 0, x: 0, text: '4' },
    { y: 1, x: 0, text: '4' },
  ]);
  expect(readBlock('1\t2\r3\t')).toEqual([
    ['1', '2'],
    ['3', ''],
  ]);
  expect([nextPlace({ y: 0, x: 1 }, 1, { y: 2, x: 2 }), nextPlace({ y: 0, x: 0 }, -1, { y: 2, x: 2 })]).toEqual([
    { y: 1, x: 0 },
    undefined,
  ]);
});
