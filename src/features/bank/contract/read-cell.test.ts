import { expect, test } from 'vitest';
import { readBankAmount, readBankDay, readSide, tokensOf } from './read-cell.ts';

test('amounts are read as banks write them, to the paisa, with their side', () => {
  const read = (cell: string) => {
    const found = readBankAmount(cell);
    return found && `${found.paise}${found.side}`;
  };
  expect(
    [
      '1,25,000.50',
      '1,25,000.50 Cr',
      '500.00Dr.',
      '(500.00)',
      '-500',
      '+7',
      'Rs. 500/-',
      '₹ 12.5',
      '',
      '-',
      '0.00',
      'CR 10.00',
    ].map(read),
  ).toEqual([
    '12500050',
    '12500050Cr',
    '50000Dr',
    '50000Dr',
    '50000Dr',
    '700',
    '50000',
    '1250',
    '0',
    '0',
    '0',
    '1000Cr',
  ]);
  expect(['12,34', '1.2.3', 'abc', '1,25,000.505'].map(read)).toEqual([undefined, undefined, undefined, undefined]);
  expect(['CR', 'Debit', 'dr.', 'UPI'].map(readSide)).toEqual(['Cr', 'Dr', 'Dr', '']);
});

test('days are read day first, with short years and times', () => {
  expect(
    [
      '01/04/2026',
      '1-Apr-26',
      '01-04-26',
      '1 Apr 2026',
      '01/04/2026 10:22:33',
      '2026-04-01',
      '01.04.2026',
      '1-April-2026',
    ].map(readBankDay),
  ).toEqual(Array(8).fill('2026-04-01'));
  expect(['31/02/2026', 'Total', ''].map(readBankDay)).toEqual([undefined, undefined, undefined]);
});

test('a whole reference is a word of a line, also where a bank filled it up with zeros; a part of one does not count', () => {
  const words = tokensOf('UPI/CR/412345678901/ASHA SHAH/okhdfc', '0000512345678902');
  expect(words).toEqual(expect.arrayContaining(['412345678901', '512345678902', 'ASHA']));
  expect(words).not.toContain('2345678901');
});
