import { mayOpen } from '#access/contract/may-open.ts';
import type { DashboardCard, PageBadge } from '#kit/server/dashboard.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';
import { dashboardApi } from './contract.ts';

const readFor =
  (all: readonly DashboardCard[], findWarnings: FindWarnings): Handler<typeof dashboardApi.read> =>
  async (ctx, { academicYearId = 0 }) => {
    const year = await ctx.db
      .selectFrom('academic_year')
      .where((on) => on.or([on('id', '=', academicYearId), on('status', '=', 'Current')]))
      .orderBy((on) => on('id', '=', academicYearId), 'desc')
      .select(['id', 'name', 'starts_on', 'ends_on'])
      .executeTakeFirst();
    const visible = all.filter((card) => mayOpen(card, ctx.user));
    const cards = [];
    // One after another: an open dashboard takes one connection, not one for each card.
    for (const { title, count } of visible) {
      const figures = await count(ctx, year);
      if (figures.length > 0) cards.push({ title, figures });
    }
    const warnings = ctx.user.role === 'Admin' ? await findWarnings(ctx) : [];
    return { warnings, year: year?.name ?? null, cards };
  };

const badgesFor =
  (all: readonly PageBadge[]): Handler<typeof dashboardApi.badges> =>
  async (ctx) => {
    const counts: Record<string, number> = {};
    for (const badge of all.filter((one) => mayOpen(one, ctx.user))) counts[badge.path] = await badge.count(ctx);
    return counts;
  };

/** The dashboard with the cards of all features, and the numbers beside pages in the menu. */
export const dashboardRoutes = (
  cards: readonly DashboardCard[],
  badges: readonly PageBadge[],
  findWarnings: FindWarnings,
) => routes(dashboardApi, { read: readFor(cards, findWarnings), badges: badgesFor(badges) });
