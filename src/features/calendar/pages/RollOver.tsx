import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TicksField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { MasterRow } from '#kit/contract/master.ts';
import { rollOverApi, rollOverParts } from '../contract/roll-over.ts';
import { LeftOut } from '../ui/LeftOut.tsx';

type RollOverPreview = Preview<typeof rollOverApi.rollOver>;

/** Copies a year to a later one, after a preview. */
export function RollOver({ from, onClose }: { from: MasterRow; onClose: () => void }) {
  const { t } = useLingui();
  const preview = usePreview(rollOverApi.rollOver);
  const [typed, setTyped] = useState<Values>(() => nextYear(from));
  return (
    <SideDialog
      title={t`Copy ${from.displayName} to a new year`}
      about={t`Existing entries don’t change. Students are promoted on the page “Close the year”.`}
      onClose={onClose}
    >
      {(close) =>
        preview.shown ? (
          <Plan preview={preview} shown={preview.shown} close={close} />
        ) : (
          <ApiForm
            endpoint={rollOverApi.rollOver}
            label={t`Copy ${from.displayName} to a new year`}
            initial={typed}
            hiddenValues={{ id: from.id }}
            onDone={(plan, { id: _, ...values }) => {
              setTyped(values);
              preview.take({ ...values, id: from.id }, plan);
            }}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="name" width="short" />
            <DateField name="startsOn" />
            <DateField name="endsOn" />
            <DateField name="ageCutoffOn" />
            <TicksField name="parts" options={rollOverParts} />
          </ApiForm>
        )
      }
    </SideDialog>
  );
}

interface PlanProps {
  preview: RollOverPreview;
  shown: NonNullable<RollOverPreview['shown']>;
  close: () => void;
}

function Plan({ preview, shown, close }: PlanProps) {
  const { isNew, parts, left } = shown.answer;
  const { t } = useLingui();
  const toast = useToast();
  const words = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useEffect(() => words.current?.focus(), []);
  const name = String(shown.input.name);
  const apply = async () => {
    if (!(await preview.apply())) return;
    close();
    toast({ kind: 'success', title: isNew ? t`Added.` : t`Saved.`, of: name });
  };
  return (
    <>
      <p ref={words} tabIndex={-1}>
        {isNew ? (
          <Trans>{name} will be added as a planned year.</Trans>
        ) : (
          <Trans>{name} already exists and keeps its dates. Only missing entries are added.</Trans>
        )}
      </p>
      <Table className="versions">
        <thead>
          <tr>
            <td />
            <th scope="col">{t`New`}</th>
            <th scope="col">{t`Existing`}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ part, added, alreadyThere }) => (
            <tr key={part}>
              <th scope="row">{translateOption(part)}</th>
              <td>{added}</td>
              <td>{alreadyThere}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <LeftOut left={left} />
      {preview.problem}
      <DialogButtons>
        <Button onClick={preview.close}>
          <Trans>Back</Trans>
        </Button>
        <Button kind="main" isBusy={preview.isBusy} onClick={apply}>
          {isNew ? <Trans>Add {name}</Trans> : <Trans>Update {name}</Trans>}
        </Button>
      </DialogButtons>
    </>
  );
}

/** Name and dates of the next year, in the form of this one. */
function nextYear({ name, startsOn, endsOn, ageCutoffOn }: MasterRow): Values {
  const later = (day: unknown) => String(Number(String(day).slice(0, 4)) + 1) + String(day).slice(4);
  const [first = '', second = ''] = String(name).split('-');
  const end = String(Number(second) + 1).padStart(second.length, '0');
  return {
    name: `${Number(first) + 1}-${end.slice(-second.length)}`,
    startsOn: later(startsOn),
    endsOn: later(endsOn),
    ageCutoffOn: later(ageCutoffOn),
    parts: rollOverParts.join(','),
  };
}
