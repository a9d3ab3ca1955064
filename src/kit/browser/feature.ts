import { type ComponentType, lazy } from 'react';
import type { SelectedNumber } from '#kit/browser/list/RecordList.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import type { Page } from '#kit/contract/page.ts';
import type { ListAct, PagePart, RecordAct, RecordCard } from '#kit/contract/record-card.ts';
import type { Text } from '#kit/contract/text.ts';

/**
 * Loads the module of a page: the one export whose name ends with `Page` is its component. The module's type is not
 * used, since pages link to addresses gathered from these manifests.
 */
type Load = () => Promise<object>;

interface Loaded {
  load: () => Promise<ComponentType>;
}

export type LoadedPage = Page & Loaded;

export interface ListActProps {
  selection: Selection;
  number: SelectedNumber;
  /** Ends the selection. */
  clear: () => void;
}

export type LoadedCard = RecordCard & { Card: ComponentType<{ record: never }> };
export type LoadedRecordAct = RecordAct & { Act: ComponentType<{ record: never }> };
export type LoadedPagePart = PagePart & { Part: ComponentType };
export type LoadedListAct = ListAct & { Act: ComponentType<ListActProps> };

/** A card with its component, which is loaded when it is first shown. */
export const loadedCard = <Shown>(
  card: RecordCard<Shown>,
  load: () => Promise<ComponentType<{ record: Shown }>>,
): LoadedCard => ({
  ...card,
  Card: lazy(async () => ({ default: (await load()) as ComponentType<{ record: never }> })),
});

/** The same for an act in the head of a record: a button, a link, or what opens a form. */
export const loadedRecordAct = <Shown>(
  act: RecordAct<Shown>,
  load: () => Promise<ComponentType<{ record: Shown }>>,
): LoadedRecordAct => ({
  ...act,
  Act: lazy(async () => ({ default: (await load()) as ComponentType<{ record: never }> })),
});

/** The same for a part of a page. */
export const loadedPagePart = (part: PagePart, load: () => Promise<ComponentType>): LoadedPagePart => ({
  ...part,
  Part: lazy(async () => ({ default: await load() })),
});

/** The same for acts on selected rows. */
export const loadedListAct = (act: ListAct, load: () => Promise<ComponentType<ListActProps>>): LoadedListAct => ({
  ...act,
  Act: lazy(async () => ({ default: await load() })),
});

/** A row of what is to do today, as the acts in it need it. */
export interface TodoRow {
  id: number;
  title: string;
  /** What the act sends back, so that it counts only for what was seen. */
  seen?: string | undefined;
}

/** An act in a row of the dashboard, by the kind of what is to do. */
export interface LoadedTodoAct {
  kind: string;
  Act: ComponentType<{ row: TodoRow }>;
  /** What the keys 1, 2 and so on do in the row: they press the buttons with that `data-key`. */
  keys: readonly Text[];
}

/** An act in a row of the dashboard, which is loaded when such a row is first shown. */
export const loadedTodoAct = (
  kind: string,
  load: () => Promise<ComponentType<{ row: TodoRow }>>,
  keys: readonly Text[] = [],
): LoadedTodoAct => ({
  kind,
  keys,
  Act: lazy(async () => ({ default: await load() })),
});

/** What a feature adds to other features' pages. */
interface Added {
  todoActs?: readonly LoadedTodoAct[];
  cards?: readonly LoadedCard[];
  recordActs?: readonly LoadedRecordAct[];
  listActs?: readonly LoadedListAct[];
  pageParts?: readonly LoadedPagePart[];
}

/** The browser side of a feature. `src/app/features.browser.tsx` names each feature once. */
export interface BrowserFeature<One extends Page = Page> {
  pages: readonly (One & Loaded)[];
  /** Its cards on other features' records. */
  cards: readonly LoadedCard[];
  /** Its acts in the heads of other features' records. */
  recordActs: readonly LoadedRecordAct[];
  /** Its acts on rows of other features' lists. */
  listActs: readonly LoadedListAct[];
  /** Its parts of other features' pages. */
  pageParts: readonly LoadedPagePart[];
  /** Its acts in rows of the dashboard. */
  todoActs: readonly LoadedTodoAct[];
}

/** The manifest of a feature's pages: adds a loader to each. */
export const browserFeature = <const Pages extends readonly Page[]>(
  pages: Pages,
  loads: Record<Pages[number]['path'], Load>,
  { cards = [], recordActs = [], listActs = [], pageParts = [], todoActs = [] }: Added = {},
): BrowserFeature<Pages[number]> => ({
  pages: pages.map((page) => ({
    ...page,
    load: async () => {
      const exported = Object.entries(await loads[page.path as Pages[number]['path']]());
      const [, component] = exported.find(([name]) => name.endsWith('Page')) ?? [];
      return component as ComponentType;
    },
  })),
  cards,
  recordActs,
  listActs,
  pageParts,
  todoActs,
});
