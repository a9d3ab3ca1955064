import { mayOpen } from '#access/contract/may-open.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { SearchGroup } from '#kit/server/search.ts';
import { type FoundGroup, leastSearched, searchApi } from './contract.ts';

/** Of all kinds; the browser adds at most 8 pages. Kinds that have hits share them. */
const mostHits = 20;
const mostOfKind = 10;
const leastOfKind = 2;

/** The closeness of the best hit, which comes first. */
const closenessOf = ({ hits: [first] }: FoundGroup) => first?.closeness ?? 0;

const findIn =
  (all: readonly SearchGroup[]): Handler<typeof searchApi.find> =>
  async (ctx, { search, kind: wanted }) => {
    if ([...search].length < leastSearched) return [];
    const groups = all.filter((group) => mayOpen(group, ctx.user) && (!wanted || group.kind === wanted));
    const found: FoundGroup[] = [];
    // One after another: a search takes one connection, not one for each kind.
    for (const { kind, title, list, find } of groups) {
      const hits = await find(ctx, search, mostOfKind);
      const all = list && `${list}?${new URLSearchParams({ tab: 'all', search })}`;
      if (hits.length > 0) found.push({ kind, title, hits, ...(all && { all }) });
    }
    const most = Math.max(leastOfKind, Math.floor(mostHits / found.length));
    return found
      .map(({ all, ...group }) => ({
        ...group,
        hits: group.hits.slice(0, most),
        ...(all && group.hits.length > Math.min(most, mostOfKind - 1) && { all }),
      }))
      .sort((one, other) => closenessOf(other) - closenessOf(one));
  };

/** The header's search over the groups of all features. */
export const searchRoutes = (groups: readonly SearchGroup[]) => routes(searchApi, { find: findIn(groups) });
