import { expect, test } from 'vitest';
import type { Page } from '#kit/contract/page.ts';
import { features } from './features.server.ts';

const pathsOf = (pages: readonly Pick<Page, 'path'>[]) => pages.map(({ path }) => path).toSorted();

test('the manifests of both sides list the same pages', async () => {
  // Its type needs JSX, which the server side is compiled without.
  const file: string = './features.browser.tsx';
  const { features: sides }: { features: readonly { pages: readonly Page[] }[] } = await import(file);
  expect(pathsOf(sides.flatMap(({ pages }) => pages))).toEqual(pathsOf(features.flatMap(({ pages }) => pages)));
});
