import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { later, useLoaded } from './use-loaded.ts';

const get = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('No line')).mockResolvedValue('The panel');
const part = later(get);

function Press() {
  const [wishes, setWishes] = useState(0);
  const [isAway, setAway] = useState(false);
  const loaded = useLoaded(part, wishes, () => setAway(true));
  return (
    <button type="button" onClick={() => setWishes(wishes + 1)}>
      {loaded ?? (isAway ? 'Away' : 'Closed')}
    </button>
  );
}

test('a part that can’t be fetched says so, and the next press fetches it', async () => {
  render(<Press />);
  const button = screen.getByRole('button');
  expect([button.textContent, get.mock.calls.length]).toEqual(['Closed', 0]);
  fireEvent.click(button);
  await waitFor(() => expect(button.textContent).toBe('Away'));
  fireEvent.click(button);
  await waitFor(() => expect(button.textContent).toBe('The panel'));
  fireEvent.click(button);
  expect(get).toHaveBeenCalledTimes(2);
});
