import { createContext, type ReactNode, Suspense, use } from 'react';
import type {
  ListActProps,
  LoadedCard,
  LoadedListAct,
  LoadedPagePart,
  LoadedRecordAct,
  LoadedTodoAct,
  TodoRow,
} from '#kit/browser/feature.ts';
import { translate } from '#kit/browser/text.ts';

/** What the features add to each other's pages, as far as the user may read it. The shell provides it. */
export const Added = createContext<{
  cards: readonly LoadedCard[];
  recordActs: readonly LoadedRecordAct[];
  listActs: readonly LoadedListAct[];
  pageParts: readonly LoadedPagePart[];
  todoActs: readonly LoadedTodoAct[];
}>({
  cards: [],
  recordActs: [],
  listActs: [],
  pageParts: [],
  todoActs: [],
});

/** Merges the cards of a part with those that features add to it: `own` by their order. */
export function useRecordCards(kind: string, record: unknown) {
  const { cards } = use(Added);
  const shown = cards.filter((card) => card.record === kind && card.isShown?.(record as never) !== false);
  return (part: string, own: Readonly<Record<number, ReactNode>> = {}): ReactNode[] =>
    [
      ...Object.entries(own).map(([order, card]) => ({ order: Number(order), card })),
      ...shown
        .filter((card) => card.part === part)
        .map(({ key, order, Card }) => ({
          order,
          card: (
            <Suspense key={key} fallback={null}>
              <Card record={record as never} />
            </Suspense>
          ),
        })),
    ]
      .sort((one, other) => one.order - other.order)
      .map(({ card }) => card);
}

/** A record, and its kind as its owner names it. */
export interface ActedOn {
  kind: string;
  record: unknown;
}

/** The acts that features add to the head of a record; nothing where there is none. */
export function useRecordActs(on: ActedOn | undefined): ReactNode {
  const { recordActs } = use(Added);
  const shown = recordActs.filter((act) => act.record === on?.kind && act.isShown?.(on.record as never) !== false);
  if (shown.length === 0) return null;
  return shown
    .toSorted((one, other) => one.order - other.order)
    .map(({ key, Act }) => (
      <Suspense key={key} fallback={null}>
        <Act record={on?.record as never} />
      </Suspense>
    ));
}

interface Part {
  key: string;
  title: string;
  body: ReactNode;
}

/** Puts the parts that features add to a page among its own, which stand at 10, 20 and so on. */
export function usePageParts(page: string, own: readonly Part[]): Part[] {
  const { pageParts } = use(Added);
  return [
    ...own.map((part, index) => ({ ...part, order: (index + 1) * 10 })),
    ...pageParts
      .filter((part) => part.page === page)
      .map(({ key, order, title, Part }) => ({ key, order, title: translate(title), body: <Part /> })),
  ].toSorted((one, other) => one.order - other.order);
}

/** What the keys do in rows of these kinds. */
export function useTodoKeys(kinds: readonly string[]) {
  const { todoActs } = use(Added);
  return todoActs.find(({ kind, keys }) => keys.length > 0 && kinds.includes(kind))?.keys ?? [];
}

/** Whether features add acts to rows of a kind. */
export const useHasTodoActs = () => {
  const { todoActs } = use(Added);
  const kinds = new Set(todoActs.map(({ kind }) => kind));
  return (kind: string) => kinds.has(kind);
};

/** The acts that features add to a row of what is to do today. */
export function AddedTodoActs({ kind, row }: { kind: string; row: TodoRow }) {
  const { todoActs } = use(Added);
  return todoActs
    .filter((act) => act.kind === kind)
    .map(({ kind, Act }) => (
      <Suspense key={kind} fallback={null}>
        <Act row={row} />
      </Suspense>
    ));
}

/** The acts that features add to the selected rows of a list. */
export function AddedListActs({ list, ...props }: { list: string } & ListActProps) {
  const { listActs } = use(Added);
  return listActs
    .filter((act) => act.list === list)
    .map(({ key, Act }) => (
      <Suspense key={key} fallback={null}>
        <Act {...props} />
      </Suspense>
    ));
}
