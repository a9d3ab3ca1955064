import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { ticketMasters } from '../contract/masters.ts';
import { ticketPages } from '../contract/pages.ts';

/** /school-erp/ticket/ticket-master: categories, hold reasons and canned replies. */
export function TicketMasterPage() {
  return <MastersPage page={ticketPages[3]} bodies={listsOf(ticketMasters)} />;
}
