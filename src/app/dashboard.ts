import { dashboardApi } from '#features/dashboard/contract.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { features } from './features.server.ts';
import { mayOpen } from './pages.ts';
import { findWarnings } from './warnings.ts';

const read: Handler<typeof dashboardApi.read> = async (ctx) => {
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('status', '=', 'Current')
    .select(['id', 'name', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  const visible = year ? features.flatMap((feature) => feature.cards).filter((card) => mayOpen(card, ctx.user)) : [];
  const cards = [];
  // One after another: an open dashboard takes one connection, not one for each card.
  for (const { title, count } of visible) if (year) cards.push({ title, figures: await count(ctx, year) });
  const warnings = ctx.user.role === 'Admin' ? await findWarnings(ctx) : [];
  return { warnings, year: year?.name ?? null, cards };
};

export default routes(dashboardApi, { read });
