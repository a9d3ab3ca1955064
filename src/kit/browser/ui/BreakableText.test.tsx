import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BreakableText } from './BreakableText.tsx';

test.each([
  ['jignesh.shah@family-school.example', ['jignesh.', 'shah', '@family-school.', 'example']],
  ['first_last@oak.example', ['first_last', '@oak.', 'example']],
  ['Account: Dr. Asha Trivedi', ['Account: Dr. Asha Trivedi']],
])('%s may break before an @ and after a dot, and nowhere else', (text, parts) => {
  const { container } = render(<BreakableText text={text} />);
  expect([...container.children].map(({ textContent }) => textContent)).toEqual(parts);
});
