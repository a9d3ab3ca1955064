import * as z from 'zod/mini';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { type BulkAnswer, bulkAnswer } from '#kit/contract/bulk.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { verbatim } from '#kit/contract/text.ts';
import { BulkAct } from './BulkAct.tsx';

const fell = endpoint({
  method: 'POST',
  path: '/kit/fell',
  access: 'public',
  input: z.object({ confirmToken }),
  output: bulkAnswer,
});

const skipped = ['Oak', 'Elm'].map((name, id) => ({ id, name, reason: verbatim('A nest is in this tree.') }));

/** A preview whose act is never applied. */
const preview = (answer: Partial<BulkAnswer>, close: () => void): Preview<typeof fell> => ({
  shown: {
    input: {},
    answer: { changed: 0, skipped: [], skippedCount: 0, isApplied: false, confirmToken: null, ...answer },
  },
  close,
  problem: null,
  isBusy: false,
  data: undefined,
  show: async () => undefined,
  take: () => undefined,
  apply: async () => undefined,
  forget: () => undefined,
});

const shown = (words: string, answer: Partial<BulkAnswer>) => (
  <Opener words={words}>
    {(close) => (
      <BulkAct
        preview={preview(answer, close)}
        title="Fell the selected trees"
        effect={(count) => `${count} trees are felled.`}
        confirm="Fell"
        onApplied={() => undefined}
      />
    )}
  </Opener>
);

export const bulkAct: Section = {
  name: 'BulkAct',
  states: {
    'All of them': shown('Fell three', { changed: 3, confirmToken: 'token' }),
    'Some are skipped': shown('Fell some', { changed: 3, skipped, skippedCount: 12, confirmToken: 'token' }),
    'Nothing to do': shown('Fell none', { skipped, skippedCount: 2 }),
  },
};
