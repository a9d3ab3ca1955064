import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment, showTime } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type SlotRow, slotApi, slotRooms } from '../../contract/slot.ts';
import { ToldFamilies } from './ToldFamilies.tsx';

/** Moves a slot or cancels it; the families of its children are told. */
export function ChangeSlot({ slot, day }: { slot: SlotRow; day: string }) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const move = usePreview(slotApi.move);
  const cancel = usePreview(slotApi.cancelSlot);
  const { id, version, startsAt, roomId, place } = slot;
  const time = showTime(startsAt);
  const moved = move.shown?.answer;
  const cancelled = cancel.shown?.answer;
  return (
    <>
      <Button kind="quiet" aria-label={t`Change the slot at ${time}`} onClick={() => setOpen(true)}>
        <Trans>Change time…</Trans>
      </Button>
      <Button
        kind="quiet"
        aria-label={t`Cancel the slot at ${time}`}
        isBusy={cancel.isBusy}
        onClick={() => void cancel.show({ id, version })}
      >
        <Trans>Cancel…</Trans>
      </Button>
      {cancel.problem}
      {isOpen && (
        <SideDialog title={t`Change the slot at ${time}`} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={slotApi.move}
              label={t`Change the slot at ${time}`}
              initial={{
                day,
                from: time,
                roomId: roomId === null ? '' : String(roomId),
                place: roomId === null ? place : '',
                onHoliday: false,
              }}
              hiddenValues={{ id, version }}
              onDone={(answer, input) => move.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <DateField name="day" toward="future" />
              <TextField name="from" width="short" hint={<Trans>Such as 10:00.</Trans>} />
              <OptionField name="roomId" options={slotRooms} />
              <TextField name="place" hint={<Trans>Where it is not a room of the school.</Trans>} />
              <TickField name="onHoliday" />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <PreviewDialog
        preview={move}
        title={t`Change the slot at ${time}`}
        confirm={<Trans>Move</Trans>}
        details={<ToldFamilies example={moved?.example ?? null} />}
        onApplied={() => {
          setOpen(false);
          toast({ kind: 'success', title: t`Moved. Families are notified in 30 seconds.` });
        }}
      >
        <Trans>
          To {moved ? showMoment(moved.startsAt) : ''}: {moved?.children.join(', ') ?? ''}
        </Trans>
      </PreviewDialog>
      <PreviewDialog
        preview={cancel}
        title={t`Cancel the slot at ${time}`}
        confirm={<Trans>Cancel the slot</Trans>}
        details={<ToldFamilies example={cancelled?.example ?? null} />}
        onApplied={() => toast({ kind: 'success', title: t`Cancelled. Families are notified in 30 seconds.` })}
      >
        <Trans>Children to plan again: {cancelled?.children.join(', ') ?? ''}</Trans>
      </PreviewDialog>
    </>
  );
}
