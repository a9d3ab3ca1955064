import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField, TicksField } from '#kit/browser/form/choices.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { classes, classWords, hasStreams, mediums, setUpApi, streams } from '../contract/set-up.ts';

const usual: Values = {
  board: 'CBSE',
  firstClass: '1',
  lastClass: '10',
  word: 'Grade',
  sections: '2',
  capacity: '40',
  medium: 'English',
  streams: '',
  hasSubjects: true,
};

/** Adds the classes of a new school with their sections and usual subjects, after a preview. */
export function ClassForm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(setUpApi.classes);
  const [typed, setTyped] = useState<Values>(usual);
  const { shown } = preview;
  const apply = async (close: () => void) => {
    if (!(await preview.apply())) return;
    close();
    toast({ kind: 'success', title: t`Added.` });
  };
  return (
    <SideDialog
      title={t`Add classes`}
      about={t`Existing entries don’t change. You can change everything later in Academic Master.`}
      onClose={onClose}
    >
      {(close) =>
        shown ? (
          <>
            <Table className="versions">
              <thead>
                <tr>
                  <td />
                  <th scope="col">{t`New`}</th>
                  <th scope="col">{t`Existing`}</th>
                </tr>
              </thead>
              <tbody>
                {shown.answer.parts.map(({ part, added, alreadyThere }) => (
                  <tr key={part}>
                    <th scope="row">{translateOption(part)}</th>
                    <td>{added}</td>
                    <td>{alreadyThere}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
            {preview.problem}
            <DialogButtons>
              <Button onClick={preview.close}>
                <Trans>Back</Trans>
              </Button>
              <Button kind="main" isBusy={preview.isBusy} autoFocus onClick={() => apply(close)}>
                <Trans>Add these</Trans>
              </Button>
            </DialogButtons>
          </>
        ) : (
          <ApiForm
            endpoint={setUpApi.classes}
            label={t`Add classes`}
            initial={typed}
            onDone={(plan, values) => {
              setTyped(values as Values);
              preview.take(values, plan);
            }}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="board" />
            <SelectField name="firstClass" options={classes} width="short" />
            <SelectField name="lastClass" options={classes} width="short" />
            <SelectField name="word" options={classWords} width="short" />
            <TextField name="sections" width="short" inputMode="numeric" />
            <TextField name="capacity" width="short" inputMode="numeric" />
            <SelectField name="medium" options={mediums} width="short" />
            <Streams />
            <TickField name="hasSubjects" />
          </ApiForm>
        )
      }
    </SideDialog>
  );
}

/** The streams, where the last class has them. */
function Streams() {
  const { t } = useLingui();
  const { values } = useApiForm();
  if (!hasStreams(String(values.lastClass ?? ''))) return null;
  return (
    <TicksField
      name="streams"
      options={streams}
      hint={t`Each stream becomes a program with its own sections. Without any, 11 and 12 are like the other classes.`}
    />
  );
}
