import { fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { useSingleKeys } from './use-single-keys.ts';

function Page({ act }: { act: (key: string) => void }) {
  const part = useRef<HTMLDivElement>(null);
  useSingleKeys(
    part,
    ({ key }) =>
      () =>
        act(key),
  );
  return (
    <main>
      <nav>
        <a href="#trees">Trees</a>
      </nav>
      <div ref={part} tabIndex={-1} />
    </main>
  );
}

test('on a tab of the page letters act, and Enter, space and arrows are those of the tab', () => {
  const act = vi.fn();
  render(<Page act={act} />);
  const tab = screen.getByRole('link');
  tab.focus();
  for (const key of ['n', 'Enter', ' ', 'ArrowDown', 'Escape']) fireEvent.keyDown(tab, { key });
  expect(act.mock.calls).toEqual([['n']]);
});
