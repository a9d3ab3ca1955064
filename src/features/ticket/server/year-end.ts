import { sql } from 'kysely';
import { isCounted } from '#features/calendar/api.ts';
import { text } from '#kit/contract/text.ts';
import type { YearEndLine } from '#kit/server/context.ts';
import { localTimeZone } from '#kit/server/day.ts';

/** Tickets that were raised by the last day and are open. */
const open: YearEndLine = {
  key: 'ticket.open',
  title: text`Open tickets`,
  at: 'says',
  fate: text`remain with their assignees`,
  act: text`Open`,
  sets: ['principal'],
  count: async ({ db }, year) => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from ticket own
      where own.status in ('Open', 'In progress', 'On hold')
        and (own.raised_at at time zone ${localTimeZone})::date <= ${year.endsOn}
        and ${isCounted(year, sql`own.branch_id`)}`.execute(db);
    return rows[0]?.open ? { open: rows[0].open, to: 'ticket/ticket-entry-assign-to-me' } : undefined;
  },
};

export const ticketYearEnd = [open];
