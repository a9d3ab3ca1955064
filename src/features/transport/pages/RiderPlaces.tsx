import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import type { Movable, OtherTrip } from '../contract/today.ts';
import { keyOf, type Place, type Places, placeOf, unplacedOf } from './preset.ts';

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
    const others = riders.filter((rider) => !['own', ''].includes(placeOf(rider, places, seats))).length;
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
          {riders.map((rider) => {
            const place = placeOf(rider, places, seats);
            return (
              <ActRow key={keyOf(rider)} title={rider.name} about={rider.place} detail={rider.stop}>
                <select
                  className="box"
                  aria-label={t`Bus of ${rider.name}, ${name}`}
                  value={place}
                  onChange={({ currentTarget }) =>
                    onChange({ ...places, [keyOf(rider)]: currentTarget.value as Place })
                  }
                >
                  {place === '' && <option value="">{t`Choose`}</option>}
                  {seats > 0 && <option value="own">{t`This bus`}</option>}
                  {rider.trips.map((trip) => (
                    <OtherOption key={`${trip.tripId} ${trip.stopId}`} trip={trip} />
                  ))}
                  <option value="none">{t`No bus`}</option>
                </select>
              </ActRow>
            );
          })}
        </ActRows>
      </Stack>
    );
  });
}

/** The riders for whom a bus, or none, is still to be chosen. */
export function UnplacedNotice({
  riders,
  places,
  seats,
}: {
  riders: readonly Movable[];
  places: Places;
  seats: number;
}) {
  const names = unplacedOf(riders, places, seats)
    .map(({ name }) => name)
    .join(', ');
  return names === '' ? undefined : (
    <Notice kind="bad">
      <Trans>Choose another bus, or none, for {names}.</Trans>
    </Notice>
  );
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
