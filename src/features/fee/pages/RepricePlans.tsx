import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { planApi, repriceFields } from '../contract/plan.ts';

/** Gives the plans on earlier versions the prices of this one, for periods of which nothing is paid. */
export function RepricePlans({ structureId }: { structureId: number }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const [run, setRun] = useState<number>();
  const preview = usePreview(planApi.reprice);
  const title = t`Apply new prices`;
  const { total = 0, kept } = preview.shown?.answer ?? {};
  const change = showMoney(total);
  const amount = showMoney(kept?.amount ?? 0);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Apply to plans…</Trans>
      </Button>
      {isOpen && (
        <SideDialog
          title={title}
          about={t`Periods that begin later and of which nothing is paid take these prices.`}
          onClose={() => setOpen(false)}
        >
          {(close) => (
            <ApiForm
              endpoint={planApi.reprice}
              label={title}
              initial={emptyValuesOf(repriceFields)}
              hiddenValues={{ structureId }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <FieldControls fields={repriceFields} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => (
          <Plural
            value={count}
            one={`# plan changes, by ${change} in all.`}
            other={`# plans change, by ${change} in all.`}
          />
        )}
        details={
          kept !== undefined &&
          kept.count > 0 && (
            <p className="soft">
              <Plural
                value={kept.count}
                one={`# due of ${amount} stays as billed, since something is paid on it.`}
                other={`# dues of ${amount} stay as billed, since something is paid on them.`}
              />
            </p>
          )
        }
        confirm={<Trans>Apply</Trans>}
        onApplied={(answer) => {
          setOpen(false);
          setRun((answer as unknown as { runId: number | null }).runId ?? undefined);
        }}
      />
      {run !== undefined && <RunDialog id={run} title={title} onClose={() => setRun(undefined)} />}
    </>
  );
}
