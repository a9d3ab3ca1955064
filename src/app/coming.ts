import { text } from '#kit/contract/text.ts';
import type { ProductPage } from './menu.ts';

/** Pages of the menu that are not built yet. A feature that adds one removes it from this list. */
export const comingPages: readonly ProductPage[] = [
  {
    path: 'ticket/ticket-entry-assign-by-me',
    title: text`Ticket Entry Assign By`,
  },
  {
    path: 'ticket/ticket-entry-assign-to-me',
    title: text`Ticket Entry Assign To Me`,
  },
  {
    path: 'ticket/ticket-master',
    title: text`Ticket Masters`,
  },
];
