import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type Direction, stopMaster } from '../contract/masters.ts';
import { type FreeTrip, riderApi } from '../contract/rider.ts';
import { isWholeDay } from './days.ts';

export interface TypedRide {
  pickupStopId: string;
  pickupTripId: string;
  dropStopId: string;
  dropTripId: string;
}

export const emptyRide: TypedRide = { pickupStopId: '', pickupTripId: '', dropStopId: '', dropTripId: '' };

interface Props {
  id: string;
  ride: TypedRide;
  day: string;
  rider: { studentId: string; staffId: string };
  errors: FieldErrors;
  /** The rider rides one way, so a new pickup sets no drop. */
  isOneWay?: boolean;
  onChange: (over: Partial<TypedRide>) => void;
}

/** The stop and trip of each way. The drop is at the stop of the pickup, where a trip stops then, unless another is chosen. */
export function RideFields({ id, ride, day, rider, errors, isOneWay = false, onChange }: Props) {
  const way = (direction: Direction) => ({ id, direction, ride, day, rider, errors });
  const isDropCopied = useRef(false);
  return (
    <>
      <Way
        {...way('Pickup')}
        onChange={(over) => {
          const isCopying = over.pickupStopId !== undefined && !isOneWay && ride.dropStopId === ride.pickupStopId;
          if (isCopying) isDropCopied.current = true;
          onChange(isCopying ? { ...over, dropStopId: over.pickupStopId ?? '', dropTripId: '' } : over);
        }}
      />
      <Way
        {...way('Drop')}
        onNoTrip={() => isDropCopied.current && onChange({ dropStopId: '', dropTripId: '' })}
        onChange={(over) => {
          if (over.dropStopId !== undefined) isDropCopied.current = false;
          onChange(over);
        }}
      />
    </>
  );
}

interface WayProps extends Omit<Props, 'isOneWay'> {
  direction: Direction;
  /** No trip of this way stops there on the day. */
  onNoTrip?: () => void;
}

function Way({ id, direction, ride, day, rider, errors, onNoTrip, onChange }: WayProps) {
  const { t } = useLingui();
  const isPickup = direction === 'Pickup';
  const [stopName, tripName] = isPickup
    ? (['pickupStopId', 'pickupTripId'] as const)
    : (['dropStopId', 'dropTripId'] as const);
  const { data: stops = [] } = useRead(stopMaster.api.options, {});
  const stopId = ride[stopName];
  const at = id === '' ? '' : `${id}.`;
  const names = { stop: `${at}${stopName}`, trip: `${at}${tripName}` };
  return (
    <div className="question">
      <label htmlFor={names.stop}>{isPickup ? <Trans>Pickup</Trans> : <Trans>Drop</Trans>}</label>
      <ErrorText id={`${names.stop}-error`} error={errors[names.stop]} />
      <ErrorText id={`${names.trip}-error`} error={errors[names.trip]} />
      <select
        className="box"
        id={names.stop}
        name={names.stop}
        value={stopId}
        aria-invalid={Boolean(errors[names.stop])}
        aria-describedby={errors[names.stop] && `${names.stop}-error`}
        onChange={({ currentTarget: { value } }) => onChange({ [stopName]: value, [tripName]: '' })}
      >
        <option value="">{t`No stop`}</option>
        {stops
          .filter(({ id: own, isActive }) => isActive || String(own) === stopId)
          .map(({ id: own, name }) => (
            <option key={own} value={own}>
              {name}
            </option>
          ))}
      </select>
      {stopId !== '' && isWholeDay(day) && (
        <Trips
          name={names.trip}
          label={isPickup ? t`Pickup trip` : t`Drop trip`}
          input={{ stopId, direction, day, studentId: rider.studentId || null, staffId: rider.staffId || null }}
          value={ride[tripName]}
          isWrong={Boolean(errors[names.trip])}
          onNone={onNoTrip}
          onChange={(value) => onChange({ [tripName]: value })}
        />
      )}
    </div>
  );
}

interface TripsProps {
  name: string;
  label: string;
  input: { stopId: string; direction: Direction; day: string; studentId: string | null; staffId: string | null };
  value: string;
  isWrong: boolean;
  onNone: (() => void) | undefined;
  onChange: (value: string) => void;
}

/** The trips that stop there, with their free seats on the day and on the day with the fewest. */
function Trips({ name, label, input, value, isWrong, onNone, onChange }: TripsProps) {
  const { t } = useLingui();
  const { data } = useRead(riderApi.freeSeats, input);
  const trips = data?.trips ?? [];
  const only = trips.length === 1 ? String(trips[0]?.tripId) : '';
  const hasNone = data !== undefined && trips.length === 0;
  const choose = useEffectEvent(() => {
    if (hasNone) onNone?.();
    else if (value === '' && only !== '') onChange(only);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: The only trip is chosen when it is read.
  useEffect(() => choose(), [only, hasNone]);
  const words = ({ time, vehicle, slot, free, least, leastOn, freeFrom }: FreeTrip) => {
    const day = leastOn && showDate(leastOn);
    const later = freeFrom && showDate(freeFrom);
    if (later) return t`${time}, ${vehicle}, ${slot}: full, free from ${later}`;
    return leastOn
      ? t`${time}, ${vehicle}, ${slot}: ${free} free, ${least} from ${day}`
      : t`${time}, ${vehicle}, ${slot}: ${free} free`;
  };
  return (
    <select
      className="box"
      id={name}
      name={name}
      aria-label={label}
      aria-invalid={isWrong}
      aria-describedby={isWrong ? `${name}-error` : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{hasNone ? t`No trip stops here on this day` : t`Choose the trip`}</option>
      {trips.map((trip) => (
        <option key={trip.tripId} value={trip.tripId}>
          {words(trip)}
        </option>
      ))}
    </select>
  );
}
