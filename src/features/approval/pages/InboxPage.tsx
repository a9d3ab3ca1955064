import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type ApprovalState, approvalApi, approvalList } from '../contract/approval.ts';
import { approvalPages } from '../contract/pages.ts';
import { OfYear } from './OfYear.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { stateKinds } from './states.ts';

/** /school-erp/approval/inbox: the requests that wait for the user's decision, and the user's own. */
export function InboxPage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const asked = address.request ?? '';
  const yearId = Number(address.yearId ?? 0);
  const [shown, setShown] = useState<{ asked: string; id?: number }>({ asked: '' });
  // A notice and the dashboard open one request, also over the page.
  if (shown.asked !== asked) setShown({ asked, id: asked ? Number(asked) : shown.id });
  const open = (id?: number) => setShown({ asked, id });
  const close = () => {
    open();
    if (asked) go({ ...address, request: '' });
  };
  return (
    <>
      <PageHead title={translate(approvalPages[0].title)} />
      <RecordList
        list={approvalList}
        notice={yearId > 0 && (address.tab ?? 'forMe') === 'forMe' && <OfYear yearId={yearId} />}
        open={({ id }) =>
          () =>
            open(id)
          }
        cells={{
          status: ({ status }) => <Status kind={stateKinds[status as ApprovalState]}>{translateOption(status)}</Status>,
        }}
        bulk={(selection, clear) => <ApproveMany selection={selection} clear={clear} />}
        empty={{ message: t`Nothing is waiting for a decision.` }}
      />
      {shown.id !== undefined && (
        <RequestPanel id={shown.id} isInAddress={asked !== ''} onOpen={open} onClose={close} />
      )}
    </>
  );
}

/** Approves the selected requests of one kind. */
function ApproveMany({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(approvalApi.decideMany);
  return (
    <>
      <Button isBusy={preview.isBusy} onClick={() => void preview.show({ selection, outcome: 'Approved', remark: '' })}>
        <Trans>Approve</Trans>
      </Button>
      {!preview.shown && preview.problem}
      <BulkAct
        preview={preview}
        title={t`Approve the selected requests?`}
        effect={(count) => <Plural value={count} one="# request is approved." other="# requests are approved." />}
        confirm={<Trans>Approve</Trans>}
        done={t`Requests approved`}
        onApplied={clear}
      />
    </>
  );
}
