import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { processApi } from '../../contract/process.ts';
import type { DecisionKind } from '../../contract/process-list.ts';
import { quotas } from '../../contract/record.ts';
import { EndReasonFields } from '../EndReasonFields.tsx';

interface Props {
  kind: DecisionKind;
  selection: Selection;
  isMain?: boolean;
  /** The single key that opens it on a record. */
  shortcut?: string;
  onDone: () => void;
}

/** Decides about the selected applications after a preview. The decision is held until it is released. */
export function DecideSelected({ kind, selection, isMain, shortcut, onDone }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(processApi.decide);
  const words: Record<DecisionKind, { label: ReactNode; title: string; effect: (count: number) => string }> = {
    Offer: {
      label: <Trans>Offer…</Trans>,
      title: t`Offer a seat`,
      effect: (count) => t`Offers to hold: ${count}`,
    },
    Waitlist: {
      label: <Trans>Waiting list…</Trans>,
      title: t`Put on the waiting list`,
      effect: (count) => t`Places in the waiting list to hold: ${count}`,
    },
    Reject: {
      label: <Trans>Not offered…</Trans>,
      title: t`Offer no seat`,
      effect: (count) => t`Rejections to hold: ${count}`,
    },
  };
  const { label, title, effect } = words[kind];
  return (
    <>
      <Button kind={isMain ? 'main' : 'plain'} aria-keyshortcuts={shortcut} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <SideDialog title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={processApi.decide}
              label={title}
              initial={{ seatQuota: '', conditions: '', offerUntil: '', reasonId: '', note: '' }}
              hiddenValues={{ kind, selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <p className="soft">
                <Trans>The decision is held. Families hear of it when you release it.</Trans>
              </p>
              {kind === 'Reject' ? (
                <EndReasonFields options={processApi.notOfferedReasons} />
              ) : (
                <SelectField
                  name="seatQuota"
                  options={quotas}
                  hint={
                    <Trans>Leave empty for the child’s own quota while it has a free seat, otherwise General.</Trans>
                  }
                />
              )}
              {kind === 'Offer' && (
                <>
                  <DateField
                    name="offerUntil"
                    toward="future"
                    hint={<Trans>Leave empty for the days of the seat plan.</Trans>}
                  />
                  <TextField name="conditions" long />
                </>
              )}
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={effect}
        confirm={<Trans>Hold</Trans>}
        done={t`Decisions held`}
        onApplied={() => {
          setOpen(false);
          onDone();
        }}
      />
    </>
  );
}
