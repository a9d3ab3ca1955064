import { dashboardApi } from '#features/dashboard/contract.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { features } from './features.server.ts';
import { mayOpen } from './pages.ts';
import { findWarnings } from './warnings.ts';

const warnings: Handler<typeof dashboardApi.warnings> = (ctx) => findWarnings(ctx);

const cards: Handler<typeof dashboardApi.cards> = async (ctx) => {
  const year = await ctx.db
    .selectFrom('academic_year')
    .where('status', '=', 'Current')
    .select(['id', 'name', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  if (!year) return { year: null, cards: [] };
  const visible = features.flatMap((feature) => feature.cards).filter((card) => mayOpen(card, ctx.user));
  const counted = visible.map(async ({ title, count }) => ({ title, figures: await count(ctx, year) }));
  return { year: year.name, cards: await Promise.all(counted) };
};

export default routes(dashboardApi, { warnings, cards });
