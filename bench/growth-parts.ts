// What stands on a page beside others: each card, figure, chart, line of work and group of hits by itself.
import { mayOpen } from '../src/access/contract/may-open.ts';
import { features } from '../src/app/features.server.ts';
import { isGranted } from '../src/kit/contract/endpoint.ts';
import type { Page } from '../src/kit/contract/page.ts';
import { english } from '../src/kit/contract/text.ts';
import type { UserContext } from '../src/kit/server/context.ts';
import type { CountedYear } from '../src/kit/server/dashboard.ts';

/** A common name, so that many are found. */
const searched = 'patel';
const mostRows = 8;

/** A part of a page, by the name that the benchmark prints. */
interface Part {
  name: string;
  ask: () => Promise<unknown>;
}

/** The parts that features add to pages for this user: to the dashboard, the menu, the search, and records by their first ids. */
export function partsOf(
  ctx: UserContext,
  year: CountedYear | undefined,
  firstIds: ReadonlyMap<string, number>,
): Part[] {
  const open = <One extends Pick<Page, 'roles' | 'sets'>>(
    all: (feature: (typeof features)[number]) => readonly One[],
  ) => features.flatMap(all).filter((one) => mayOpen(one, ctx.user));
  return [
    ...open(({ cards }) => cards).map(({ title, count, lines }) => ({
      name: `card ${english(title)}`,
      ask: async () => [await count(ctx, year), await lines?.(ctx)],
    })),
    ...[...open(({ dayFigures }) => dayFigures), ...open(({ charts }) => charts)].map(({ title, read }) => ({
      name: `figure ${english(title)}`,
      ask: () => read(ctx, year),
    })),
    ...open(({ badges }) => badges).map(({ path, count }) => ({ name: `badge ${path}`, ask: () => count(ctx) })),
    ...open(({ todos }) => todos).map(({ kind, find }) => ({ name: `to do ${kind}`, ask: () => find(ctx, mostRows) })),
    ...open(({ dayCells }) => dayCells).map(({ title, read }) => ({
      name: `day ${english(title)}`,
      ask: () => read(ctx),
    })),
    ...open(({ searches }) => searches).map(({ kind, find }) => ({
      name: `search ${kind}`,
      ask: () => find(ctx, searched, mostRows),
    })),
    ...features
      .flatMap(({ recordCards }) => recordCards)
      .filter(({ card }) => isGranted(card.access, ctx.user))
      .flatMap(({ card: { record, key }, read, today }) => {
        const id = firstIds.get(`/${record}`);
        if (!read || id === undefined) return [];
        return [
          {
            name: `record card ${key} of ${record}`,
            ask: async () => [await read(ctx, id, always), await today?.(ctx, id)],
          },
        ];
      }),
  ];
}

const always = { from: '', to: '' };
