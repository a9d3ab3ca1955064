import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { ticketMessages } from '../contract/ticket.ts';
import { retime } from './times.ts';
import type { LockedTicket } from './visible.ts';

export const refuse = () => new AppError('conflict', ticketMessages.state);
export const forbidden = () => new AppError('forbidden', ticketMessages.onlyRaiser);

/** The columns that an act on a ticket changes. */
export interface TicketChange {
  status?: string;
  assignee_id?: number | null;
  department_id?: number;
  priority?: string;
  hold_reason_id?: number | null;
  is_confidential?: boolean;
  responded_at?: Date | null;
  clock_from?: Date;
  resolved_at?: Date | null;
  resolution?: string;
  closes_at?: Date | null;
  closed_at?: Date | null;
  cancel_reason?: string;
  reopen_count?: number;
  rating?: number | null;
  /** What the act replaces, where it can be undone. */
  before_act?: string | null;
}

type Details = Record<string, string | number | boolean>;
type Acted = Pick<LockedTicket, 'id' | 'version'>;
export const idsOf = (tickets: readonly Pick<LockedTicket, 'id'>[]) => tickets.map(({ id }) => id);

/** Writes one act on locked tickets with their audit rows, and computes their due times. */
export async function writeTickets<Ticket extends Acted>(
  ctx: ActingContext,
  tickets: readonly Ticket[],
  change: { [Name in keyof TicketChange]: TicketChange[Name] | RawBuilder<NonNullable<TicketChange[Name]>> },
  { action, detailsOf = () => ({}) }: { action: string; detailsOf?: (ticket: Ticket) => Details },
) {
  const isOne = sql<boolean>`ticket.id = any(${idsOf(tickets)}::integer[])`;
  await ctx.db
    .updateTable('ticket')
    .set({ before_act: null, ...change, next_check_at: null, changed_at: ctx.now(), version: sql`version + 1` })
    .where(isOne)
    .execute();
  await retime(ctx, isOne);
  await auditAll(
    ctx,
    tickets.map((ticket) => ({
      ...(!ctx.user && { actor: 'System' }),
      action: `ticket.${action}`,
      entity: 'ticket',
      entityId: ticket.id,
      version: ticket.version + 1,
      details: detailsOf(ticket),
    })),
  );
}

/** As `writeTickets`, of one ticket; returns its new version. */
export async function writeTicket(
  ctx: ActingContext,
  ticket: Acted,
  change: TicketChange,
  { action, details = {} }: { action: string; details?: Details },
): Promise<Acted> {
  await writeTickets(ctx, [ticket], change, { action, detailsOf: () => details });
  return nextOf(ticket);
}

export const nextOf = ({ id, version }: Acted): Acted => ({ id, version: version + 1 });

/** Ends the open pauses of tickets; the minute in which one ends does not count as paused. */
export const endPause = ({ db, now }: Pick<UserContext, 'db' | 'now'>, ...ids: number[]) =>
  sql`update ticket_pause set to_at = greatest(from_at, ${now()})
    where ticket_id = any(${ids}::integer[]) and to_at is null`.execute(db);

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

/** Records the first answer of anyone but the raiser. */
export const answeredBy = ({ isRaiser, respondedAt }: LockedTicket, at: Date): TicketChange =>
  isRaiser || respondedAt !== null ? {} : { responded_at: at };
