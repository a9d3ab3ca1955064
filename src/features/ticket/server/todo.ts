import { text, verbatim } from '#kit/contract/text.ts';
import type { TodoSource } from '#kit/server/dashboard.ts';
import { firstByMe, firstToMe } from './list.ts';

const toMe = 'ticket/ticket-entry-assign-to-me';
const byMe = 'ticket/ticket-entry-assign-by-me';

/** The user's own tickets by their time: those that are overdue, and those that are due today. */
const ownOf = (
  kind: string,
  { time, when }: { time: 'Overdue' | 'Due today'; when: 'late' | 'today' },
  title: TodoSource['title'],
): TodoSource => ({
  kind,
  title,
  icon: 'ticket',
  roles: ['Staff'],
  find: async (ctx, most) => {
    const { rows, ...found } = await firstToMe(ctx, toMe, { tab: 'mine', time }, most);
    return {
      ...found,
      rows: rows.map(({ id, subject, category, due }) => ({
        id,
        when,
        title: subject,
        about: category,
        detail: text`Solve by ${{ due }}`,
        to: `ticket/ticket-entry/${id}`,
        act: text`Open`,
      })),
    };
  },
});

const toConfirm: TodoSource = {
  kind: 'ticket-confirm',
  title: text`Tickets to confirm`,
  icon: 'ticket',
  roles: ['Staff'],
  find: async (ctx, most) => {
    const { rows, ...found } = await firstByMe(ctx, byMe, { tab: 'resolved' }, most);
    return {
      ...found,
      rows: rows.map(({ id, subject, category, assignee }) => ({
        id,
        when: 'soon',
        title: subject,
        about: category,
        detail: verbatim(assignee),
        to: `ticket/ticket-entry/${id}`,
        act: text`Confirm`,
      })),
    };
  },
};

export const ticketTodos = [
  ownOf('ticket-late', { time: 'Overdue', when: 'late' }, text`Tickets overdue`),
  ownOf('ticket-today', { time: 'Due today', when: 'today' }, text`Tickets due today`),
  toConfirm,
];
