import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { StaffPicker } from '#features/staff/ui/StaffPicker.tsx';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { manyApi } from '../contract/many.ts';
import { priorities } from '../contract/masters.ts';
import { ticketApi } from '../contract/ticket.ts';

interface Props {
  selection: Selection;
  /** Ends the selection. */
  clear: () => void;
}

/** Accepts, transfers and prioritises the selected tickets. */
export function WorkActs({ selection, clear }: Props) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'transfer' | 'priority'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <PlainAct
        operation={manyApi.accept}
        selection={selection}
        clear={clear}
        title={t`Accept tickets`}
        words={<Trans>Accept</Trans>}
        done={t`Tickets accepted`}
        effect={(count) => <Plural value={count} one="# ticket becomes yours." other="# tickets become yours." />}
      />
      <Button onClick={() => setOpen('transfer')}>
        <Trans>Transfer…</Trans>
      </Button>
      <Button onClick={() => setOpen('priority')}>
        <Trans>Priority…</Trans>
      </Button>
      {open === 'transfer' && <TransferMany selection={selection} clear={clear} onClose={close} />}
      {open === 'priority' && <PrioritiseMany selection={selection} clear={clear} onClose={close} />}
    </>
  );
}

/** Reminds the people who have the selected tickets. */
export function RemindAct({ selection, clear }: Props) {
  const { t } = useLingui();
  return (
    <PlainAct
      operation={manyApi.remind}
      selection={selection}
      clear={clear}
      title={t`Remind`}
      words={<Trans>Remind</Trans>}
      done={t`Tickets reminded of`}
      effect={(count) => (
        <Plural
          value={count}
          one="The person who has it is reminded of # ticket."
          other="The people who have them are reminded of # tickets."
        />
      )}
    />
  );
}

interface PlainProps extends Props {
  operation: typeof manyApi.accept | typeof manyApi.remind;
  title: string;
  words: ReactNode;
  done: string;
  effect: (count: number) => ReactNode;
}

/** An act without a form: one button, and its preview. */
function PlainAct({ operation, selection, clear, title, words, done, effect }: PlainProps) {
  const preview = usePreview(operation);
  return (
    <>
      <Button isBusy={preview.isBusy} onClick={() => void preview.show({ selection })}>
        {words}
      </Button>
      {!preview.shown && preview.problem}
      <BulkAct preview={preview} title={title} effect={effect} confirm={words} done={done} onApplied={clear} />
    </>
  );
}

interface FormProps extends Props {
  onClose: () => void;
}

function TransferMany({ selection, clear, onClose }: FormProps) {
  const { t } = useLingui();
  const preview = usePreview(manyApi.transfer);
  return (
    <FormAct
      title={t`Transfer tickets`}
      about={t`The tickets’ due times don’t change.`}
      preview={preview}
      effect={(count) => <Plural value={count} one="# ticket is transferred." other="# tickets are transferred." />}
      confirm={<Trans>Transfer</Trans>}
      done={t`Tickets transferred`}
      clear={clear}
      onClose={onClose}
      form={(buttons) => (
        <ApiForm
          endpoint={manyApi.transfer}
          label={t`Transfer tickets`}
          initial={{ staffId: '', departmentId: '', reason: '' }}
          hiddenValues={{ selection }}
          onDone={(answer, input) => preview.take(input, answer)}
          buttons={buttons}
        >
          <StaffPicker name="staffId" />
          <OptionField name="departmentId" options={ticketApi.departments} />
          <TextField name="reason" />
        </ApiForm>
      )}
    />
  );
}

function PrioritiseMany({ selection, clear, onClose }: FormProps) {
  const { t } = useLingui();
  const preview = usePreview(manyApi.prioritise);
  return (
    <FormAct
      title={t`Change the priority`}
      about={t`The due times are computed again from the start of each ticket.`}
      preview={preview}
      effect={(count) => <Plural value={count} one="# ticket gets the priority." other="# tickets get the priority." />}
      confirm={<Trans>Change</Trans>}
      done={t`Priorities changed`}
      clear={clear}
      onClose={onClose}
      form={(buttons) => (
        <ApiForm
          endpoint={manyApi.prioritise}
          label={t`Change the priority`}
          initial={{ priority: '', reason: '' }}
          hiddenValues={{ selection }}
          onDone={(answer, input) => preview.take(input, answer)}
          buttons={buttons}
        >
          <RadioField name="priority" options={priorities} />
          <TextField name="reason" />
        </ApiForm>
      )}
    />
  );
}

interface FormActProps {
  title: string;
  about: string;
  preview: Preview<typeof manyApi.transfer> | Preview<typeof manyApi.prioritise>;
  effect: (count: number) => ReactNode;
  confirm: ReactNode;
  done: string;
  clear: () => void;
  onClose: () => void;
  form: (buttons: (isSending: boolean) => ReactNode) => ReactNode;
}

/** A form whose answer is previewed before it is applied. */
function FormAct({ title, about, preview, effect, confirm, done, clear, onClose, form }: FormActProps) {
  return (
    <SideDialog title={title} about={about} onClose={onClose}>
      {(close) => (
        <>
          {form((isSending) => (
            <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
          ))}
          {preview.shown && <Unsaved />}
          <BulkAct
            preview={preview as Preview<typeof manyApi.transfer>}
            title={title}
            effect={effect}
            confirm={confirm}
            done={done}
            onApplied={() => {
              close();
              clear();
            }}
          />
        </>
      )}
    </SideDialog>
  );
}
