import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

/** The log names a ticket by its number: its subject may say what only its participants read. */
export const auditWords: AuditWords = {
  actions: {
    'ticket.raised': { verb: 'Created', words: text`Raised the ticket` },
    'ticket.replied': { verb: 'Sent', words: text`Replied` },
    'ticket.noted': { verb: 'Created', words: text`Wrote an internal note` },
    'ticket.accepted': { verb: 'Decided', words: text`Accepted the ticket` },
    'ticket.held': { verb: 'Decided', words: text`Put the ticket on hold` },
    'ticket.resumed': { verb: 'Restored', words: text`Resumed the ticket` },
    'ticket.prioritised': { verb: 'Changed', words: text`Changed the priority` },
    'ticket.transferred': { verb: 'Changed', words: text`Transferred the ticket` },
    'ticket.reminded': { verb: 'Sent', words: text`Reminded the person who has the ticket` },
    'ticket.resolved': { verb: 'Ended', words: text`Resolved the ticket` },
    'ticket.confirmed': { verb: 'Verified', words: text`Confirmed the solution` },
    'ticket.reopened': { verb: 'Reversed', words: text`Reopened the ticket` },
    'ticket.cancelled': { verb: 'Reversed', words: text`Cancelled the ticket` },
    'ticket.closed-to-others': { verb: 'Changed', words: text`Made the ticket confidential` },
    'ticket.opened-to-others': { verb: 'Changed', words: text`Ended the confidentiality` },
    'ticket.escalated': { verb: 'Changed', words: text`Notified others that the ticket is late` },
    'ticket.undone': { verb: 'Reversed', words: text`Undid the last change` },
    'ticket.recategorised': { verb: 'Changed', words: text`Changed the category` },
    'ticket.retargeted': { verb: 'Changed', words: text`Applied the new targets` },
    'ticket.closed': { verb: 'Ended', words: text`Closed the ticket after three working days` },
    'ticket-policy.saved': { verb: 'Changed', words: text`Saved the policy of tickets` },
    'ticket-policy.usual-added': { verb: 'Created', words: text`Added the usual categories and targets of tickets` },
    'ticket-policy.applied': { verb: 'Changed', words: text`Applied the policy to open tickets` },
    'ticket-hours.saved': { verb: 'Changed', words: text`Saved the business hours of tickets` },
    'ticket-escalation.saved': { verb: 'Changed', words: text`Saved the escalation of tickets` },
    'ticket-by-me.exported': { verb: 'Exported', words: text`Exported tickets` },
    'ticket-to-me.exported': { verb: 'Exported', words: text`Exported tickets` },
  },
  records: {
    ticket: {
      kind: text`Ticket`,
      findNames: async (db, ids) => {
        const rows = await db.selectFrom('ticket').where('id', 'in', ids).select(['id', 'ticket_no']).execute();
        return rows.map(({ id, ticket_no }) => ({ id, name: ticket_no }));
      },
    },
    ticket_policy: {
      kind: text`Policy of tickets`,
      findNames: (db, ids) => db.selectFrom('ticket_policy').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
    ticket_hours: { kind: text`Business hours of tickets`, findNames: async () => [] },
    ticket_escalation_rule: { kind: text`Escalation of tickets`, findNames: async () => [] },
    'ticket-by-me': { kind: text`Tickets`, findNames: async () => [] },
    'ticket-to-me': { kind: text`Tickets`, findNames: async () => [] },
  },
};
