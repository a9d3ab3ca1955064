import { mostSkippedShown } from '#kit/contract/bulk.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditEach } from '#kit/server/security/audit.ts';
import { manyApi, manyMessages } from '../contract/many.ts';
import type { Priority } from '../contract/masters.ts';
import { ticketMessages } from '../contract/ticket.ts';
import { idsOf } from './act.ts';
import { byMeSelected, toMeSelected } from './list.ts';
import { queueReaders, tellMany } from './notices.ts';
import { type LockedTicket, lockTickets } from './visible.ts';
import {
  acceptTickets,
  changePriorities,
  isUnsolved,
  mayAccept,
  mayTransfer,
  mayWork,
  refusalOfTransfer,
  requireReceiver,
  transferTickets,
} from './work.ts';

interface Act {
  selected: (ctx: UserContext, selection: Selection) => Promise<number[]>;
  /** Why the act leaves a ticket out, if it does. */
  refusalOf: (ticket: LockedTicket) => Text | undefined;
  act: (tickets: readonly LockedTicket[]) => Promise<unknown>;
}

/** Locks the selected tickets and acts on those that it does not leave out. */
async function actOnMany(
  ctx: UserContext,
  { selection, confirmToken }: { selection: Selection; confirmToken?: string | undefined },
  { selected, refusalOf, act }: Act,
) {
  const ids = await selected(ctx, selection);
  return previewOrApply(ctx, confirmToken, async () => {
    const able: LockedTicket[] = [];
    const skipped: { id: number; name: string; reason: Text }[] = [];
    for (const ticket of await lockTickets(ctx, ids)) {
      const reason = refusalOf(ticket);
      if (reason) skipped.push({ id: ticket.id, name: ticket.ticketNo, reason });
      else able.push(ticket);
    }
    if (able.length > 0) await act(able);
    return {
      answer: { changed: able.length, skipped: skipped.slice(0, mostSkippedShown), skippedCount: skipped.length },
      basis: [able.map(({ id, version }) => [id, version]), skipped.map(({ id, reason }) => [id, reason.id])],
      isRefused: able.length === 0,
    };
  });
}

const accept: Handler<typeof manyApi.accept> = (ctx, input) =>
  actOnMany(ctx, input, {
    selected: toMeSelected,
    refusalOf: (ticket) => (mayAccept(ticket) ? undefined : manyMessages.notOpen),
    act: (tickets) => acceptTickets(ctx, tickets),
  });

const transfer: Handler<typeof manyApi.transfer> = async (ctx, { reason, staffId, departmentId, ...input }) => {
  const to = await requireReceiver(ctx, { staffId, departmentId });
  return actOnMany(ctx, input, {
    selected: toMeSelected,
    refusalOf: (ticket) => {
      if (!mayTransfer(ticket)) return manyMessages.notYours;
      return refusalOfTransfer(ticket, { staffId, departmentId })?.text;
    },
    act: (tickets) => transferTickets(ctx, tickets, to, reason),
  });
};

const prioritise: Handler<typeof manyApi.prioritise> = (ctx, { reason, priority, ...input }) =>
  actOnMany(ctx, input, {
    selected: toMeSelected,
    refusalOf: (ticket) => {
      if (!mayWork(ticket)) return manyMessages.notYours;
      return ticket.priority === priority ? ticketMessages.same : undefined;
    },
    act: (tickets) => changePriorities(ctx, tickets, priority as Priority, reason),
  });

const remind: Handler<typeof manyApi.remind> = (ctx, input) =>
  actOnMany(ctx, input, {
    selected: byMeSelected,
    refusalOf: (ticket) => {
      if (!isUnsolved(ticket)) return manyMessages.over;
      return ticket.isAssignee ? manyMessages.yours : undefined;
    },
    act: async (tickets) => {
      const readers = new Map<number, number[]>();
      const queued = tickets.filter(({ assigneeId }) => assigneeId === null);
      // As many reads as there are departments with a queue.
      for (const departmentId of new Set(queued.map((ticket) => ticket.departmentId)))
        readers.set(departmentId, await queueReaders(ctx, departmentId));
      await tellMany(
        ctx,
        tickets.map((ticket) => ({
          ...ticket,
          word: 'reminded',
          staffIds: ticket.assigneeId === null ? (readers.get(ticket.departmentId) ?? []) : [ticket.assigneeId],
          turn: toLocalDate(ctx.now()),
        })),
      );
      await auditEach(ctx, { action: 'ticket.reminded', entity: 'ticket' }, idsOf(tickets));
    },
  });

export const manyRoutes = routes(manyApi, { accept, transfer, prioritise, remind });
