import { Trans, useLingui } from '@lingui/react/macro';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { neverJoinedApi } from '../contract/never-joined.ts';
import type { StudentHead } from '../contract/record.ts';
import { TextLines } from './TextLines.tsx';

interface Props {
  head: Pick<StudentHead, 'id' | 'name'>;
  onClose: () => void;
}

/** Asks why, then shows what ends for a child who never came. */
export function NeverJoined({ head: { id, name }, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(neverJoinedApi.cancel);
  const { ends = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  const title = t`${name} never joined`;
  return (
    <SideDialog
      title={title}
      about={t`The record and its GR number are kept. You will see what ends first.`}
      onClose={onClose}
    >
      {(close) => (
        <>
          <ApiForm
            endpoint={neverJoinedApi.cancel}
            label={title}
            initial={{ reason: '' }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="reason" />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={isBlocked ? t`${name} has joined` : title}
            confirm={<Trans>Confirm</Trans>}
            details={<TextLines lines={isBlocked ? blocks : ends} />}
            onApplied={() => {
              close();
              backToTitle(); // The pressed button is gone.
              toast({ kind: 'success', title: t`It was saved that ${name} never joined.` });
            }}
          >
            {isBlocked ? <Trans>Fix this first:</Trans> : <Trans>This ends:</Trans>}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}

/** Asks why, then shows what returns for a child who came after all. */
export function UndoNeverJoined({ head: { id, name }, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(neverJoinedApi.undo);
  const { returns = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  const title = t`${name} joins after all`;
  return (
    <SideDialog title={title} about={t`You will see what returns first.`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={neverJoinedApi.undo}
            label={title}
            initial={{ reason: '' }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="reason" />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={title}
            confirm={<Trans>Confirm</Trans>}
            details={<TextLines lines={isBlocked ? blocks : returns} />}
            onApplied={() => {
              close();
              backToTitle(); // The pressed button is gone.
              toast({ kind: 'success', title: t`${name} is enrolled again.` });
            }}
          >
            {isBlocked ? <Trans>Fix this first:</Trans> : <Trans>This returns:</Trans>}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}
