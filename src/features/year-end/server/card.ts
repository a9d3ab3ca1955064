import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { DashboardCard, Figure } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { countedFor, findYear, firstEnded } from './ending-year.ts';
import { readLines } from './lines.ts';
import { isReachedProposal } from './proposal.ts';

/** Days before the last day of a year from which its turn is on the dashboard. */
const daysBefore = 60;
const path = 'academic/year-end';

/** What the turn of a year still needs, from its last weeks until it is closed: each figure is what is left to do. */
export const turnCard: DashboardCard = {
  title: text`The turn of the year`,
  sets: ['office', 'principal'],
  count: async (ctx) => {
    const today = toLocalDate(ctx.now());
    const year = await findYear(ctx, firstEnded(today));
    if (!year || year.phase === 'Closed' || today < addDays(year.endsOn, -daysBefore)) return [];
    const lines = await ctx.db
      .transaction()
      .execute((db) => readLines({ ...ctx, db }, countedFor(ctx, year), ({ isOnCard }) => isOnCard === true));
    // A line that fails has no figure; the page of the year says so.
    const figures = lines.flatMap(({ title, open, to }): Figure[] =>
      open === null
        ? []
        : [{ label: title as Figure['label'], value: open, to: to || `${path}?tab=next&year=${year.id}` }],
    );
    const { rows } = await sql<{ asked: number; none: number }>`
      select count(*)::integer as asked, count(*) filter (where answer = '')::integer as none
      from year_proposal own where from_year_id = ${year.id} and ${isReachedProposal(ctx)}`.execute(ctx.db);
    const { asked, none } = rows[0] ?? { asked: 0, none: 0 };
    const to = `${path}?tab=families&year=${year.id}&answer=${encodeURIComponent('No answer')}`;
    return asked === 0 ? figures : [{ label: text`Families without an answer`, value: none, to }, ...figures];
  },
};
