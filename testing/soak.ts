import { test } from 'vitest';

/** Whether `npm run soak` runs the tests: it walks everything and waits as long as it takes. */
export const isSoak = process.env.SOAK === 'on';

/** A test that takes long by nature: only `npm run soak` runs it. */
export function soak(title: string, act: () => Promise<void> | void) {
  if (isSoak) test(title, act);
}

/** The first item of each kind; in `npm run soak` all of them. */
export function oneOfEach<Item>(items: readonly Item[], kindOf: (item: Item) => unknown): Item[] {
  if (isSoak) return [...items];
  const kinds = items.map((item) => JSON.stringify(kindOf(item)));
  return items.filter((_, index) => kinds.indexOf(kinds[index] ?? '') === index);
}
