import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { staffLeaveApi } from '../contract/leave.ts';
import { AskForLeave } from './LeaveForm.tsx';
import { OwnLeave } from './OwnLeave.tsx';

/** /school-erp/workday/my-leave: the user's own leave. */
export function MyLeavePage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [isOpen, setOpen] = useState(false);
  const query = useRead(staffLeaveApi.own, {});
  return (
    <>
      <PageHead title={t`My Leave`}>
        <Button kind="main" onClick={() => setOpen(true)}>
          <Trans>Ask for leave</Trans>
        </Button>
      </PageHead>
      <QueryBoundary query={query}>{(of) => <OwnLeave of={of} />}</QueryBoundary>
      {(isOpen || address.act === 'ask') && (
        <AskForLeave
          onClose={() => {
            setOpen(false);
            if (address.act) go({ ...address, act: '' });
          }}
        />
      )}
    </>
  );
}
