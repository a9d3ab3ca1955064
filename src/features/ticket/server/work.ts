import { sql } from 'kysely';
import { requireEmployed } from '#features/staff/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { minuteOf } from '../contract/clock.ts';
import type { Priority } from '../contract/masters.ts';
import { unsolved } from '../contract/state.ts';
import { type ticketApi, ticketMessages } from '../contract/ticket.ts';
import { endPause, idsOf, nextOf, refuse, type TicketChange, writeTicket, writeTickets } from './act.ts';
import { queueReaders, tell, tellMany } from './notices.ts';
import { readOpenHours, readRules, readTimed, timesOf } from './times.ts';
import { undoableBy } from './undo.ts';
import { type LockedTicket, lockTicket, seeTicket } from './visible.ts';

export const isUnsolved = ({ status }: Pick<LockedTicket, 'status'>) =>
  (unsolved as readonly string[]).includes(status);
/** Works on the ticket: it is theirs, or their department's. */
export const mayWork = (ticket: LockedTicket) => isUnsolved(ticket) && (ticket.isAssignee || ticket.isAgent);
export const mayAccept = ({ status, assigneeId, isAssignee, isAgent, isOfDepartment, isConfidential }: LockedTicket) =>
  status === 'Open' && (isAssignee || (assigneeId === null && !isConfidential && (isAgent || isOfDepartment)));

/** Notes who gets the tickets. */
const writeAssignments = (
  { db, user, now }: UserContext,
  tickets: readonly LockedTicket[],
  to: { staffId: number } | { departmentId: number },
  reason = '',
) =>
  insertRows(
    db,
    'ticket_assignment',
    tickets.map(({ id, assigneeId }) => ({
      ticket_id: id,
      from_staff_id: assigneeId,
      to_staff_id: 'staffId' in to ? to.staffId : null,
      to_department_id: 'departmentId' in to ? to.departmentId : null,
      by_staff_id: user.staffId,
      at: now(),
      reason,
    })),
  );

/** The ticket becomes the user's where nobody has it: before the act that needs an owner. */
async function takeOwner(ctx: UserContext, ticket: LockedTicket): Promise<TicketChange> {
  if (ticket.assigneeId !== null) return {};
  await writeAssignments(ctx, [ticket], { staffId: ctx.user.staffId });
  return { assignee_id: ctx.user.staffId };
}

/** The tickets are the user's, and answered unless the user raised them. */
export async function acceptTickets(ctx: UserContext, tickets: readonly LockedTicket[]) {
  const me = ctx.user.staffId;
  await writeAssignments(
    ctx,
    tickets.filter(({ assigneeId }) => assigneeId === null),
    { staffId: me },
  );
  const responded_at = sql<Date>`case when raised_by = ${me} then responded_at
    else coalesce(responded_at, ${ctx.now()}) end`;
  await writeTickets(
    ctx,
    tickets,
    { assignee_id: me, responded_at, status: 'In progress', before_act: undoableBy(ctx) },
    { action: 'accepted', detailsOf: () => ({ Status: 'Open → In progress' }) },
  );
}

/** One of several who accept at once gets the ticket; the others read who was first. */
const accept: Handler<typeof ticketApi.accept> = async (ctx, { id }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayAccept(ticket)) {
    const { assignee, status, isAssignee } = ticket;
    if (assignee !== null && status === 'In progress' && !isAssignee)
      throw new AppError('conflict', text`Accepted by ${{ assignee }} a moment ago.`);
    throw refuse();
  }
  await acceptTickets(ctx, [ticket]);
  return nextOf(ticket);
};

const hold: Handler<typeof ticketApi.hold> = async (ctx, { id, version, reasonId, note }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayWork(ticket) || ticket.status === 'On hold') throw refuse();
  requireVersion(ticket, version);
  const reason = await ctx.db
    .selectFrom('ticket_hold_reason')
    .where('id', '=', reasonId as number)
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .executeTakeFirst();
  if (!reason) throw fieldRefusal('reasonId', inactiveMessage);
  const owner = await takeOwner(ctx, ticket);
  await ctx.db
    .insertInto('ticket_pause')
    .values({ ticket_id: id, reason_id: reason.id, from_at: ctx.now(), note })
    .execute();
  await writeTickets(
    ctx,
    [ticket],
    { ...owner, status: 'On hold', hold_reason_id: reason.id, before_act: undoableBy(ctx) },
    { action: 'held', detailsOf: () => ({ Status: `${ticket.status} → On hold`, Reason: reason.name }) },
  );
  const held = nextOf(ticket);
  await tell(ctx, 'held', { ...ticket, version: held.version }, [ticket.raisedBy]);
  return held;
};

const resume: Handler<typeof ticketApi.resume> = async (ctx, { id, version }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayWork(ticket) || ticket.status !== 'On hold') throw refuse();
  requireVersion(ticket, version);
  await endPause(ctx, id);
  return writeTicket(
    ctx,
    ticket,
    { status: 'In progress', hold_reason_id: null },
    { action: 'resumed', details: { Status: 'On hold → In progress' } },
  );
};

const dueAt: Handler<typeof ticketApi.dueAt> = async (ctx, { id, priority }) => {
  const ticket = await seeTicket(ctx, id);
  const [timed] = await readTimed(ctx, sql<boolean>`ticket.id = ${ticket.id}`, priority);
  if (!timed) throw refuse();
  const { resolutionDueAt } = timesOf(
    await readOpenHours(ctx, timed.raisedAt, timed.clockFrom),
    timed,
    await readRules(ctx),
  );
  const isOverdue = resolutionDueAt !== null && minuteOf(ctx.now()) > minuteOf(resolutionDueAt);
  return { resolutionDueAt: resolutionDueAt?.toISOString() ?? null, isOverdue };
};

/** The targets of the new priority count from the same start, with all pauses since. */
export const changePriorities = (
  ctx: UserContext,
  tickets: readonly LockedTicket[],
  priority: Priority,
  reason: string,
) =>
  writeTickets(
    ctx,
    tickets,
    { priority },
    {
      action: 'prioritised',
      detailsOf: (ticket) => ({ Priority: `${ticket.priority} → ${priority}`, Reason: reason }),
    },
  );

const setPriority: Handler<typeof ticketApi.setPriority> = async (ctx, { id, version, priority, reason }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayWork(ticket)) throw refuse();
  requireVersion(ticket, version);
  if (ticket.priority === priority) throw fieldRefusal('priority', ticketMessages.same);
  await changePriorities(ctx, [ticket], priority as Priority, reason);
  return nextOf(ticket);
};

export const mayTransfer = (ticket: LockedTicket) => mayWork(ticket) || (ticket.isRaiser && ticket.status === 'Open');

export interface Receiver {
  staffId: number | null;
  departmentId: number | null;
}

/** Why a ticket cannot go to the person or department, if it cannot, with the field that names the receiver. */
export function refusalOfTransfer(
  ticket: LockedTicket,
  { staffId }: Receiver,
): { field: string; text: Text } | undefined {
  const field = staffId === null ? 'departmentId' : 'staffId';
  const { isConfidential, aboutStaffId, assigneeId } = ticket;
  if (staffId === null) return isConfidential ? { field, text: ticketMessages.onlyPerson } : undefined;
  if (staffId === assigneeId) return { field, text: ticketMessages.same };
  return isConfidential && staffId === aboutStaffId ? { field, text: ticketMessages.isAbout } : undefined;
}

/** A person who works here today, or a department in use. */
export async function requireReceiver(ctx: UserContext, { staffId, departmentId }: Receiver) {
  if (staffId !== null) {
    await requireEmployed(ctx, staffId, 'staffId');
    return { staffId };
  }
  const department = await ctx.db
    .selectFrom('academic_department')
    .where('id', '=', departmentId)
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .executeTakeFirst();
  if (!department) throw fieldRefusal('departmentId', inactiveMessage);
  return { departmentId: department.id, department: department.name };
}

/** Assigning to a person keeps the status; moving to a department’s queue opens the ticket again and ends its pause. */
export async function transferTickets(
  ctx: UserContext,
  tickets: readonly LockedTicket[],
  to: Awaited<ReturnType<typeof requireReceiver>>,
  reason: string,
) {
  await writeAssignments(ctx, tickets, to, reason);
  const isToPerson = to.staffId !== undefined;
  if (!isToPerson) await endPause(ctx, ...idsOf(tickets));
  await writeTickets(
    ctx,
    tickets,
    isToPerson
      ? { assignee_id: to.staffId, before_act: undoableBy(ctx) }
      : {
          status: 'Open',
          hold_reason_id: null,
          assignee_id: null,
          department_id: to.departmentId,
          before_act: undoableBy(ctx),
        },
    {
      action: 'transferred',
      detailsOf: () => ({ ...(!isToPerson && { Department: to.department }), Reason: reason }),
    },
  );
  const staffIds = isToPerson ? [to.staffId] : await queueReaders(ctx, to.departmentId);
  await tellMany(
    ctx,
    tickets.map((ticket) => ({
      ...ticket,
      word: isToPerson ? 'assigned' : 'queued',
      staffIds,
      turn: String(nextOf(ticket).version),
    })),
  );
}

const transfer: Handler<typeof ticketApi.transfer> = async (ctx, { id, version, reason, ...to }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayTransfer(ticket)) throw refuse();
  requireVersion(ticket, version);
  const refusal = refusalOfTransfer(ticket, to);
  if (refusal) throw fieldRefusal(refusal.field, refusal.text);
  await transferTickets(ctx, [ticket], await requireReceiver(ctx, to), reason);
  return nextOf(ticket);
};

export const workHandlers = { accept, hold, resume, dueAt, setPriority, transfer };
