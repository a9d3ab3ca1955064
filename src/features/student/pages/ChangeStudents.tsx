import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormButtons, FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { emptyValuesOf, type Fields, namesOf, omit } from '#kit/contract/field.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { bulkFields, categoryFields, manyApi } from '../contract/many.ts';
import { TextLines } from './TextLines.tsx';

interface Props {
  selection: Selection;
  clear: () => void;
}

/** Changes the selected students, after a preview. */
export function ChangeStudents({ selection, clear }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Change…</Trans>
      </Button>
      {isOpen && (
        <ChangeDialog
          title={t`Change the selected students`}
          about={t`Fields left empty don’t change.`}
          fields={bulkFields}
          selection={selection}
          onApplied={clear}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Changes the category of one student from a day, after a preview. */
export function ChangeCategory({ id, name }: { id: number; name: string }) {
  const { t } = useLingui();
  return (
    <FormOpener title={t`Change category of ${name}`} label={<Trans>Change…</Trans>}>
      {(onClose) => (
        <ChangeDialog
          title={t`Category of ${name}`}
          fields={categoryFields}
          selection={{ ids: [id], isAll: false, query: {} }}
          onClose={onClose}
        />
      )}
    </FormOpener>
  );
}

interface DialogProps {
  title: string;
  about?: string;
  fields: Fields;
  selection: Selection;
  onApplied?: () => void;
  onClose: () => void;
}

function ChangeDialog({ title, about, fields, selection, onApplied, onClose }: DialogProps) {
  const { t } = useLingui();
  const preview = usePreview(manyApi.changeMany);
  const { also = [], blocks = [] } = preview.shown?.answer ?? {};
  const hidden = omit(bulkFields as Fields, ...namesOf(fields));
  return (
    <SideDialog title={title} {...(about !== undefined && { about })} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={manyApi.changeMany}
            label={title}
            initial={{ ...emptyValuesOf(fields), categoryFrom: today() }}
            hiddenValues={{ ...emptyValuesOf(hidden), selection }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <FieldControls fields={fields} />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <BulkAct
            preview={preview}
            title={title}
            effect={(count) =>
              blocks.length > 0 ? (
                <Trans>Fix this first:</Trans>
              ) : (
                <Plural value={count} one="# student is changed." other="# students are changed." />
              )
            }
            details={<TextLines lines={blocks.length > 0 ? blocks : also} />}
            confirm={<Trans>Change</Trans>}
            done={t`Students changed`}
            onApplied={() => {
              close();
              onApplied?.();
            }}
          />
        </>
      )}
    </SideDialog>
  );
}
