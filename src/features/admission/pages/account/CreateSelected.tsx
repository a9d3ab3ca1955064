import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { accountApi } from '../../contract/account.ts';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Creates the accounts of selected children that need no choice, after a preview, and shows how far it is. */
export function CreateSelected({ selection, clear }: Props) {
  const { t } = useLingui();
  const preview = usePreview(accountApi.createMany);
  const [run, setRun] = useState<number>();
  const title = t`Create accounts`;
  return (
    <>
      <Button onClick={() => void preview.show({ selection, withoutPlan: false })}>
        <Trans>Create accounts…</Trans>
      </Button>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => t`Accounts to create: ${count}. Sections are assigned afterwards.`}
        confirm={<Trans>Create</Trans>}
        details={
          <ChoiceRow
            type="checkbox"
            id="without-plan"
            label={t`Create accounts also without a fee plan`}
            checked={preview.shown?.input.withoutPlan === true}
            onChange={(withoutPlan) => void preview.show({ selection, withoutPlan })}
          />
        }
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={title}
          onClose={() => {
            setRun(undefined);
            clear();
          }}
        />
      )}
    </>
  );
}
