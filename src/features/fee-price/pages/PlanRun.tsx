import { Trans } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { emptyValuesOf, type Fields } from '#kit/contract/field.ts';

interface Props<Operation extends Endpoint> {
  endpoint: Operation;
  preview: Preview<Operation>;
  /** The words of the button that opens the form. */
  opener: ReactNode;
  title: string;
  about: string;
  fields: Fields;
  /** What the form begins with; empty by default. */
  initial?: Values;
  /** What the form sends besides its fields. */
  hiddenValues: Values;
  /** What happens to this many plans. */
  effect: (count: number) => ReactNode;
  details?: ReactNode;
  confirm: ReactNode;
  /** Once the progress of the run is closed. */
  onEnd?: () => void;
}

/** A button, the form it opens, the preview of a run over fee plans, and how far that run is. */
export function PlanRun<Operation extends Endpoint>(props: Props<Operation>) {
  const { endpoint, preview, opener, title, about, fields, initial, hiddenValues, effect, details, confirm, onEnd } =
    props;
  const [isOpen, setOpen] = useState(false);
  const [run, setRun] = useState<number>();
  return (
    <>
      <Button onClick={() => setOpen(true)}>{opener}</Button>
      {isOpen && (
        <SideDialog title={title} about={about} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={endpoint}
              label={title}
              initial={{ ...emptyValuesOf(fields), ...initial }}
              hiddenValues={hiddenValues}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <FieldControls fields={fields} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={effect}
        details={details}
        confirm={confirm}
        onApplied={(answer) => {
          setOpen(false);
          setRun((answer as unknown as { runId: number | null }).runId ?? undefined);
        }}
      />
      {run !== undefined && (
        <RunDialog
          id={run}
          title={title}
          onClose={() => {
            setRun(undefined);
            onEnd?.();
          }}
        />
      )}
    </>
  );
}
