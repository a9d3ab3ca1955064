import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CardTable } from './CardTable.tsx';

test('only the named columns are marked as amounts, head and cells', () => {
  render(
    <CardTable
      caption="Trees"
      heads={['Name', 'Price', 'State']}
      amounts={['Price']}
      rows={[{ key: 1, cells: ['Oak', '₹12,000', 'Planted'] }]}
    />,
  );
  const marked = [...screen.getByRole('table').querySelectorAll('[data-amount]')];
  expect(marked.map(({ textContent }) => textContent)).toEqual(['Price', '₹12,000']);
});
