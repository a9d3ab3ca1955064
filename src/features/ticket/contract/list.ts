import * as z from 'zod/mini';
import { staffNames } from '#access/contract/staff-names.ts';
import { namedBy } from '#kit/contract/master.ts';
import { defineList, filterBy, type ListColumn } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { categoryMaster, priorities } from './masters.ts';
import { ticketChips, ticketStates } from './state.ts';
import { ticketShows, ticketUsers } from './ticket.ts';

const subject = { kind: 'text', label: text`Subject` } as const;
const ticketNo = {
  kind: 'text',
  label: text`Ticket number`,
  head: text`Number`,
  isSorted: true,
  onPhone: 'away',
} as const;
const about = { kind: 'text', label: text`About`, onPhone: 'away' } as const;
const assignee = { kind: 'text', label: text`Assigned to` } as const;
const common = {
  category: { kind: 'text', label: text`Category`, isAside: true },
  priority: { kind: 'oneOf', label: text`Priority`, options: priorities, isAside: true },
  status: { kind: 'oneOf', label: text`Status`, options: ticketStates, isAside: true },
  chip: { kind: 'oneOf', label: text`Time`, options: ticketChips, onPhone: 'end' },
  due: { kind: 'text', label: text`Solve by`, isSorted: true, isLabelled: true },
} as const satisfies Record<string, ListColumn>;
const times = {
  raisedAt: { kind: 'text', label: text`Raised`, isSorted: true, isAside: true, isLabelled: true },
  changedAt: { kind: 'text', label: text`Last change`, isSorted: true, isAside: true, isLabelled: true },
  department: { kind: 'text', label: text`Department`, isAside: true },
  place: { kind: 'text', label: text`Place`, isAside: true },
  responseMinutes: { kind: 'number', label: text`Minutes to the first answer`, isAside: true },
  response: { kind: 'text', label: text`First answer in time`, isAside: true },
  resolutionMinutes: { kind: 'number', label: text`Minutes to the solution`, isAside: true },
  resolution: { kind: 'text', label: text`Solved in time`, isAside: true },
  pausedMinutes: { kind: 'number', label: text`Minutes on hold`, isAside: true },
  rating: { kind: 'number', label: text`Rating`, isAside: true },
} as const satisfies Record<string, ListColumn>;

const filters = {
  status: { kind: 'oneOf', label: text`Status`, options: ticketStates },
  priority: { kind: 'oneOf', label: text`Priority`, options: priorities },
  time: { kind: 'oneOf', label: text`Time`, options: ['On time', 'Due today', 'Overdue', 'Paused'] },
  categoryId: filterBy({ label: text`Category`, to: namedBy(categoryMaster) }),
  assigneeId: filterBy({ label: text`Assigned to`, to: staffNames }),
} as const;

const extra = { isConfidential: z.boolean(), minutesLeft: z.nullable(z.number()) };

const given = {
  singular: text`ticket`,
  plural: text`tickets`,
  access: ticketUsers,
  shows: ticketShows,
  filters,
  sort: 'due',
  extra,
} as const;

/** Tickets that the user has raised, or has assigned to others. */
export const byMeList = defineList({
  ...given,
  name: 'ticket-by-me',
  path: '/ticket/by-me',
  columns: { subject, ticketNo, assignee, ...common, about: { ...about, isAside: true }, ...times },
  tabs: {
    open: text`Open`,
    held: text`On hold`,
    resolved: text`Resolved, confirm`,
    closed: text`Closed`,
  },
  tabSorts: { closed: '-changedAt' },
});

/** Tickets of the user, the queue of the department, and what else the user may read. */
export const toMeList = defineList({
  ...given,
  name: 'ticket-to-me',
  path: '/ticket/to-me',
  columns: {
    subject,
    about: { ...about, isAside: true },
    ...common,
    priority: { ...common.priority, isAside: false },
    ticketNo: { ...ticketNo, isAside: true },
    assignee: { ...assignee, isAside: true },
    raisedBy: { kind: 'text', label: text`Raised by` },
    age: { kind: 'text', label: text`Age`, isAside: true },
    responseDue: { kind: 'text', label: text`Answer by`, isAside: true, isLabelled: true },
    ...times,
  },
  tabs: {
    mine: text`Mine`,
    queue: text`Queue`,
    today: text`Due today`,
    overdue: text`Overdue`,
    waiting: text`Waiting`,
    done: text`Done`,
    all: text`All`,
  },
  tabSorts: { done: '-changedAt', all: '-raisedAt' },
});
