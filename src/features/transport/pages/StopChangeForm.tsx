import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { riderFields } from '../contract/rider.ts';
import { changeActions, rideApi, type StopChanges } from '../contract/stop-change.ts';
import { addedDays, isWholeDay } from './days.ts';
import { emptyRide, RideFields, type TypedRide } from './RideFields.tsx';

interface Props {
  changes: StopChanges;
  /** Whose ride it is; to be chosen by default. */
  rider?: { id: string; name: string };
  onClose: () => void;
}

/** Asks for a stop change on one screen: the rider, the day, the new stops with their free seats, the reason. */
export function StopChangeForm({ changes, rider, onClose }: Props) {
  const { t } = useLingui();
  const isStaff = changes.kind === 'Staff';
  const name = isStaff ? 'staffId' : 'studentId';
  return (
    <RecordForm
      title={t`Ask for a stop change`}
      about={[rider?.name, t`Another person approves it.`].filter(Boolean).join('. ')}
      endpoint={changes.api.request}
      initial={{
        studentId: '',
        staffId: '',
        [name]: rider?.id ?? '',
        action: 'Change',
        ...emptyRide,
        effectiveFrom: addedDays(today(), 1),
        reason: '',
      }}
      words={<Trans>Send</Trans>}
      saved={t`Sent for approval.`}
      onClose={onClose}
    >
      {!rider && <OptionField name={name} options={riderFields[name].to.options} required />}
      <DateField name="effectiveFrom" />
      <SelectField name="action" options={changeActions} />
      <Ride />
      <TextField name="reason" />
    </RecordForm>
  );
}

function Ride() {
  const { values, change, errors } = useApiForm();
  const rider = { studentId: String(values.studentId ?? ''), staffId: String(values.staffId ?? '') };
  const day = String(values.effectiveFrom);
  const typed = Object.fromEntries(
    Object.keys(emptyRide).map((name) => [name, String(values[name] ?? '')]),
  ) as unknown as TypedRide;
  const [isOneWay, setOneWay] = useState(false);
  return (
    <>
      {(rider.studentId || rider.staffId) && isWholeDay(day) && (
        <Present rider={rider} day={day} ride={values.action === 'Stop' ? emptyRide : typed} onOneWay={setOneWay} />
      )}
      {values.action !== 'Stop' && (
        <RideFields
          id=""
          ride={typed}
          day={day}
          rider={rider}
          errors={errors}
          isOneWay={isOneWay}
          onChange={(over) => {
            for (const [name, value] of Object.entries(over)) change(name, value);
          }}
        />
      )}
    </>
  );
}

interface PresentProps {
  rider: { studentId: string; staffId: string };
  day: string;
  ride: TypedRide;
  onOneWay: (isOneWay: boolean) => void;
}

/** The ride of the day, and what a month costs with the stops that are chosen. */
function Present({ rider, day, ride: { pickupStopId, dropStopId, pickupTripId, dropTripId }, onOneWay }: PresentProps) {
  const { data } = useRead(rideApi.ride, {
    studentId: rider.studentId || null,
    staffId: rider.staffId || null,
    day,
    pickupStopId: pickupStopId || null,
    dropStopId: dropStopId || null,
    pickupTripId: pickupTripId || null,
    dropTripId: dropTripId || null,
  });
  const present = data?.ride;
  const isOneWay = present ? !(present.pickupStopId && present.dropStopId) : false;
  const isRead = data !== undefined;
  useEffect(() => {
    if (isRead) onOneWay(isOneWay);
  }, [isRead, isOneWay, onOneWay]);
  if (!data) return null;
  const { ride, asked, passed } = data;
  const month = asked && showDate(`${asked.month}-01`).slice(2);
  return (
    <div className="question">
      <p className="soft">
        {ride ? (
          <Trans>
            On this day: {ride.words}, {showMoney(ride.amount)} a month
          </Trans>
        ) : (
          <Trans>No seat on this day.</Trans>
        )}
      </p>
      {asked && (
        <p>
          <Trans>
            With these stops: <strong>{showMoney(asked.amount)}</strong> a month, from {month}
          </Trans>
        </p>
      )}
      {passed && (
        <Notice>
          <Trans>{passed} waits for a seat on this trip. Enter as the reason why another child gets it.</Trans>
        </Notice>
      )}
    </div>
  );
}
