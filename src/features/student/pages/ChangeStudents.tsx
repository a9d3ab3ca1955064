import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { bulkFields, manyApi } from '../contract/many.ts';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Sets house and category, and adds or removes a tag, for the selected students, after a preview. */
export function ChangeStudents({ selection, clear }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(manyApi.changeMany);
  const title = t`Change the selected students`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Change…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={title} about={t`What is left empty stays as it is.`} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={manyApi.changeMany}
              label={title}
              initial={emptyValuesOf(bulkFields)}
              hiddenValues={{ selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <FieldControls fields={bulkFields} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => <Plural value={count} one="# student is changed." other="# students are changed." />}
        confirm={<Trans>Change</Trans>}
        onApplied={() => {
          setOpen(false);
          clear();
          toast({ kind: 'success', title: t`Saved.` });
        }}
      />
    </>
  );
}
