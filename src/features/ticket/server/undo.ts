import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { endNotices } from '#kit/server/messages/notifications.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import type { ticketApi } from '../contract/ticket.ts';
import { endPause, nextOf, writeTickets } from './act.ts';
import { noticeKey } from './notices.ts';

/** The offer on the page is shorter; a slow answer still counts. */
const undoSeconds = 60;
const tooLate = text`This can no longer be undone.`;

/** The columns that an act replaces, as they are before it; the person who acted may put them back. */
export const undoableBy = ({ user }: UserContext) => sql<string>`jsonb_build_object('by', ${user.staffId}::integer,
  'status', status, 'assigneeId', assignee_id, 'departmentId', department_id, 'holdReasonId', hold_reason_id,
  'respondedAt', responded_at)`;

interface Before {
  by: number;
  status: string;
  assigneeId: number | null;
  departmentId: number;
  holdReasonId: number | null;
  respondedAt: string | null;
}

/** Undoes what the user did last with the ticket, also where they do not see it since. */
export const undo: Handler<typeof ticketApi.undo> = async (ctx, { id, version }) => {
  const { db, now, user } = ctx;
  const found = await db
    .selectFrom('ticket')
    .where('id', '=', id)
    .where(sql<boolean>`(before_act ->> 'by')::integer = ${user.staffId}`)
    .select(['id', 'version', 'status', 'assignee_id', 'changed_at', sql<Before>`before_act`.as('before')])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  requireVersion(found, version);
  const { before, status, assignee_id } = found;
  if (now().getTime() - found.changed_at.getTime() > undoSeconds * 1000) throw new AppError('conflict', tooLate);
  if (assignee_id !== before.assigneeId)
    await db
      .insertInto('ticket_assignment')
      .values({
        ticket_id: id,
        from_staff_id: assignee_id,
        to_staff_id: before.assigneeId,
        to_department_id: before.assigneeId === null ? before.departmentId : null,
        by_staff_id: user.staffId,
        at: now(),
        reason: 'Undone',
      })
      .execute();
  if (status === 'On hold') await endPause(ctx, id);
  if (before.status === 'On hold')
    await sql`update ticket_pause set to_at = null where id = (select max(id) from ticket_pause
      where ticket_id = ${id})`.execute(db);
  await writeTickets(
    ctx,
    [found],
    {
      status: before.status,
      assignee_id: before.assigneeId,
      department_id: before.departmentId,
      hold_reason_id: before.holdReasonId,
      responded_at: before.respondedAt === null ? null : new Date(before.respondedAt),
    },
    {
      action: 'undone',
      detailsOf: () => ({ ...(status !== before.status && { Status: `${status} → ${before.status}` }) }),
    },
  );
  await endNotices(ctx, [noticeKey(id)]);
  return nextOf(found);
};
