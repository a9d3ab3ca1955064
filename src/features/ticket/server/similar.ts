import { sql } from 'kysely';
import { toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import type { TicketState } from '../contract/state.ts';
import type { ticketApi } from '../contract/ticket.ts';
import { isVisible } from './visible.ts';

const least = 4;
const most = 5;

/** Open tickets that the user may read and whose subject has similar words. */
export const similar: Handler<typeof ticketApi.similar> = async (ctx, { subject, categoryId, studentId, roomId }) => {
  if (subject.trim().length < least) return [];
  const { rows } = await sql<{ id: number; ticketNo: string; subject: string; status: TicketState }>`
    with typed as (select search_key(${subject}) as key)
    select ticket.id, ticket.ticket_no as "ticketNo", ticket.subject, ticket.status from ticket, typed
    where ticket.search_key %> typed.key and ticket.status in ('Open', 'In progress', 'On hold')
      and ${isVisible(ctx.user, toLocalDate(ctx.now()))}
    order by (coalesce(ticket.category_id = ${categoryId}, false))::integer
        + (coalesce(ticket.about_student_id = ${studentId}, false))::integer
        + (coalesce(ticket.room_id = ${roomId}, false))::integer desc,
      word_similarity(typed.key, ticket.search_key) desc, ticket.id desc
    limit ${most}`.execute(ctx.db);
  return rows;
};
