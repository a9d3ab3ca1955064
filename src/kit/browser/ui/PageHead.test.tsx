import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PageHead } from './PageHead.tsx';

const shell = (title: string) => (
  <>
    <input aria-label="Search" />
    <PageHead key={title} title={title} />
  </>
);

test('the title of the next page takes the focus', () => {
  const { rerender } = render(shell('Oaks'));
  rerender(shell('Elms'));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Elms' }));
});

test('a page that arrives while somebody types in the search leaves the focus there', () => {
  const { rerender } = render(shell('Oaks'));
  screen.getByRole('textbox').focus();
  rerender(shell('Elms'));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});
