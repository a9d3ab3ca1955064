import { options } from '#kit/contract/text.ts';

export const ticketStates = options('Open', 'In progress', 'On hold', 'Resolved', 'Closed', 'Cancelled');
export type TicketState = (typeof ticketStates)[number];

/** States in which something is still to do. */
export const unsolved = ['Open', 'In progress', 'On hold'] as const satisfies readonly TicketState[];

/** How a ticket stands against its due time. */
export const ticketChips = options('On time', 'Due today', 'Overdue', 'Paused', 'Not timed', 'Done');
export type TicketChip = (typeof ticketChips)[number];

export const behalves = options('Self', 'Guardian', 'Student', 'Staff');
export const sources = options('App', 'Phone', 'Walk-in', 'Email');
export const commentKinds = options('Public', 'Internal');

/** A closed ticket is reopened until the end of the so many days after the day on which it was closed. */
export const reopenDays = 7;
/** A resolved ticket closes by itself after so many working days. */
export const closingDays = 3;
