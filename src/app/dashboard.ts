import { dashboardApi } from '#features/dashboard/contract.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { features } from './features.server.ts';
import { mayOpen } from './pages.ts';
import { findWarnings } from './warnings.ts';

const read: Handler<typeof dashboardApi.read> = async (ctx, { academicYearId = 0 }) => {
  const year = await ctx.db
    .selectFrom('academic_year')
    .where((on) => on.or([on('id', '=', academicYearId), on('status', '=', 'Current')]))
    .orderBy((on) => on('id', '=', academicYearId), 'desc')
    .select(['id', 'name', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  const visible = features.flatMap((feature) => feature.cards).filter((card) => mayOpen(card, ctx.user));
  const cards = [];
  // One after another: an open dashboard takes one connection, not one for each card.
  for (const { title, count } of visible) {
    const figures = await count(ctx, year);
    if (figures.length > 0) cards.push({ title, figures });
  }
  const warnings = ctx.user.role === 'Admin' ? await findWarnings(ctx) : [];
  return { warnings, year: year?.name ?? null, cards };
};

export default routes(dashboardApi, { read });
