import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { separationReasonMaster } from '#features/hris/contract/masters.ts';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { showDate } from '#kit/contract/day.ts';
import { leavingApi } from '../contract/leaving.ts';
import type { StaffRecord } from '../contract/record.ts';
import { Rejoin } from './Rejoin.tsx';

interface Props {
  record: StaffRecord;
}

/** The end of somebody's employment, and their return. */
export function LeavingCard({ record }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { status, lastDay, card } = record;
  const hasLeft = status === 'Left';
  const Form = hasLeft ? Rejoin : Relieve;
  return (
    <RecordCard isWide title={<Trans>Leaving</Trans>}>
      <p>
        {lastDay === '' ? (
          <Trans>No last day is set.</Trans>
        ) : hasLeft ? (
          <Trans>Left. The last day was {showDate(lastDay)}.</Trans>
        ) : (
          <Trans>The last day is {showDate(lastDay)}.</Trans>
        )}
      </p>
      <CardButtons>
        <Button onClick={() => setOpen(true)}>
          {hasLeft ? (
            <Trans>Re-join…</Trans>
          ) : lastDay === '' ? (
            <Trans>Relieve…</Trans>
          ) : (
            <Trans>Change the last day…</Trans>
          )}
        </Button>
      </CardButtons>
      {isOpen && <Form id={record.id} name={card.name} lastDay={lastDay} onClose={() => setOpen(false)} />}
    </RecordCard>
  );
}

interface FormProps {
  id: number;
  name: string;
  lastDay: string;
  onClose: () => void;
}

/** Asks for the last day, then shows what ends with it. */
function Relieve({ id, name, lastDay, onClose }: FormProps) {
  const { t } = useLingui();
  const preview = usePreview(leavingApi.relieve);
  return (
    <SideDialog title={t`Relieve ${name}`} about={t`You will see what ends first.`} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={leavingApi.relieve}
            label={t`Relieve ${name}`}
            initial={{
              lastDay,
              separationReasonId: '',
              remark: '',
              endsAccessNow: false,
              isOverridden: false,
            }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <DateField name="lastDay" hint={<Trans>The last day of work.</Trans>} />
            <OptionField name="separationReasonId" options={separationReasonMaster.api.options} />
            <TextField name="remark" />
            <TickField
              name="endsAccessNow"
              hint={<Trans>Otherwise the account works until the end of the last day.</Trans>}
            />
            <TickField
              name="isOverridden"
              hint={<Trans>The sections of a class teacher have no class teacher from the next day.</Trans>}
            />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <Ends preview={preview} name={name} onApplied={close} />
        </>
      )}
    </SideDialog>
  );
}

interface EndsProps {
  preview: Preview<typeof leavingApi.relieve>;
  name: string;
  onApplied: () => void;
}

/** What ends with the last day, or what keeps the person from being relieved. */
function Ends({ preview, name, onApplied }: EndsProps) {
  const { t } = useLingui();
  const toast = useToast();
  const { ends = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  return (
    <PreviewDialog
      preview={preview}
      title={isBlocked ? t`${name} can’t be relieved yet` : t`Relieve ${name}`}
      confirm={<Trans>Relieve</Trans>}
      details={
        <ul className="plan">
          {(isBlocked ? blocks : ends).map((words) => {
            const shown = translate(words);
            return <li key={shown}>{shown}</li>;
          })}
        </ul>
      }
      onApplied={() => {
        onApplied();
        toast({ kind: 'success', title: t`${name} was relieved.` });
      }}
    >
      {isBlocked ? <Trans>Fix this first:</Trans> : <Trans>This ends:</Trans>}
    </PreviewDialog>
  );
}
