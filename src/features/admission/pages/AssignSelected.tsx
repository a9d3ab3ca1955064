import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import type { OptionsEndpoint } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import type { inquiryApi } from '../contract/inquiry.ts';
import type { reviewApi } from '../contract/review.ts';

interface Props {
  selection: Selection;
  clear: () => void;
  endpoint: typeof inquiryApi.assign | typeof reviewApi.assign;
  /** The field of the endpoint that takes the member of staff. */
  field: 'assignedToId' | 'reviewerId';
  options: OptionsEndpoint;
  title: string;
  effect: (count: number) => string;
}

/** Assigns the selected records to a member of staff, after a preview. */
export function AssignSelected({ selection, clear, endpoint, field, options, title, effect }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(endpoint as typeof inquiryApi.assign);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Assign…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={endpoint as typeof inquiryApi.assign}
              label={title}
              initial={{ [field]: '' }}
              hiddenValues={{ selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <OptionField name={field} options={options} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={effect}
        confirm={<Trans>Assign</Trans>}
        done={t`Assigned`}
        onApplied={() => {
          setOpen(false);
          clear();
        }}
      />
    </>
  );
}
