import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { byMeList } from '../contract/list.ts';
import { ticketPages } from '../contract/pages.ts';
import { RemindAct } from './BulkActs.tsx';
import { RaiseTicket } from './RaiseTicket.tsx';
import { chipOf } from './TimeChip.tsx';

/** /school-erp/ticket/ticket-entry-assign-by-me: tickets that the user has raised or assigned to others. */
export function ByMePage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [isOpen, setOpen] = useState(false);
  const raise = () => setOpen(true);
  const close = () => {
    setOpen(false);
    if (address.act) go({ ...address, act: '' });
  };
  return (
    <>
      <PageHead title={translate(ticketPages[0].title)} />
      <RecordList
        list={byMeList}
        open={({ id }) => ({ to: '/school-erp/ticket/ticket-entry/$ticketID', params: { ticketID: String(id) } })}
        cells={{ chip: chipOf }}
        bulk={(selection, clear) => <RemindAct selection={selection} clear={clear} />}
        onAdd={raise}
        empty={{
          message: (
            <Trans>
              You have not raised any ticket. Raise one for repairs, IT, transport, fees or a parent’s complaint.
            </Trans>
          ),
          children: (
            <Button kind="main" onClick={raise}>
              {t`Raise a ticket`}
            </Button>
          ),
        }}
      />
      {(isOpen || address.act === 'add') && <RaiseTicket onClose={close} />}
    </>
  );
}
