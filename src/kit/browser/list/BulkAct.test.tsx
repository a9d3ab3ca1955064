import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { renderPage } from '#testing/render-page.tsx';
import { BulkAct } from './BulkAct.tsx';

const fell = endpoint({
  method: 'POST',
  path: '/tree/fell',
  access: 'public',
  input: z.object({ confirmToken }),
  output: bulkAnswer,
});

function Trees() {
  const preview = usePreview(fell);
  return (
    <>
      <button type="button" onClick={() => void preview.show({})}>
        Fell
      </button>
      <BulkAct preview={preview} title="Fell trees" effect={(count) => count} confirm="Fell all" done="Trees felled" />
    </>
  );
}

test.each([
  ['and how many were skipped', 1, 'Trees felled: 12.1 was skipped.'],
  ['and no more where none was skipped', 0, 'Trees felled: 12.'],
])('a toast says how many records an act changed, %s', async (_case, skippedCount, words) => {
  const answer = { changed: 12, skipped: [], skippedCount, isApplied: false, confirmToken: 'a' };
  const { answers } = fakeServer({ 'POST /api/tree/fell': answer });
  renderPage(<Trees />);
  fireEvent.click(await screen.findByRole('button', { name: 'Fell' }));
  const apply = await screen.findByRole('button', { name: 'Fell all' });
  answers['POST /api/tree/fell'] = { ...answer, isApplied: true };
  fireEvent.click(apply);
  const title = await screen.findByText('Trees felled: 12.');
  expect(title.closest('[role=status] > div')?.textContent).toBe(words);
});
