import type { ComponentType } from 'react';
import type { Page } from '#kit/contract/page.ts';

/** Loads the module of a page: the one export whose name ends with `Page` is its component. */
type Load = () => Promise<Record<string, unknown>>;

export interface LoadedPage extends Page {
  load: () => Promise<ComponentType>;
}

/** What a feature brings to the browser. `src/app/features.browser.tsx` names each feature once. */
export interface BrowserFeature {
  pages: readonly LoadedPage[];
}

/** The manifest of a feature's pages: adds to each how it is loaded. */
export const browserFeature = <const Pages extends readonly Page[]>(
  pages: Pages,
  loads: Record<Pages[number]['path'], Load>,
): BrowserFeature => ({
  pages: pages.map((page) => ({
    ...page,
    load: async () => {
      const exported = Object.entries(await loads[page.path as Pages[number]['path']]());
      const [, component] = exported.find(([name]) => name.endsWith('Page')) ?? [];
      return component as ComponentType;
    },
  })),
});
