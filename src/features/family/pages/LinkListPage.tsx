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
import { troubleApi } from '../contract/trouble.ts';
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
        bulk={(selection, clear) => (
          <>
            <SendSelected selection={selection} clear={clear} />
            <TryAgain selection={selection} clear={clear} />
          </>
        )}
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

/** Uses numbers and addresses again at which messages did not arrive, such as of a phone that was off for a month. */
function TryAgain({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(troubleApi.tryAgain);
  return (
    <>
      <Button onClick={() => void preview.show({ selection })}>
        <Trans>Try again…</Trans>
      </Button>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={t`Try messages again`}
        effect={(count) => (
          <Plural
            value={count}
            one="The next message to # guardian goes to the number or address that was left out."
            other="The next messages to # guardians go to the numbers or addresses that were left out."
          />
        )}
        confirm={<Trans>Try again</Trans>}
        done={t`Guardians tried again`}
        onApplied={clear}
      />
    </>
  );
}
