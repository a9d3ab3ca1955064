import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { RecordCard } from './RecordCard.tsx';
import { RecordPage } from './RecordPage.tsx';

afterEach(() => vi.restoreAllMocks());

const output = z.object({ height: z.string() });
const measures = endpoint({ method: 'GET', path: '/tree/1/measures', access: 'public', input: z.object({}), output });

const Measures = () => (
  <RecordCard title="Measures">
    <QueryBoundary query={useRead(measures, {})}>{({ height }) => <p>{height}</p>}</QueryBoundary>
  </RecordCard>
);

const parts = [
  { key: 'measures', title: 'Measures', cards: [<Measures key="measures" />, <p key="site">North side</p>] },
  { key: 'changes', title: 'Changes', cards: [<p key="none">No changes.</p>] },
];

test('the part of a record is in the address', async () => {
  fakeServer({ 'GET /api/tree/1/measures': { height: '21 m' } });
  const router = renderPage(<RecordPage title="Oak" parts={parts} />, '/page?part=changes');
  expect(await screen.findByText('No changes.')).toBeTruthy();
  expect(screen.queryByText('North side')).toBeNull();

  const nav = screen.getByRole('navigation', { name: 'Parts of Oak' });
  fireEvent.click(within(nav).getByRole('link', { name: 'Measures' }));
  expect(await screen.findByText('21 m')).toBeTruthy();
  expect(router.state.location.search).toEqual({ part: 'measures' });
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Measures');
});

test('an unknown part is the first one, and a single part has no tabs', async () => {
  renderPage(<RecordPage title="Oak" parts={parts.slice(1)} />, '/page?part=roots');
  expect(await screen.findByText('No changes.')).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('the head has the name, what it is, its status and what can be done next', async () => {
  renderPage(
    <RecordPage
      title="Oak"
      about="Tree"
      chips={<b>Growing</b>}
      actions={<button type="button">Move…</button>}
      parts={[]}
    />,
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'Oak' })).toBeTruthy();
  for (const words of ['Tree', 'Growing', 'Move…']) expect(screen.getByText(words)).toBeTruthy();
});

test.each([
  ['is not there', () => refusal('not_found', 'Not found.'), 'Not found.'],
  ['cannot be read', () => undefined, /can’t be reached/],
])('a card that %s leaves the others, and is tried again', async (_, answer, words) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  const server = fakeServer({ 'GET /api/tree/1/measures': answer });
  renderPage(<RecordPage title="Oak" parts={parts} />);
  expect(await screen.findByText(words, undefined, { timeout: 20_000 })).toBeTruthy();
  expect(screen.getByText('North side')).toBeTruthy();

  server.answers['GET /api/tree/1/measures'] = { height: '21 m' };
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('21 m')).toBeTruthy();
});
