import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type CardAnswer, cardOf, type ShownCard } from '#kit/contract/served-card.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import { fakeServer, refusal } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import type { Later } from './later-cards.tsx';
import { RecordPage } from './RecordPage.tsx';
import { useServedCards } from './ServedCards.tsx';

afterEach(() => vi.restoreAllMocks());

const endpoint = cardOf('/tree', 'public', [], 'tree');
const card = (key: string, order: number, isServed = true): ShownCard => ({
  key,
  part: 'now',
  order,
  title: verbatim(key),
  isServed,
});
const fruit: CardAnswer = {
  asOf: '2026-11-26',
  facts: [{ label: text`Name`, value: verbatim('12 apples') }],
  table: { heads: [text`Year`], rows: [[verbatim('2025')]] },
  to: '/fruit?tree=7',
  empty: text`Nothing found.`,
};
const empty: CardAnswer = { asOf: '', facts: [], table: null, to: '', empty: text`Nothing found.` };

const own = { soil: () => <p>Clay</p> };

function Tree({ cards, isLater }: { cards: ShownCard[]; isLater?: (card: ShownCard) => Later }) {
  const cardsOf = useServedCards({ kind: 'tree', head: { id: 7, cards }, own, endpoint, ...(isLater && { isLater }) });
  return <RecordPage title="Oak" parts={[{ key: 'now', title: 'Now', cards: cardsOf('now') }]} />;
}

test('the cards of the head are drawn in their order, by the owner or from what the server says', async () => {
  fakeServer({ 'GET /api/tree/7/card/fruit': fruit, 'GET /api/tree/7/card/nests': empty });
  renderPage(
    <Tree cards={[card('nests', 30), card('soil', 20, false), card('fruit', 10), card('unknown', 5, false)]} />,
  );
  expect(await screen.findByText('12 apples')).toBeTruthy();
  // A card with nothing to show is a name in the last line, which opens it.
  expect(screen.queryByText('Nothing found.')).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Show' }));
  expect(await screen.findByText('Nothing found.')).toBeTruthy();
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(titles).toEqual(['fruit', 'nests']);
  expect(screen.getByText('Clay')).toBeTruthy();
  expect(screen.getByRole('cell', { name: '2025' })).toBeTruthy();
  expect(screen.getByText('As of 26 Nov 2026')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show all fruit' }).getAttribute('href')).toBe('/fruit?tree=7');
});

test('cards with nothing to show are named in the order of the page, whichever answers first', async () => {
  let answerNests: (answer: CardAnswer) => void = () => undefined;
  const nests = new Promise<CardAnswer>((resolve) => {
    answerNests = resolve;
  });
  fakeServer({
    'GET /api/tree/7/card/nests': async () => Response.json(await nests),
    'GET /api/tree/7/card/fruit': empty,
  });
  renderPage(<Tree cards={[card('nests', 10), card('fruit', 20)]} />);
  const show = await screen.findByRole('button', { name: 'Show' });
  expect(show.parentElement?.textContent).toContain('Not recorded: fruit');
  answerNests(empty);
  await waitFor(() => expect(show.parentElement?.textContent).toContain('Not recorded: nests · fruit'));
});

test('facts of zero are left out beside others, and shown where there are no others', async () => {
  const counted = (values: string[]): CardAnswer => ({
    ...empty,
    facts: values.map((value, index) => ({ label: verbatim(`Count ${index}`), value: verbatim(value) })),
  });
  fakeServer({
    'GET /api/tree/7/card/nests': counted(['0', '3', '–']),
    'GET /api/tree/7/card/fruit': counted(['0']),
  });
  renderPage(<Tree cards={[card('nests', 10), card('fruit', 20)]} />);
  expect(await screen.findByText('3')).toBeTruthy();
  expect(await screen.findAllByText('0')).toHaveLength(1);
  expect(screen.queryByText('–')).toBeNull();
});

test('a served card that fails says so and leaves the others', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({
    'GET /api/tree/7/card/fruit': fruit,
    'GET /api/tree/7/card/nests': () => refusal('not_found', 'Not found.'),
  });
  renderPage(<Tree cards={[card('nests', 10), card('fruit', 20)]} />);
  expect(await screen.findByText('Not found.')).toBeTruthy();
  expect(await screen.findByText('12 apples')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('of a long table a phone shows three rows until the others are asked for', async () => {
  const years = ['2021', '2022', '2023', '2024', '2025'];
  const table = { heads: [text`Year`], rows: years.map((year) => [verbatim(year)]) };
  fakeServer({ 'GET /api/tree/7/card/fruit': { ...fruit, table } });
  renderPage(<Tree cards={[card('fruit', 10)]} />);
  const row = (await screen.findByRole('cell', { name: '2024' })).closest('tr');
  const folded = () => row?.closest('[data-folded]');
  expect([row?.hasAttribute('data-later'), Boolean(folded())]).toEqual([true, true]);
  expect(screen.getByRole('cell', { name: '2023' }).closest('tr')?.hasAttribute('data-later')).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Show 2 more' }));
  expect(folded()).toBeNull();
  expect(document.activeElement).toBe(row);
});

test('on a phone the first of the cards that were asked for has the focus, and the next one where it is empty', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query === '(max-width: 767px)',
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as never,
  );
  let answerNests: (answer: CardAnswer) => void = () => undefined;
  const nests = new Promise<CardAnswer>((resolve) => {
    answerNests = resolve;
  });
  fakeServer({
    'GET /api/tree/7/card/nests': async () => Response.json(await nests),
    'GET /api/tree/7/card/fruit': fruit,
  });
  const cards = [card('soil', 10, false), card('nests', 20), card('fruit', 30)];
  renderPage(<Tree cards={cards} isLater={({ key }) => key !== 'soil'} />);
  const show = await screen.findByRole('button', { name: 'Show' });
  expect(screen.getByText('More:').parentElement?.textContent).toContain('nests · fruit');
  show.focus();
  fireEvent.click(show);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'nests' })));
  answerNests(empty);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'fruit' })));
  expect(await screen.findByText('12 apples')).toBeTruthy();
});

test('a card that is later everywhere is named in the last line, and opened there', async () => {
  fakeServer({ 'GET /api/tree/7/card/fruit': fruit });
  const cards = [card('soil', 10, false), card('fruit', 30)];
  renderPage(<Tree cards={cards} isLater={({ key }) => key === 'fruit' && 'everywhere'} />);
  const show = await screen.findByRole('button', { name: 'Show' });
  expect(screen.getByText('More:').parentElement?.textContent).toBe('More: fruit');
  expect(screen.queryByText('12 apples')).toBeNull();
  fireEvent.click(show);
  expect(await screen.findByText('12 apples')).toBeTruthy();
});
