import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AmountTable } from './AmountTable.tsx';

test('only the columns that are named hold amounts', () => {
  render(
    <AmountTable
      caption="Trees"
      heads={['Name', 'Price', 'State', 'Paid']}
      amounts={['Price', 'Paid']}
      rows={[{ key: 1, cells: ['Oak', '₹12,000', 'Planted', '₹500'] }]}
    />,
  );
  const named = screen.getByRole('table').className.match(/column\d/g);
  expect(named).toEqual(['column2', 'column4']);
});
