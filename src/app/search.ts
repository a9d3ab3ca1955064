import { type FoundGroup, leastSearched, searchApi } from '#features/search/contract.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { features } from './features.server.ts';
import { mayOpen } from './pages.ts';

/** Of all kinds; the browser adds at most 8 pages. */
const mostHits = 20;
const leastOfKind = 2;

const find: Handler<typeof searchApi.find> = async (ctx, { search }) => {
  if ([...search].length < leastSearched) return [];
  const groups = features.flatMap(({ searches }) => searches).filter((group) => mayOpen(group, ctx.user));
  const most = Math.max(leastOfKind, Math.floor(mostHits / groups.length));
  const found: FoundGroup[] = [];
  // One after another: a search takes one connection, not one for each kind.
  for (const { kind, title, find } of groups) {
    const hits = await find(ctx, search, most);
    if (hits.length > 0) found.push({ kind, title, hits });
  }
  return found.sort((one, other) => closenessOf(other) - closenessOf(one));
};

/** The closeness of the best hit, which comes first. */
const closenessOf = ({ hits: [first] }: FoundGroup) => first?.closeness ?? 0;

export default routes(searchApi, { find });
