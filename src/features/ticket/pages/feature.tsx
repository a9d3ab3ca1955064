import { browserFeature } from '#kit/browser/feature.ts';
import { ticketPages } from '../contract/pages.ts';

export const ticket = browserFeature(ticketPages, {
  'ticket/ticket-entry-assign-by-me': () => import('./ByMePage.tsx'),
  'ticket/ticket-entry-assign-to-me': () => import('./ToMePage.tsx'),
  'ticket/ticket-entry/$ticketID': () => import('./TicketPage.tsx'),
  'ticket/ticket-master': () => import('./TicketMasterPage.tsx'),
});
