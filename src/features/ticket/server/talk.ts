import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { saveFile } from '#kit/server/files/files.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { minuteOf, momentOf, sameTimeOn } from '../contract/clock.ts';
import { closingDays } from '../contract/state.ts';
import { fileNames, type ticketApi, ticketMessages } from '../contract/ticket.ts';
import { addComment, answeredBy, endPause, type TicketChange, writeTicket } from './act.ts';
import { tell } from './notices.ts';
import { readOpenHours } from './times.ts';
import { type LockedTicket, lockTicket } from './visible.ts';

const tooMany = text`This ticket has too many files.`;

/** Stores the files of the request with the ticket, or with a comment on it. */
export async function saveFiles(ctx: UserContext, ticketId: number, commentId: number | null) {
  for (const name of fileNames) {
    const upload = ctx.uploads[name];
    if (!upload) continue;
    const owner = commentId === null ? { table: 'ticket', id: ticketId } : { table: 'ticket_comment', id: commentId };
    const file_id = await saveFile(ctx, { ...owner, tooMany }, name, upload);
    await ctx.db.insertInto('ticket_file').values({ file_id, ticket_id: ticketId, comment_id: commentId }).execute();
  }
}

/** When a ticket that is resolved now closes by itself. */
export async function closingTime(ctx: UserContext): Promise<Date | null> {
  const now = ctx.now();
  const at = sameTimeOn(await readOpenHours(ctx, now), minuteOf(now), closingDays);
  return at === null ? null : momentOf(at);
}

export const mayNote = ({ isAssignee, isAgent }: LockedTicket) => isAssignee || isAgent;

/** A reply is never refused because of another one; an internal note is for those who work on the ticket. */
export const comment: Handler<typeof ticketApi.comment> = async (ctx, { id, kind, body }) => {
  const ticket = await lockTicket(ctx, id);
  const isInternal = kind === 'Internal';
  if (isInternal && !mayNote(ticket)) throw fieldRefusal('kind', ticketMessages.state);
  if (ticket.status === 'Closed' || ticket.status === 'Cancelled')
    throw new AppError('conflict', ticketMessages.closed);
  const commentId = await addComment(ctx, id, kind, body);
  await saveFiles(ctx, id, commentId);
  const change: TicketChange = isInternal ? {} : answeredBy(ticket, ctx.now());
  const resumes = !isInternal && ticket.isRaiser && ticket.status === 'On hold' && ticket.resumesOnReply === true;
  if (resumes) {
    await endPause(ctx, id);
    Object.assign(change, { status: 'In progress', hold_reason_id: null });
  }
  if (!isInternal && ticket.isRaiser && ticket.status === 'Resolved')
    Object.assign(change, { closes_at: await closingTime(ctx) });
  const written = await writeTicket(ctx, ticket, change, {
    action: isInternal ? 'noted' : 'replied',
    ...(resumes && { details: { Status: 'On hold → In progress' } }),
  });
  await tell(
    ctx,
    'answered',
    { ...ticket, version: written.version },
    isInternal ? [ticket.assigneeId] : [ticket.assigneeId, ticket.raisedBy],
  );
  return written;
};
