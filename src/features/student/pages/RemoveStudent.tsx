import { Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { StudentHead } from '../contract/record.ts';
import { removeApi, removeFields } from '../contract/remove.ts';
import { TextLines } from './TextLines.tsx';

interface Props {
  head: StudentHead;
  onClose: () => void;
}

/** Asks why, then shows what goes with the record, or what stands in the way. */
export function RemoveStudent({ head: { id, version, name, grNo }, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const navigate = usePageNavigate();
  const preview = usePreview(removeApi.remove);
  const { goes = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  const title = t`Remove ${name}, GR ${grNo}`;
  return (
    <SideDialog title={title} about={t`For a record that was entered by mistake.`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={removeApi.remove}
            label={title}
            initial={emptyValuesOf(removeFields)}
            hiddenValues={{ id, version }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <FieldControls fields={removeFields} />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={isBlocked ? t`${name} can’t be removed` : title}
            confirm={<Trans>Remove</Trans>}
            details={
              <>
                <TextLines lines={isBlocked ? blocks : goes} />
                {isBlocked && (
                  <p>
                    <Trans>
                      If the child has a second record, merge the two. If the child has left, enter the last day.
                    </Trans>
                  </p>
                )}
              </>
            }
            onApplied={() => {
              close();
              void navigate({ to: '/school-erp/student/student-list' });
              toast({ kind: 'success', title: t`${name} was removed.` });
            }}
          >
            {isBlocked ? <Trans>Can’t be removed: the record is in use.</Trans> : <Trans>This will be removed:</Trans>}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}
