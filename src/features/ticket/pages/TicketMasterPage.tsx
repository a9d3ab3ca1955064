import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import type { MasterRow } from '#kit/contract/master.ts';
import { ticketConfigApi } from '../contract/config.ts';
import { categoryMaster, ticketMasters } from '../contract/masters.ts';
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
        category: <Categories />,
        policy: <PoliciesTab />,
        hours: <HoursTab />,
        escalation: <EscalationTab />,
      }}
    />
  );
}

/** The categories; one with open tickets is taken out of use by naming the one that gets them. */
function Categories() {
  const { t } = useLingui();
  const [replaced, setReplaced] = useState<MasterRow>();
  return (
    <>
      <MasterPage
        master={categoryMaster}
        extraActions={(row, from) =>
          row.isActive && (
            <Menu.Item onClick={from(() => setReplaced(row))}>
              <Trans>Replace…</Trans>
            </Menu.Item>
          )
        }
      />
      {replaced && (
        <RecordForm
          title={t`Replace ${replaced.displayName}`}
          about={t`Its open tickets move to the other category and keep their times. It is then inactive.`}
          endpoint={ticketConfigApi.replaceCategory}
          initial={{ byId: '' }}
          hiddenValues={{ id: replaced.id }}
          words={<Trans>Replace</Trans>}
          saved={t`Replaced.`}
          onClose={() => setReplaced(undefined)}
        >
          <OptionField name="byId" options={categoryMaster.api.options} without={String(replaced.id)} isTyped />
        </RecordForm>
      )}
    </>
  );
}
