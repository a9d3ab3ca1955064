import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { retime } from './times.ts';

/** True of an open `ticket` of this person. */
const isOpenOf = (staffId: number) =>
  sql<boolean>`ticket.assignee_id = ${staffId} and ticket.status in ('Open', 'In progress', 'On hold')`;

const lock = ({ db }: ActingContext, { staffId }: { staffId: number }) =>
  sql`select from ticket where ${isOpenOf(staffId)} order by id for update`.execute(db);

/**
 * Open tickets of a person who leaves go to the person of the category, else to the queue of the department, a confidential one to
 * the head; a confidential ticket without a receiver blocks the leaving.
 */
export const handOverTickets = answer(relieveHook, { by: 'ticket', step: 11, lock }, async (ctx, { staffId }) => {
  const { rows } = await sql<{ id: number; version: number; number: string; to: number | null; isBlocked: boolean }>`
    select ticket.id, ticket.version, ticket.ticket_no as number, receiver.id as to,
      ticket.is_confidential and receiver.id is null as "isBlocked"
    from ticket join ticket_category category on category.id = ticket.category_id
    join academic_department department on department.id = ticket.department_id
    left join lateral (select staff.id from staff
      where staff.id in (case when ticket.is_confidential then department.staff_id end, category.assignee_id)
        and staff.id not in (${staffId}, coalesce(case when ticket.is_confidential then ticket.about_staff_id end, 0))
      order by staff.id = category.assignee_id desc limit 1) as receiver on true
    where ${isOpenOf(staffId)} order by ticket.id`.execute(ctx.db);
  const moved = rows.filter(({ isBlocked }) => !isBlocked);
  const given = JSON.stringify(moved.map(({ id, to }) => ({ id, to })));
  const to = sql`jsonb_to_recordset(${given}::jsonb) as own (id integer, "to" integer)`;
  await sql`insert into ticket_assignment (ticket_id, from_staff_id, to_staff_id, to_department_id, at, reason)
    select own.id, ${staffId}, own.to, case when own.to is null then ticket.department_id end, ${ctx.now()}, 'Left the school'
    from ${to} join ticket on ticket.id = own.id`.execute(ctx.db);
  await sql`update ticket_pause set to_at = greatest(from_at, ${ctx.now()}) from ${to}
    where ticket_id = own.id and to_at is null and own.to is null`.execute(ctx.db);
  await sql`update ticket set assignee_id = own.to, status = case when own.to is null then 'Open' else status end,
      hold_reason_id = case when own.to is null then null else hold_reason_id end, next_check_at = null,
      changed_at = ${ctx.now()}, version = version + 1
    from ${to} where ticket.id = own.id`.execute(ctx.db);
  await retime(ctx, sql<boolean>`ticket.id = any(${moved.map(({ id }) => id)}::integer[])`);
  const count = moved.length;
  return {
    ends:
      count === 0
        ? []
        : [
            text(
              { message: '{count, plural, one {# open ticket} other {# open tickets}} will be assigned to others.' },
              { count },
            ),
          ],
    blocks: rows
      .filter(({ isBlocked }) => isBlocked)
      .map(({ number }) => text`Ticket ${{ number }} is confidential. Transfer it to another person.`),
    basis: rows.map(({ id, version }) => [id, version]),
  };
});
