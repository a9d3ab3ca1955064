import { expect, test } from 'vitest';
import { staleIn, staleTexts } from './changed-texts.ts';

const files = ['src/a.tsx', 'src/gone.tsx'];
const said = (...paths: string[]) => ({ origin: paths.map((path): [string] => [path]) });

test('a text of a changed file that its catalogue lacks, or has of it no more, is stale', () => {
  const catalogue = { Kept: said('src/a.tsx', 'src/b.tsx'), Old: said('src/gone.tsx'), Other: said('src/b.tsx') };
  expect(staleIn(catalogue, { Kept: said('src/a.tsx') }, files)).toEqual(['Old']);
  expect(staleIn(catalogue, { Kept: said('src/a.tsx', 'src/a.tsx'), Other: said('src/a.tsx') }, files)).toEqual([
    'Old',
    'Other',
  ]);
  expect(staleIn({}, { New: said('src/a.tsx') }, files)).toEqual(['New']);
});

test('the committed catalogues have the texts of a page and of a contract', async () => {
  const changed = ['src/features/ticket/pages/TicketPage.tsx', 'src/features/homework/contract/words.ts'];
  expect(await staleTexts(changed)).toEqual([]);
});
