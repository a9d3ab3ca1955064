import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Stack, Text } from '#kit/browser/ui/Layout.tsx';
import type { Movable, OtherTrip } from '../contract/today.ts';
import { keyOf, type Place, type Places } from './preset.ts';

interface Props {
  trips: readonly { id: number; name: string; riders: readonly Movable[] }[];
  /** Of the vehicle that comes; 0 where none comes. */
  seats: number;
  places: Places;
  onChange: (places: Places) => void;
}

/** Of each rider of some trips whether the own bus is taken, another one, or none. */
export function RiderPlaces({ trips, seats, places, onChange }: Props) {
  const { t } = useLingui();
  return trips.map(({ id, name, riders }) => {
    const others = riders.filter((rider) => (places[keyOf(rider)] ?? 'own') !== 'own').length;
    const onBus = riders.length - others;
    return (
      <Stack key={id} gap={4} data-trip={id}>
        <Text as="strong">{name}</Text>
        <Text tone={onBus > seats ? 'bad' : 'soft'} size={13}>
          {seats > 0 && (
            <>
              <Plural value={onBus} one="# rider on" other="# riders on" />{' '}
              <Plural value={seats} one="# seat" other="# seats" />
              {' · '}
            </>
          )}
          <Plural value={others} one="# rides elsewhere" other="# ride elsewhere" />
        </Text>
        <ActRows>
          {riders.map((rider) => (
            <ActRow key={keyOf(rider)} title={rider.name} about={rider.place} detail={rider.stop}>
              <select
                className="box"
                aria-label={t`Bus of ${rider.name}, ${name}`}
                value={places[keyOf(rider)] ?? (seats > 0 ? 'own' : '')}
                onChange={({ currentTarget }) => onChange({ ...places, [keyOf(rider)]: currentTarget.value as Place })}
              >
                {seats > 0 ? <option value="own">{t`This bus`}</option> : <option value="">{t`Choose`}</option>}
                {rider.trips.map((trip) => (
                  <OtherOption key={`${trip.tripId} ${trip.stopId}`} trip={trip} />
                ))}
                <option value="none">{t`No bus`}</option>
              </select>
            </ActRow>
          ))}
        </ActRows>
      </Stack>
    );
  });
}

function OtherOption({ trip: { tripId, stopId, vehicle, route, time, stop, free, isSameStop } }: { trip: OtherTrip }) {
  const { t } = useLingui();
  const bus = vehicle || route;
  return (
    <option value={`${tripId} ${stopId}`}>
      {isSameStop ? t`${bus}, ${time}: ${free} free` : t`${bus}, ${time} at ${stop}: ${free} free`}
    </option>
  );
}

/** The question before riders get another bus. */
export const NewBuses = ({
  riders,
  count,
}: {
  riders: readonly { name: string; stop: string; before: string; after: string }[];
  count: number;
}) => {
  const further = count - riders.length;
  return (
    <ul>
      {riders.map((rider) => (
        <li key={`${rider.name} ${rider.stop}`}>
          {rider.name}, {rider.stop}: {rider.before} → {rider.after || <Trans>no bus</Trans>}
        </li>
      ))}
      {further > 0 && (
        <li className="soft">
          <Plural value={further} one="And # more" other="And # more" />
        </li>
      )}
    </ul>
  );
};
