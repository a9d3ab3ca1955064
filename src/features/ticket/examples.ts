import { toAccount } from '#testing/addressed.ts';
import type { Person } from '#testing/browser.ts';
import type { Examples, Stage } from '#testing/examples.ts';
import type { School } from '#testing/school.ts';
import { plantTicket } from '#testing/tickets.ts';

const words = [
  'answered',
  'assigned',
  'cancelled',
  'held',
  'late',
  'overdue',
  'queued',
  'reminded',
  'reopened',
  'resolved',
  'soon',
  'unanswered',
];

const exported =
  (list: string) =>
  async ({ school, office }: Stage) => {
    await plantTicket(school, office.staffId);
    return { url: `/ticket/${list}/export?as=csv`, by: office };
  };

const message = (school: School, { staffId }: Person) =>
  toAccount(school, { subject: () => plantTicket(school, staffId) });

export const examples: Examples = {
  exports: {
    'GET /ticket/by-me/export': exported('by-me'),
    'GET /ticket/to-me/export': exported('to-me'),
  },
  messages: Object.fromEntries(words.map((word) => [`ticket.${word}`, message])),
};
