import { sql } from 'kysely';
import { AppError, staleMessage } from '#kit/contract/errors.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { audit } from '#kit/server/security/audit.ts';
import { ticketMessages } from '../contract/ticket.ts';
import { retime } from './times.ts';
import type { LockedTicket } from './visible.ts';

export const refuse = () => new AppError('conflict', ticketMessages.state);
export const forbidden = () => new AppError('forbidden', ticketMessages.onlyRaiser);

/** Throws `stale` where somebody changed the ticket since the version that was seen. */
export function requireVersion({ version }: LockedTicket, seen: number) {
  if (version !== seen) throw new AppError('stale', staleMessage, { data: { version } });
}

/** The columns of an act on a ticket; those that are absent stay. */
export interface TicketChange {
  status?: string;
  assignee_id?: number | null;
  department_id?: number;
  priority?: string;
  hold_reason_id?: number | null;
  is_confidential?: boolean;
  responded_at?: Date;
  clock_from?: Date;
  resolved_at?: Date | null;
  resolution?: string;
  closes_at?: Date | null;
  closed_at?: Date | null;
  cancel_reason?: string;
  reopen_count?: number;
  rating?: number | null;
}

/** Writes an act on a locked ticket with its audit row, computes its due times, and returns its new version. */
export async function writeTicket(
  ctx: ActingContext,
  { id, version }: Pick<LockedTicket, 'id' | 'version'>,
  change: TicketChange,
  { action, details = {} }: { action: string; details?: Record<string, string | number | boolean> },
): Promise<{ id: number; version: number }> {
  await ctx.db
    .updateTable('ticket')
    .set({ ...change, next_check_at: null, changed_at: ctx.now(), version: version + 1 })
    .where('id', '=', id)
    .execute();
  await retime(ctx, sql<boolean>`ticket.id = ${id}`);
  await audit(ctx, {
    ...(!ctx.user && { actor: 'System' }),
    action: `ticket.${action}`,
    entity: 'ticket',
    entityId: id,
    version: version + 1,
    details,
  });
  return { id, version: version + 1 };
}

/** Ends the open pause of a ticket; the minute in which it ends does not count as paused. */
export const endPause = ({ db, now }: Pick<UserContext, 'db' | 'now'>, id: number) =>
  sql`update ticket_pause set to_at = greatest(from_at, ${now()}) where ticket_id = ${id} and to_at is null`.execute(
    db,
  );

/** Adds a line to the conversation. */
export async function addComment(
  { db, user, now }: UserContext,
  ticketId: number,
  kind: string,
  body: string,
): Promise<number> {
  const { id } = await db
    .insertInto('ticket_comment')
    .values({ ticket_id: ticketId, kind, body, staff_id: user.staffId, at: now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The first answer of somebody other than the person who asked. */
export const answeredBy = ({ isRaiser, respondedAt }: LockedTicket, at: Date): TicketChange =>
  isRaiser || respondedAt !== null ? {} : { responded_at: at };
