import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Tickets`;

export const worksInVacation = setting({
  key: 'ticket.works-in-vacation',
  group,
  label: text`Tickets are solved in vacations`,
  help: text`The clock of tickets runs on days of a vacation too, where the office works then.`,
  kind: 'yesNo',
  default: false,
});

export const sendsEmail = setting({
  key: 'ticket.sends-email',
  group,
  label: text`Send emails about tickets`,
  help: text`An email beside each notice of a ticket: a new one, an answer, a solution, and one that is overdue.`,
  kind: 'yesNo',
  default: true,
});

export const ticketSettings = [worksInVacation, sendsEmail] as const;
