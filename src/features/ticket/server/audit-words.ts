import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

/** The log names a ticket by its number: its subject may say what only its participants read. */
export const auditWords: AuditWords = {
  actions: {
    'ticket.raised': text`Raised the ticket`,
    'ticket.replied': text`Replied`,
    'ticket.noted': text`Wrote an internal note`,
    'ticket.accepted': text`Accepted the ticket`,
    'ticket.held': text`Put the ticket on hold`,
    'ticket.resumed': text`Went on with the ticket`,
    'ticket.prioritised': text`Changed the priority`,
    'ticket.transferred': text`Transferred the ticket`,
    'ticket.reminded': text`Reminded the person who has the ticket`,
    'ticket.resolved': text`Resolved the ticket`,
    'ticket.confirmed': text`Confirmed the solution`,
    'ticket.reopened': text`Reopened the ticket`,
    'ticket.cancelled': text`Cancelled the ticket`,
    'ticket.closed-to-others': text`Made the ticket confidential`,
    'ticket.opened-to-others': text`Ended the confidentiality`,
    'ticket.escalated': text`Told others that the ticket is late`,
    'ticket.undone': text`Took the last act back`,
    'ticket.recategorised': text`Changed the category`,
    'ticket.retargeted': text`Applied the new targets`,
    'ticket.closed': text`Closed the ticket after three working days`,
    'ticket-policy.saved': text`Saved the policy of tickets`,
    'ticket-policy.usual-added': text`Added the usual categories and targets of tickets`,
    'ticket-policy.applied': text`Applied the policy to open tickets`,
    'ticket-hours.saved': text`Saved the business hours of tickets`,
    'ticket-escalation.saved': text`Saved the escalation of tickets`,
    'ticket-by-me.exported': text`Exported tickets`,
    'ticket-to-me.exported': text`Exported tickets`,
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
