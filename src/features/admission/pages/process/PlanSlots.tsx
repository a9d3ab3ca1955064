import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { slotApi, slotKinds, slotRooms, slotStaff } from '../../contract/slot.ts';
import { ToldFamilies } from './ToldFamilies.tsx';

interface Props {
  selection: Selection;
  onDone: () => void;
}

/** Plans a slot for each of the selected children, with the button that opens it. */
export function PlanSlots({ selection, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Plan interactions…</Trans>
      </Button>
      {isOpen && <PlanDialog selection={selection} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Plans a slot for each of the selected children, one after the other, after a preview of the times. */
export function PlanDialog({ selection, onDone, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(slotApi.plan);
  const title = t`Plan interactions`;
  const { slots = [], skipped = [] } = preview.shown?.answer ?? {};
  return (
    <>
      <SideDialog title={title} onClose={onClose}>
        {(close) => (
          <ApiForm
            endpoint={slotApi.plan}
            label={title}
            initial={{
              kind: 'Interaction',
              day: '',
              from: '10:00',
              minutes: '20',
              pause: '0',
              capacity: '1',
              roomId: '',
              place: '',
              assessorId: '',
              secondAssessorId: '',
              thirdAssessorId: '',
              onHoliday: false,
            }}
            hiddenValues={{ selection }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <RadioField name="kind" options={slotKinds} />
            <DateField name="day" toward="future" />
            <TextField name="from" width="short" hint={<Trans>Such as 10:00.</Trans>} />
            <TextField name="minutes" width="short" inputMode="numeric" />
            <TextField name="pause" width="short" inputMode="numeric" />
            <TextField name="capacity" width="short" inputMode="numeric" />
            <OptionField name="roomId" options={slotRooms} />
            <TextField name="place" hint={<Trans>Where it is not a room of the school.</Trans>} />
            <OptionField name="assessorId" options={slotStaff} />
            <OptionField name="secondAssessorId" options={slotStaff} />
            <OptionField name="thirdAssessorId" options={slotStaff} />
            <TickField name="onHoliday" />
          </ApiForm>
        )}
      </SideDialog>
      <PreviewDialog
        preview={preview}
        title={title}
        confirm={<Trans>Plan</Trans>}
        details={
          <>
            <ul>
              {slots.map(({ startsAt, children }) => (
                <li key={startsAt}>
                  {showTime(startsAt)} {children.join(', ')}
                </li>
              ))}
            </ul>
            {skipped.length > 0 && (
              <ul>
                {skipped.map(({ id, name, reason }) => (
                  <li key={id}>
                    <strong>{name}</strong> <span className="soft">{translate(reason)}</span>
                  </li>
                ))}
              </ul>
            )}
            <ToldFamilies example={preview.shown?.answer.example ?? null} />
          </>
        }
        onApplied={() => {
          onClose();
          onDone();
          toast({ kind: 'success', title: t`Planned. Families are notified in 30 seconds.` });
        }}
      >
        <Trans>Slots to plan: {slots.length}</Trans>
      </PreviewDialog>
    </>
  );
}
