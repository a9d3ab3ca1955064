import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { type DayTrip, type Move, todayApi } from '../contract/today.ts';
import { movesOf, type Places, presetOf, unplacedOf } from './preset.ts';
import { RiderPlaces, UnplacedNotice } from './RiderPlaces.tsx';

interface Props {
  trip: DayTrip;
  isAll: boolean;
  days: { from: string; to: string };
  vehicle: { name: string; seats: number };
  isBusy: boolean;
  onTake: (moves: Move[]) => void;
  onBack: () => void;
}

/** Where the riders ride whom a smaller vehicle has no seats for. */
export function SmallerVehicle({ trip, isAll, days, vehicle, isBusy, onTake, onBack }: Props) {
  const { t } = useLingui();
  const { name, seats } = vehicle;
  const found = useRead(todayApi.elsewhere, { id: trip.id, isAll: String(isAll), ...days });
  /** Undefined until a place is chosen: then the preset counts. */
  const [chosen, setChosen] = useState<Places>();
  /** Of riders without a choice. */
  const [isWarned, setWarned] = useState(false);
  return (
    <QueryBoundary query={found}>
      {({ trips }) => {
        const places = chosen ?? presetOf(trips.map(({ riders }) => ({ riders, seats })));
        const all = trips.flatMap(({ riders }) => riders);
        const most = Math.max(...trips.map(({ riders }) => riders.length));
        const excess = Math.max(most - seats, 0);
        return (
          <Stack gap={12}>
            <Text as="strong">{t`Where do ${excess} of the ${most} ride? ${name} has ${seats} seats.`}</Text>
            <RiderPlaces trips={trips} seats={seats} places={places} onChange={setChosen} />
            {isWarned && <UnplacedNotice riders={all} places={places} seats={seats} />}
            <Row gap={8}>
              <Button
                kind="main"
                isBusy={isBusy}
                onClick={() => {
                  const isLacking = unplacedOf(all, places, seats).length > 0;
                  setWarned(isLacking);
                  if (!isLacking) onTake(movesOf(all, places, seats));
                }}
              >
                <Trans>Replace</Trans>
              </Button>
              <Button onClick={onBack}>
                <Trans>Choose another vehicle</Trans>
              </Button>
            </Row>
          </Stack>
        );
      }}
    </QueryBoundary>
  );
}
