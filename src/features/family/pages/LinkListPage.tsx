import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { type LinkState, linkApi, linkList } from '../contract/link.ts';
import { LinkStatus } from './LinkStatus.tsx';

/** The links of guardians to their page: sent to many at once, and whether they are opened. */
export function LinkListPage() {
  const { t } = useLingui();
  return (
    <>
      <PageHead title={t`Family links`} />
      <RecordList
        list={linkList}
        open={({ studentId }) => ({
          to: '/school-erp/student/student-list/$studentID',
          params: { studentID: String(studentId) },
        })}
        cells={{ state: ({ state }) => <LinkStatus state={state as LinkState} /> }}
        bulk={(selection, clear) => <SendSelected selection={selection} clear={clear} />}
        empty={{ message: <Trans>No guardian has a child here yet.</Trans> }}
      />
    </>
  );
}

function SendSelected({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(linkApi.sendMany);
  const [run, setRun] = useState<number>();
  return (
    <>
      <Button onClick={() => void preview.show({ selection, channel: 'SMS' })}>
        <Trans>Send link by SMS…</Trans>
      </Button>
      <Button onClick={() => void preview.show({ selection, channel: 'Email' })}>
        <Trans>Send link by email…</Trans>
      </Button>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={t`Send family links`}
        effect={(count) => <Plural value={count} one="# guardian gets the link." other="# guardians get the link." />}
        confirm={<Trans>Send</Trans>}
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={t`Send family links`}
          onClose={() => {
            setRun(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}
