import type { Page } from '#kit/contract/page.ts';
import { text } from '#kit/contract/text.ts';

const roles = ['Staff'] as const;

export const ticketPages = [
  {
    path: 'ticket/ticket-entry-assign-by-me',
    records: 'ticket/ticket-entry',
    title: text`Ticket Entry Assign By`,
    reads: 'GET /ticket/by-me',
    isReadAhead: true,
    roles,
    acts: [{ key: 'add', title: text`Raise a ticket`, alsoNamed: text`complaint, repair, request` }],
    search: ['tab', 'act', 'time', 'search'],
  },
  {
    path: 'ticket/ticket-entry-assign-to-me',
    records: 'ticket/ticket-entry',
    title: text`Ticket Entry Assign To Me`,
    reads: 'GET /ticket/to-me',
    isReadAhead: true,
    roles,
    hasBadge: true,
    search: ['tab', 'time', 'search'],
  },
  {
    path: 'ticket/ticket-entry/$ticketID',
    title: text`Ticket`,
    reads: 'GET /ticket/:id/record',
    isReadAhead: true,
    roles,
  },
  {
    path: 'ticket/ticket-master',
    title: text`Ticket Masters`,
    reads: 'GET /ticket/category',
    roles: ['Admin'],
    tabs: [
      { key: 'category', title: text`Categories` },
      { key: 'policy', title: text`Policies` },
      { key: 'hours', title: text`Business hours` },
      { key: 'escalation', title: text`Escalation` },
      { key: 'hold-reason', title: text`Hold reasons` },
      { key: 'canned-reply', title: text`Canned replies` },
    ],
    search: ['tab', 'search'],
  },
] as const satisfies readonly Page[];
