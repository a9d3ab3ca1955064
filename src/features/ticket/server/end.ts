import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { addDays, endOfDay, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { endNotices } from '#kit/server/messages/notifications.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { reopenDays } from '../contract/state.ts';
import { type ticketApi, ticketMessages } from '../contract/ticket.ts';
import { addComment, answeredBy, endPause, forbidden, refuse, writeTicket } from './act.ts';
import { noticeKey, tell } from './notices.ts';
import { closingTime } from './talk.ts';
import { type LockedTicket, lockTicket } from './visible.ts';
import { mayWork } from './work.ts';

/** The solution is a reply too, so that a reopening loses nothing. */
const resolve: Handler<typeof ticketApi.resolve> = async (ctx, { id, version, text }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayWork(ticket)) throw refuse();
  requireVersion(ticket, version);
  await endPause(ctx, id);
  await addComment(ctx, id, 'Public', text);
  const written = await writeTicket(
    ctx,
    ticket,
    {
      ...answeredBy(ticket, ctx.now()),
      assignee_id: ticket.assigneeId ?? ctx.user.staffId,
      status: 'Resolved',
      hold_reason_id: null,
      resolution: text,
      resolved_at: ctx.now(),
      closes_at: await closingTime(ctx),
    },
    { action: 'resolved', details: { Status: `${ticket.status} → Resolved` } },
  );
  await tell(ctx, 'resolved', { ...ticket, version: written.version }, [ticket.raisedBy]);
  return written;
};

const confirm: Handler<typeof ticketApi.confirm> = async (ctx, { id, rating }) => {
  const ticket = await lockTicket(ctx, id);
  if (!ticket.isRaiser) throw forbidden();
  if (ticket.status !== 'Resolved') throw refuse();
  await endNotices(ctx, [noticeKey(id)]);
  return writeTicket(
    ctx,
    ticket,
    { status: 'Closed', closed_at: ctx.now(), closes_at: null, rating },
    { action: 'confirmed', details: { Status: 'Resolved → Closed', ...(rating !== null && { Rating: rating }) } },
  );
};

/** A resolved ticket always; a closed one until the end of its last day. */
export const mayReopen = ({ isRaiser, status, closedAt }: LockedTicket, now: Date) =>
  isRaiser &&
  (status === 'Resolved' ||
    (status === 'Closed' && closedAt !== null && now <= endOfDay(addDays(toLocalDate(closedAt), reopenDays))));

const reopen: Handler<typeof ticketApi.reopen> = async (ctx, { id, reason }) => {
  const ticket = await lockTicket(ctx, id);
  if (!ticket.isRaiser) throw forbidden();
  if (!mayReopen(ticket, ctx.now()))
    throw ticket.status === 'Closed' ? new AppError('conflict', ticketMessages.tooLate) : refuse();
  await addComment(ctx, id, 'Public', reason);
  const written = await writeTicket(
    ctx,
    ticket,
    {
      status: 'In progress',
      resolved_at: null,
      resolution: '',
      closes_at: null,
      closed_at: null,
      rating: null,
      clock_from: ctx.now(),
      reopen_count: ticket.reopenCount + 1,
    },
    { action: 'reopened', details: { Status: `${ticket.status} → In progress`, Reason: reason } },
  );
  await tell(ctx, 'reopened', { ...ticket, version: written.version }, [ticket.assigneeId]);
  return written;
};

const cancel: Handler<typeof ticketApi.cancel> = async (ctx, { id, version, reason }) => {
  const ticket = await lockTicket(ctx, id);
  if (!ticket.isRaiser) throw forbidden();
  if (ticket.status !== 'Open') throw refuse();
  requireVersion(ticket, version);
  const written = await writeTicket(
    ctx,
    ticket,
    { status: 'Cancelled', cancel_reason: reason },
    { action: 'cancelled', details: { Status: 'Open → Cancelled', Reason: reason } },
  );
  await endNotices(ctx, [noticeKey(id)]);
  await tell(ctx, 'cancelled', { ...ticket, version: written.version }, [ticket.assigneeId]);
  return written;
};

export const mayChangeConfidential = (ticket: LockedTicket) =>
  ticket.isRaiser || (!ticket.isConfidential && (ticket.isAssignee || ticket.isPrincipal));

/** Readers who lose the ticket lose its unread notices too. Only the person who raised it opens it to others again. */
const setConfidential: Handler<typeof ticketApi.setConfidential> = async (ctx, { id, version, isConfidential }) => {
  const ticket = await lockTicket(ctx, id);
  if (!mayChangeConfidential(ticket)) throw forbidden();
  requireVersion(ticket, version);
  if (ticket.isConfidential === isConfidential) throw fieldRefusal('isConfidential', ticketMessages.same);
  if (isConfidential && ticket.assigneeId === null) throw fieldRefusal('isConfidential', ticketMessages.nobody);
  if (isConfidential && ticket.aboutStaffId !== null && ticket.aboutStaffId === ticket.assigneeId)
    throw fieldRefusal('isConfidential', ticketMessages.isAbout);
  if (isConfidential) await endNotices(ctx, [noticeKey(id)]);
  // A principal still reads a ticket after closing it to others.
  if (isConfidential && !ticket.isRaiser && !ticket.isAssignee && ctx.user.staffId !== ticket.aboutStaffId)
    await ctx.db
      .insertInto('ticket_participant')
      .values({ ticket_id: id, staff_id: ctx.user.staffId, since: ctx.now() })
      .onConflict((on) => on.doNothing())
      .execute();
  return writeTicket(
    ctx,
    ticket,
    { is_confidential: isConfidential },
    { action: isConfidential ? 'closed-to-others' : 'opened-to-others' },
  );
};

export const endHandlers = { resolve, confirm, reopen, cancel, setConfidential };
