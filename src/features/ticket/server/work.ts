import { sql } from 'kysely';
import { requireEmployed } from '#features/staff/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { inactiveMessage } from '#kit/contract/field.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { minuteOf } from '../contract/clock.ts';
import type { Priority } from '../contract/masters.ts';
import { unsolved } from '../contract/state.ts';
import { type ticketApi, ticketMessages } from '../contract/ticket.ts';
import { answeredBy, endPause, refuse, requireVersion, type TicketChange, writeTicket } from './act.ts';
import { queueReaders, tell } from './notices.ts';
import { readOpenHours, readRules, readTimed, timesOf } from './times.ts';
import { type LockedTicket, lockTicket, seeTicket } from './visible.ts';

export const isUnsolved = ({ status }: Pick<LockedTicket, 'status'>) =>
  (unsolved as readonly string[]).includes(status);
/** Works on the ticket: it is theirs, or their department's. */
export const mayWork = (ticket: LockedTicket) => isUnsolved(ticket) && (ticket.isAssignee || ticket.isAgent);
export const mayAccept = ({ status, assigneeId, isAssignee, isAgent, isOfDepartment, isConfidential }: LockedTicket) =>
  status === 'Open' && (isAssignee || (assigneeId === null && !isConfidential && (isAgent || isOfDepartment)));

const writeAssignment = (
  { db, user, now }: UserContext,
  { id, assigneeId }: LockedTicket,
  to: { staffId: number } | { departmentId: number },
  reason = '',
) =>
  db
    .insertInto('ticket_assignment')
    .values({
      ticket_id: id,
      from_staff_id: assigneeId,
      to_staff_id: 'staffId' in to ? to.staffId : null,
      to_department_id: 'departmentId' in to ? to.departmentId : null,
      by_staff_id: user.staffId,
      at: now(),
      reason,
    })
    .execute();

/** The ticket becomes the user's where nobody has it: before the act that needs an owner. */
async function takeOwner(ctx: UserContext, ticket: LockedTicket): Promise<TicketChange> {
  if (ticket.assigneeId !== null) return {};
  await writeAssignment(ctx, ticket, { staffId: ctx.user.staffId });
  return { assignee_id: ctx.user.staffId };
}

/** One of several who accept at once gets the ticket; the others read who was first. */
export async function acceptTicket(ctx: UserContext, ticket: LockedTicket) {
  if (!mayAccept(ticket)) {
    const { assignee, status, isAssignee } = ticket;
    if (assignee !== null && status === 'In progress' && !isAssignee)
      throw new AppError('conflict', text`Accepted by ${{ assignee }} a moment ago.`);
    throw refuse();
  }
  const owner = await takeOwner(ctx, ticket);
  return writeTicket(
    ctx,
    ticket,
    { ...owner, ...answeredBy(ticket, ctx.now()), status: 'In progress' },
    { action: 'accepted', details: { Status: 'Open → In progress' } },
  );
}

const accept: Handler<typeof ticketApi.accept> = async (ctx, { id }) => acceptTicket(ctx, await lockTicket(ctx, id));

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
  const written = await writeTicket(
    ctx,
    ticket,
    { ...owner, status: 'On hold', hold_reason_id: reason.id },
    { action: 'held', details: { Status: `${ticket.status} → On hold`, Reason: reason.name } },
  );
  await tell(ctx, 'held', { ...ticket, version: written.version }, [ticket.raisedBy]);
  return written;
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
  const isBreached = resolutionDueAt !== null && minuteOf(ctx.now()) > minuteOf(resolutionDueAt);
  return { resolutionDueAt: resolutionDueAt?.toISOString() ?? null, isBreached };
};

/** The targets of the new priority count from the same start, with all pauses since. */
export async function changePriority(ctx: UserContext, ticket: LockedTicket, priority: Priority, reason: string) {
  if (!mayWork(ticket)) throw refuse();
  if (ticket.priority === priority) throw fieldRefusal('priority', ticketMessages.same);
  return writeTicket(
    ctx,
    ticket,
    { priority },
    { action: 'prioritised', details: { Priority: `${ticket.priority} → ${priority}`, Reason: reason } },
  );
}

const setPriority: Handler<typeof ticketApi.setPriority> = async (ctx, { id, version, priority, reason }) => {
  const ticket = await lockTicket(ctx, id);
  if (mayWork(ticket)) requireVersion(ticket, version);
  return changePriority(ctx, ticket, priority as Priority, reason);
};

export const mayTransfer = (ticket: LockedTicket) => mayWork(ticket) || (ticket.isRaiser && ticket.status === 'Open');

interface Receiver {
  staffId: number | null;
  departmentId: number | null;
}

/** To a person the status stays; to the queue of a department the ticket is open again and its pause ends. */
export async function transferTicket(
  ctx: UserContext,
  ticket: LockedTicket,
  { staffId, departmentId }: Receiver,
  reason: string,
) {
  if (!mayTransfer(ticket)) throw refuse();
  if (staffId !== null) {
    if (staffId === ticket.assigneeId) throw fieldRefusal('staffId', ticketMessages.same);
    if (ticket.isConfidential && staffId === ticket.aboutStaffId) throw fieldRefusal('staffId', ticketMessages.isAbout);
    await requireEmployed(ctx, staffId, 'staffId');
    await writeAssignment(ctx, ticket, { staffId }, reason);
    const written = await writeTicket(
      ctx,
      ticket,
      { assignee_id: staffId },
      { action: 'transferred', details: { Reason: reason } },
    );
    await tell(ctx, 'assigned', { ...ticket, version: written.version }, [staffId]);
    return written;
  }
  if (ticket.isConfidential) throw fieldRefusal('departmentId', ticketMessages.onlyPerson);
  const department = await ctx.db
    .selectFrom('academic_department')
    .where('id', '=', departmentId)
    .where('is_active', '=', true)
    .select(['id', 'name'])
    .executeTakeFirst();
  if (!department) throw fieldRefusal('departmentId', inactiveMessage);
  await writeAssignment(ctx, ticket, { departmentId: department.id }, reason);
  await endPause(ctx, ticket.id);
  const written = await writeTicket(
    ctx,
    ticket,
    { status: 'Open', hold_reason_id: null, assignee_id: null, department_id: department.id },
    { action: 'transferred', details: { Department: department.name, Reason: reason } },
  );
  await tell(ctx, 'queued', { ...ticket, version: written.version }, await queueReaders(ctx, department.id));
  return written;
}

const transfer: Handler<typeof ticketApi.transfer> = async (ctx, { id, version, reason, ...to }) => {
  const ticket = await lockTicket(ctx, id);
  if (mayTransfer(ticket)) requireVersion(ticket, version);
  return transferTicket(ctx, ticket, to, reason);
};

export const workHandlers = { accept, hold, resume, dueAt, setPriority, transfer };
