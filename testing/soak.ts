import { test } from 'vitest';

/** Whether `npm run soak` runs the tests: it tests every item and has no time limit. */
export const isSoak = process.env.SOAK === 'on';

/** A slow test that only `npm run soak` runs. */
export function soak(title: string, act: () => Promise<void> | void) {
  if (isSoak) test(title, act);
}

/** The first item of each kind; all of them in `npm run soak`. */
export function oneOfEach<Item>(items: readonly Item[], kindOf: (item: Item) => unknown): Item[] {
  if (isSoak) return [...items];
  const kinds = items.map((item) => JSON.stringify(kindOf(item)));
  return items.filter((_, index) => kinds.indexOf(kinds[index] ?? '') === index);
}
