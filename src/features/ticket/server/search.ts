import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { containsName, type SearchGroup, wordsOf } from '#kit/server/search.ts';
import { isVisible } from './visible.ts';

const least = 3;

/** Tickets by any part of the number, or by words of the subject. */
export const ticketSearch: SearchGroup = {
  kind: 'ticket',
  title: text`Tickets`,
  roles: ['Staff'],
  find: async ({ db, user, now }, search, most) => {
    if (search.trim().length < least) return [];
    const found = wordsOf(search).map(
      (word) => sql<boolean>`(ticket.ticket_no ilike ${contains(word)} or ${containsName('ticket', word)})`,
    );
    const { rows } = await sql<{ id: number; subject: string; number: string; status: string }>`
      select ticket.id, ticket.subject, ticket.ticket_no as number, ticket.status from ticket
      where ${isVisible(user, toLocalDate(now()))} and ${sql.join(found, sql` and `)}
      order by ticket.status in ('Closed', 'Cancelled'), ticket.id desc limit ${most}`.execute(db);
    return rows.map(({ id, subject, number, status }) => ({
      id,
      title: subject,
      detail: `${number} · ${status}`,
      to: `ticket/ticket-entry/${id}`,
    }));
  },
};
