import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { ticketMasters } from '../contract/masters.ts';
import { ticketPages } from '../contract/pages.ts';
import { EscalationTab } from './EscalationTab.tsx';
import { HoursTab } from './HoursTab.tsx';
import { PoliciesTab } from './PoliciesTab.tsx';

/** /school-erp/ticket/ticket-master: categories, targets, business hours, escalation, hold reasons and canned replies. */
export function TicketMasterPage() {
  return (
    <MastersPage
      page={ticketPages[3]}
      bodies={{
        ...listsOf(ticketMasters),
        policy: <PoliciesTab />,
        hours: <HoursTab />,
        escalation: <EscalationTab />,
      }}
    />
  );
}
