import type { ComponentType } from 'react';
import type { Page } from '#kit/contract/page.ts';

/**
 * Loads the module of a page: the one export whose name ends with `Page` is its component. The module's type is not
 * used, since pages link to addresses gathered from these manifests.
 */
type Load = () => Promise<object>;

interface Loaded {
  load: () => Promise<ComponentType>;
}

export type LoadedPage = Page & Loaded;

/** The browser side of a feature. `src/app/features.browser.tsx` names each feature once. */
export interface BrowserFeature<One extends Page = Page> {
  pages: readonly (One & Loaded)[];
}

/** The manifest of a feature's pages: adds a loader to each. */
export const browserFeature = <const Pages extends readonly Page[]>(
  pages: Pages,
  loads: Record<Pages[number]['path'], Load>,
): BrowserFeature<Pages[number]> => ({
  pages: pages.map((page) => ({
    ...page,
    load: async () => {
      const exported = Object.entries(await loads[page.path as Pages[number]['path']]());
      const [, component] = exported.find(([name]) => name.endsWith('Page')) ?? [];
      return component as ComponentType;
    },
  })),
});
