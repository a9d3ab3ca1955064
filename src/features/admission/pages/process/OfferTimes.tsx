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
import { showDate } from '#kit/contract/day.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { slotKinds, slotRooms, slotStaff } from '../../contract/slot.ts';
import { timeChoiceApi } from '../../contract/time-choice.ts';
import { ToldFamilies } from './ToldFamilies.tsx';

interface Props {
  selection: Selection;
  onDone: () => void;
}

/** Lets the families of the selected applications choose a slot, with the button that opens it. */
export function OfferTimes({ selection, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(timeChoiceApi.offer);
  const title = t`Let families choose a time`;
  const { days = [], places = 0, families = 0, skipped = [], example = null } = preview.shown?.answer ?? {};
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Let families choose…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={timeChoiceApi.offer}
              label={title}
              initial={{
                ...{ kind: 'Interaction', day: '', secondDay: '', thirdDay: '', from: '10:00', to: '12:00' },
                ...{ minutes: '20', pause: '0', capacity: '1', roomId: '', place: '' },
                ...{ assessorId: '', secondAssessorId: '', thirdAssessorId: '' },
                ...{ untilDay: '', untilHour: '18:00', onHoliday: false },
              }}
              hiddenValues={{ selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <RadioField name="kind" options={slotKinds} />
              <DateField name="day" toward="future" />
              <DateField name="secondDay" toward="future" />
              <DateField name="thirdDay" toward="future" />
              <TextField name="from" width="short" hint={<Trans>Such as 10:00.</Trans>} />
              <TextField name="to" width="short" hint={<Trans>The same hours on each day.</Trans>} />
              <TextField name="minutes" width="short" inputMode="numeric" />
              <TextField name="pause" width="short" inputMode="numeric" />
              <TextField name="capacity" width="short" inputMode="numeric" />
              <OptionField name="roomId" options={slotRooms} />
              <TextField name="place" hint={<Trans>Where it is not a room of the school.</Trans>} />
              <OptionField name="assessorId" options={slotStaff} />
              <OptionField name="secondAssessorId" options={slotStaff} />
              <OptionField name="thirdAssessorId" options={slotStaff} />
              <DateField name="untilDay" toward="future" />
              <TextField name="untilHour" width="short" hint={<Trans>Such as 18:00.</Trans>} />
              <TickField name="onHoliday" />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <PreviewDialog
        preview={preview}
        title={title}
        confirm={<Trans>Send</Trans>}
        details={
          <>
            <ul>
              {days.map(({ day, times }) => (
                <li key={day}>
                  {showDate(day)}: {times.map(showTime).join(', ')}
                </li>
              ))}
            </ul>
            {places < families && (
              <p>
                <strong>
                  <Trans>There are fewer places than families.</Trans>
                </strong>
              </p>
            )}
            {skipped.length > 0 && (
              <ul>
                {skipped.map(({ id, name, reason }) => (
                  <li key={id}>
                    <strong>{name}</strong> <span className="soft">{translate(reason)}</span>
                  </li>
                ))}
              </ul>
            )}
            <ToldFamilies example={example} />
          </>
        }
        onApplied={() => {
          setOpen(false);
          onDone();
          toast({ kind: 'success', title: t`Offered. Families are notified in 30 seconds.` });
        }}
      >
        <Trans>
          Places to choose from: {places}. Families: {families}
        </Trans>
      </PreviewDialog>
    </>
  );
}
