import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type DayTrip, todayApi } from '../contract/today.ts';
import { ManifestButton } from './ManifestButton.tsx';

interface Props {
  trip: DayTrip;
  day: string;
  onClose: () => void;
}

/** The riders of a trip in the order of its stops, with the adults who may collect each child on the way home. */
export function TripRiders({ trip: { id, route, direction, starts }, day, onClose }: Props) {
  const { t } = useLingui();
  const found = useRead(todayApi.riders, { id, day });
  return (
    <SideDialog title={t`Riders of ${route}`} about={`${showDate(day)}, ${starts}`} onClose={onClose}>
      {() => (
        <QueryBoundary query={found}>
          {({ riders }) => (
            <Stack gap={12}>
              <div>
                <ManifestButton tripId={id} slot={route} day={day} />
              </div>
              {riders.length === 0 ? (
                <EmptyState message={<Trans>No riders on this day.</Trans>} />
              ) : (
                <ActRows>
                  {riders.map((rider) => (
                    <ActRow
                      key={rider.key}
                      title={rider.name}
                      about={[rider.time, rider.stop].filter(Boolean).join(', ')}
                      late={rider.alert || undefined}
                      detail={<Details rider={rider} isHome={direction === 'Drop' && !rider.isStaff} />}
                    />
                  ))}
                </ActRows>
              )}
            </Stack>
          )}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

function Details({
  rider: { contact, away, collectors, barred },
  isHome,
}: {
  rider: OutputOf<typeof todayApi.riders>['riders'][number];
  isHome: boolean;
}) {
  const names = barred.join(', ');
  return (
    <>
      {away && <Chip kind="warn">{translate(away)}</Chip>} {!isHome && contact}
      {isHome &&
        collectors.map(({ name, mobile }) => (
          <span key={`${name} ${mobile}`}>
            {name} <PhoneLink mobile={mobile} />
            <br />
          </span>
        ))}
      {isHome && collectors.length === 0 && <Trans>No adult is entered who may collect this child.</Trans>}{' '}
      {isHome && names && (
        <Text as="strong" tone="bad">
          <Trans>Never to: {names}</Trans>
        </Text>
      )}
    </>
  );
}
