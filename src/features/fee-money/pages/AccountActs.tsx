import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { CardButtons } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { showMoney } from '#kit/contract/money.ts';
import { advanceApi } from '../contract/advance.ts';
import { followUpApi } from '../contract/follow-up.ts';

/** Reminders and demand slips of the selected students. */
export function SelectedActs({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const mayRemind = useMay(followUpApi.remind);
  const preview = usePreview(followUpApi.remind);
  const [run, setRun] = useState<number>();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const fileName = t`demand-slips.pdf`;
  return (
    <>
      {mayRemind && (
        <Button onClick={() => void preview.show({ selection })}>
          <Trans>Remind…</Trans>
        </Button>
      )}
      <Button isBusy={isBusy} onClick={() => attempt(() => download(followUpApi.slips, selection, fileName))}>
        <Trans>Demand slips</Trans>
      </Button>
      {preview.problem}
      {problem}
      <BulkAct
        preview={preview}
        title={t`Remind families`}
        effect={(count) => (
          <Plural
            value={count}
            one="# guardian gets a message about the fees that are due."
            other="# guardians get a message about the fees that are due."
          />
        )}
        confirm={<Trans>Send</Trans>}
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={t`Remind families`}
          onClose={() => {
            setRun(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}

/** Acts on all students: their late fines and their advance. */
export function useAllActs() {
  const { t } = useLingui();
  const fines = usePreview(advanceApi.postFines);
  const advance = usePreview(advanceApi.applyAll);
  const amountOf = (answer: unknown) => showMoney((answer as { amount?: number } | undefined)?.amount ?? 0);
  return {
    items: (
      <>
        <Menu.Item onClick={() => void fines.show({})}>
          <Trans>Post late fines…</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => void advance.show({})}>
          <Trans>Apply advances…</Trans>
        </Menu.Item>
      </>
    ),
    dialogs: (
      <>
        {fines.problem}
        {advance.problem}
        <BulkAct
          preview={fines}
          title={t`Post late fines`}
          effect={(count) => (
            <Plural
              value={count}
              one={`# fine is charged: ${amountOf(fines.shown?.answer)} until today.`}
              other={`# fines are charged: ${amountOf(fines.shown?.answer)} until today.`}
            />
          )}
          confirm={<Trans>Post</Trans>}
          done={t`Late fines posted`}
        />
        <BulkAct
          preview={advance}
          title={t`Apply advances`}
          effect={(count) => (
            <Plural
              value={count}
              one={`# student pays ${amountOf(advance.shown?.answer)} of dues from the advance.`}
              other={`# students pay ${amountOf(advance.shown?.answer)} of dues from their advances.`}
            />
          )}
          confirm={<Trans>Apply</Trans>}
          done={t`Advances applied`}
        />
      </>
    ),
  };
}

/** Pays what a student owes today from the advance. */
export function ApplyAdvance({ studentId }: { studentId: number }) {
  const { t } = useLingui();
  const toast = useToast();
  const { run, isBusy, problem } = useAction(advanceApi.apply);
  const apply = async () => {
    const answer = await run({ studentId });
    if (answer) toast({ kind: 'success', title: t`${showMoney(answer.applied)} is paid from the advance.` });
  };
  return (
    <CardButtons>
      <Button isBusy={isBusy} onClick={() => void apply()}>
        <Trans>Pay from the advance</Trans>
      </Button>
      {problem}
    </CardButtons>
  );
}
