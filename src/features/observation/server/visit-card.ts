import { sql } from 'kysely';
import { admin, staff } from '#access/contract/grants.ts';
import { reportCard } from '#features/staff/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { text, verbatim } from '#kit/contract/text.ts';
import type { ServedCard, UserContext } from '#kit/server/context.ts';
import { showScore } from '../contract/score.ts';
import { isOverseen, isShared, observable } from './visit-visible.ts';

const mostShown = 5;

/** The shared visits to a person's lessons, for the person and those who oversee them; the latest first. */
async function visitsOf(ctx: UserContext, staffId: number) {
  const isOwn = staffId === ctx.user.staffId;
  return observable(ctx)
    .innerJoin('observation_visit as visit', 'visit.observed_id', 'observed.id')
    .where('visit.observed_id', '=', staffId)
    .where(isShared)
    .where(sql<boolean>`(${isOwn} or ${isOverseen(ctx.user)})`)
    .select(['visit.id', 'visit.score', 'visit.state'])
    .select(sql<string>`to_char(visit.scheduled_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`.as('day'))
    .select(sql<string>`(select name from staff where id = visit.observer_id)`.as('observer'))
    .orderBy('visit.scheduled_at', 'desc')
    .limit(100)
    .execute();
}

/** Visits to the lessons of a member of staff, once they are shared. */
export const staffVisits: ServedCard = {
  card: reportCard('observation', 'school', 60, text`Lesson observations`, [
    admin(),
    staff('principal', 'headOfDepartment'),
  ]),
  read: async (ctx, id) => {
    const visits = await visitsOf(ctx, id);
    const isOwn = id === ctx.user.staffId;
    const waiting = visits.filter(({ state }) => state === 'Shared').length;
    return {
      asOf: '',
      facts:
        visits.length > 0
          ? [
              { label: text`Visits`, value: verbatim(String(visits.length)) },
              { label: text`Not acknowledged`, value: verbatim(String(waiting)) },
            ]
          : [],
      table:
        visits.length > 0
          ? {
              heads: [text`Date`, text`Observer`, text`Score`, text`State`],
              rows: visits
                .slice(0, mostShown)
                .map(({ day, observer, score, state }) => [
                  verbatim(showDate(day)),
                  verbatim(observer),
                  verbatim(showScore(score)),
                  verbatim(state),
                ]),
            }
          : null,
      to: isOwn
        ? '/school-erp/staff-observation/own-observation'
        : '/school-erp/staff-observation/staff-observation-list?tab=all',
      empty: text`No shared visits yet.`,
    };
  },
};
