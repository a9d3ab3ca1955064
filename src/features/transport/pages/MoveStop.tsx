import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { showMoney } from '#kit/contract/money.ts';
import { stopMaster } from '../contract/masters.ts';
import { riderApi } from '../contract/rider.ts';
import { emptyRide, RideFields, type TypedRide } from './RideFields.tsx';

/** Gives all riders of a stop another one from a day on, after a preview that names them. */
export function MoveStop({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [stopId, setStop] = useState('');
  const { data: stops = [] } = useRead(stopMaster.api.options, {});
  const preview = usePreview(riderApi.moveStop);
  const { moved = [], waiting = [], waitingStill = [], ofYear = 0 } = preview.shown?.answer ?? {};
  const title = t`Move the riders of a stop`;
  const [moving, remaining] = [waiting.join(', '), waitingStill.join(', ')];
  const difference = showMoney(ofYear);
  return (
    <SideDialog title={title} onClose={onClose}>
      {(close) => (
        <>
          <div className="question">
            <label htmlFor="moved-stop">
              <Trans>Stop that they have now</Trans>
            </label>
            <select
              className="box"
              id="moved-stop"
              value={stopId}
              onChange={({ currentTarget }) => setStop(currentTarget.value)}
            >
              <option value="">{t`Choose the stop`}</option>
              {stops.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          {stopId !== '' && (
            <ApiForm
              key={stopId}
              endpoint={riderApi.moveStop}
              label={title}
              initial={{ effectiveFrom: today(), ...emptyRide, reason: '' }}
              hiddenValues={{ id: Number(stopId) }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <DateField name="effectiveFrom" />
              <NewStops />
              <TextField name="reason" hint={<Trans>Only where another child waits for the seat.</Trans>} />
            </ApiForm>
          )}
          {preview.shown && <Unsaved />}
          <BulkAct
            preview={preview}
            title={title}
            effect={(count) => <Plural value={count} one="# rider moves:" other="# riders move:" />}
            confirm={<Trans>Move</Trans>}
            done={t`Riders moved`}
            details={
              <>
                <ul>
                  {moved.map(({ name, before, after, amount, newAmount }) => (
                    <li key={`${name} ${before}`}>
                      {name}: {before} → {after}
                      {newAmount !== amount && (
                        <>
                          , {showMoney(amount)} → {showMoney(newAmount)}
                        </>
                      )}
                    </li>
                  ))}
                </ul>
                {moving && (
                  <p>
                    <Trans>Now wait at the new stop: {moving}.</Trans>
                  </p>
                )}
                {remaining && (
                  <p>
                    <Trans>Still wait at this stop, because their two ways would need two stops: {remaining}.</Trans>
                  </p>
                )}
                {ofYear !== 0 && (
                  <p>
                    <Trans>The fees of open years change by {difference}.</Trans>
                  </p>
                )}
              </>
            }
            onApplied={close}
          />
        </>
      )}
    </SideDialog>
  );
}

function NewStops() {
  const { values, change, errors } = useApiForm();
  const typed = Object.fromEntries(
    Object.keys(emptyRide).map((name) => [name, String(values[name] ?? '')]),
  ) as unknown as TypedRide;
  return (
    <RideFields
      id=""
      ride={typed}
      day={String(values.effectiveFrom)}
      rider={{ studentId: '', staffId: '' }}
      errors={errors}
      onChange={(over) => {
        for (const [name, value] of Object.entries(over)) change(name, value);
      }}
    />
  );
}
