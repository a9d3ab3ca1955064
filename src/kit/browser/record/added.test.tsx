import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { loadedPagePart } from '#kit/browser/feature.ts';
import { text } from '#kit/contract/text.ts';
import { renderPage } from '#testing/render-page.tsx';
import { Added, usePageParts } from './added.tsx';

const part = { key: 'birds', order: 15, title: text`Birds`, access: 'public' as const };
const none = { cards: [], recordActs: [], listActs: [], todoActs: [] };

function Garden() {
  const parts = usePageParts('garden/tree-list', [
    { key: 'trees', title: 'Trees', body: 'Oak' },
    { key: 'ponds', title: 'Ponds', body: 'Lily' },
  ]);
  return parts.map(({ key, title, body }) => (
    <section key={key} aria-label={title}>
      {body}
    </section>
  ));
}

test('a part that a feature adds stands at its place among the parts of one page', async () => {
  const load = async () => () => 'Mynah';
  const pageParts = [
    loadedPagePart({ ...part, page: 'garden/tree-list' }, load),
    loadedPagePart({ ...part, page: 'garden/park-list', key: 'benches' }, load),
  ];
  renderPage(
    <Added value={{ ...none, pageParts }}>
      <Garden />
    </Added>,
  );
  expect(await screen.findByText('Mynah')).toBeTruthy();
  expect(screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))).toEqual([
    'Trees',
    'Birds',
    'Ponds',
  ]);
});
