import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { QueryBoundary } from './QueryBoundary.tsx';
import { useRead } from './read.ts';

const leaves = endpoint({
  method: 'GET',
  path: '/leaves',
  access: 'public',
  input: z.object({}),
  output: z.object({ count: z.number() }),
});

function Leaves() {
  const query = useRead(leaves, {});
  return <QueryBoundary query={query}>{({ count }) => <p>{count} leaves</p>}</QueryBoundary>;
}

/** A page that is opened later. */
function Later() {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <Leaves />
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  );
}

const turn = (network: 'online' | 'offline') => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(network === 'online');
  fireEvent(window, new Event(network));
};
afterEach(() => turn('online'));

test('a page that is opened without a network says so at once, and is read when the network is back', async () => {
  const server = fakeServer({ 'GET /api/leaves': undefined });
  renderPage(<Later />);
  const open = await screen.findByText('Open');
  turn('offline');
  fireEvent.click(open);
  await screen.findByText(/can’t be reached/);
  // Not asked a second time.
  expect(server.sent.filter(({ path }) => path.endsWith('/leaves'))).toHaveLength(1);
  server.answers['GET /api/leaves'] = { count: 7 };
  turn('online');
  await waitFor(() => expect(screen.getByText('7 leaves')).toBeTruthy());
});
