import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryButton } from '#kit/browser/ui/HistoryButton.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Segments } from '#kit/browser/ui/Segments.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Direction } from '../contract/masters.ts';
import type { Role } from '../contract/route.ts';
import { type DayTrip, lacksOne, todayApi } from '../contract/today.ts';
import { DayRidePanel } from './DayRidePanel.tsx';
import { addedDays } from './days.ts';
import { givenOf } from './given-of.ts';
import { AllManifestsButton } from './ManifestButton.tsx';
import { StandInPanel } from './StandInPanel.tsx';
import { TripRiders } from './TripRiders.tsx';

/** The trips of a day: who drives which bus, how many ride, and who is missing. */
export function TodayTab() {
  const { address, narrow } = useListAddress();
  const day = address.day ?? today();
  const direction: Direction = address.direction === 'Drop' ? 'Drop' : 'Pickup';
  const found = useRead(todayApi.day, { day });
  const { t } = useLingui();
  return (
    <Stack gap={12} mt={12}>
      <Row gap={12} align="center" wrap>
        <DayChoice day={day} onDay={(chosen) => narrow({ day: chosen === today() ? '' : chosen })} />
        <Segments
          label={t`Direction`}
          value={direction}
          options={[
            { value: 'Pickup', label: t`To school` },
            { value: 'Drop', label: t`Home` },
          ]}
          onChange={(value) => narrow({ direction: value === 'Pickup' ? '' : value })}
        />
        <AllManifestsButton day={day} direction={direction} />
      </Row>
      <QueryBoundary query={found}>
        {({ trips, isSchoolDay, may, today: current }) => (
          <DayTrips
            day={day}
            trips={trips.filter((trip) => trip.direction === direction)}
            isSchoolDay={isSchoolDay}
            mayReplace={may.replace && day >= current}
          />
        )}
      </QueryBoundary>
    </Stack>
  );
}

function DayChoice({ day, onDay }: { day: string; onDay: (day: string) => void }) {
  const { t } = useLingui();
  return (
    <Row as="span" inline align="center" gap={4}>
      <IconButton label={t`Day before`} onClick={() => onDay(addedDays(day, -1))}>
        <IconChevronLeft size={18} aria-hidden />
      </IconButton>
      <DateInput
        key={day}
        aria-label={t`Day`}
        value={day}
        onChange={() => undefined}
        onLeave={(chosen) => chosen && chosen !== day && onDay(chosen)}
      />
      <IconButton label={t`Day after`} onClick={() => onDay(addedDays(day, 1))}>
        <IconChevronRight size={18} aria-hidden />
      </IconButton>
    </Row>
  );
}

interface DayProps {
  day: string;
  trips: DayTrip[];
  isSchoolDay: boolean;
  mayReplace: boolean;
}

const sumOf = (trips: DayTrip[], key: 'riders' | 'absent') => trips.reduce((sum, trip) => sum + trip[key], 0);

function DayTrips({ day, trips, isSchoolDay, mayReplace }: DayProps) {
  const { t } = useLingui();
  const [replacing, setReplacing] = useState<{ trip: DayTrip; role: Role }>();
  const [moving, setMoving] = useState<DayTrip>();
  const [listed, setListed] = useState<DayTrip>();
  const [logged, setLogged] = useState<DayTrip>();
  const shownDay = showDate(day);
  const cellOf = (trip: DayTrip, role: Role) => (
    <GivenCell trip={trip} role={role} onReplace={mayReplace ? () => setReplacing({ trip, role }) : undefined} />
  );
  return (
    <>
      {!isSchoolDay && (
        <Notice>
          <Trans>No school on {shownDay}. Buses don’t run unless the trip has classes of its own.</Trans>
        </Notice>
      )}
      {trips.length === 0 ? (
        <EmptyState message={<Trans>No trip on this day.</Trans>} />
      ) : (
        <>
          <Text tone="soft">
            <Plural value={trips.length} one="# trip" other="# trips" /> ·{' '}
            <Plural value={sumOf(trips, 'riders')} one="# rider" other="# riders" />
            {sumOf(trips, 'absent') > 0 && (
              <>
                {', '}
                <Trans>{sumOf(trips, 'absent')} absent</Trans>
              </>
            )}
          </Text>
          <CardTable
            caption={<Trans>Trips of {shownDay}</Trans>}
            heads={[t`Trip`, t`Vehicle`, t`Driver`, t`Attendant`, t`Riders`]}
            rows={trips
              .toSorted((one, other) => Number(lacksOne(other)) - Number(lacksOne(one)))
              .map((trip) => ({
                key: trip.id,
                cells: [
                  <span key="trip">
                    <strong>
                      {trip.starts}–{trip.ends}
                    </strong>{' '}
                    {trip.route}{' '}
                    {trip.isNotRunning && (
                      <Chip kind="bad">
                        <Trans>Not running</Trans>
                      </Chip>
                    )}
                  </span>,
                  cellOf(trip, 'Vehicle'),
                  cellOf(trip, 'Driver'),
                  cellOf(trip, 'Attendant'),
                  <Riders key="riders" trip={trip} onMove={mayReplace ? () => setMoving(trip) : undefined} />,
                ],
                actions: (
                  <Row as="span" inline gap={4} align="center">
                    <RidersButton route={trip.route} onOpen={() => setListed(trip)} />
                    <HistoryButton name={trip.route} onOpen={() => setLogged(trip)} />
                    {mayReplace && trip.acts[0] && <UndoButton act={trip.acts[0]} trip={trip.route} />}
                  </Row>
                ),
              }))}
          />
        </>
      )}
      {listed && <TripRiders trip={listed} day={day} onClose={() => setListed(undefined)} />}
      {logged && (
        <HistoryDialog
          endpoint={todayApi.history}
          id={logged.id}
          displayName={logged.route}
          onClose={() => setLogged(undefined)}
        />
      )}
      {moving && <DayRidePanel key={moving.id} trip={moving} day={day} onClose={() => setMoving(undefined)} />}
      {replacing && (
        <StandInPanel
          key={`${replacing.trip.id} ${replacing.role}`}
          {...replacing}
          day={day}
          onClose={() => setReplacing(undefined)}
        />
      )}
    </>
  );
}

function RidersButton({ route, onOpen }: { route: string; onOpen: () => void }) {
  const { t } = useLingui();
  return (
    <Button kind="quiet" aria-label={t`Riders of ${route}`} onClick={onOpen}>
      <Trans>Riders</Trans>
    </Button>
  );
}

interface GivenProps {
  trip: DayTrip;
  role: Role;
  onReplace: (() => void) | undefined;
}

/** The name opens who is free; it is red where the vehicle or person can’t be there. */
function GivenCell({ trip, role, onReplace }: GivenProps) {
  const { t } = useLingui();
  const given = givenOf(trip, role);
  const isMissing = given === null || given.isAway;
  const name = given?.name ?? t`Missing`;
  const words = isMissing ? (
    <Text as="strong" tone="bad">
      {name}
    </Text>
  ) : (
    name
  );
  const { route } = trip;
  const instead = given?.insteadOf;
  const until = given?.until ? showDate(given.until) : '';
  return (
    <Stack gap={2}>
      {onReplace ? (
        <Button kind="link" aria-label={t`Replace ${name}, ${route}`} onClick={onReplace}>
          {words}
        </Button>
      ) : (
        words
      )}
      {given &&
        (role === 'Vehicle' ? (
          <Text as="span" tone="soft" size={13}>
            {given.detail}
          </Text>
        ) : (
          <PhoneLink mobile={given.detail} />
        ))}
      {given?.isAway && (
        <Chip kind="bad">
          <Trans>Away</Trans>
        </Chip>
      )}
      {given && given.lacking.length > 0 && (
        <Chip kind="bad">
          <Trans>Missing or expired: {given.lacking.map(translateOption).join(', ')}</Trans>
        </Chip>
      )}
      {instead && (
        <Chip kind="info">
          <Trans>
            For {instead} until {until}
          </Trans>
        </Chip>
      )}
    </Stack>
  );
}

interface RidersProps {
  trip: DayTrip;
  onMove: (() => void) | undefined;
}

function Riders({ trip: { route, riders, seats, absent, guests, elsewhere }, onMove }: RidersProps) {
  const { t } = useLingui();
  const words = (
    <Text as="span" breaks="never">
      <strong>{riders}</strong> <Trans>of {seats}</Trans>
    </Text>
  );
  return (
    <Stack gap={2}>
      {onMove && riders > 0 ? (
        <Button kind="link" onClick={onMove}>
          <VisuallyHidden>{t`Riders elsewhere, ${route}`} </VisuallyHidden>
          {words}
        </Button>
      ) : (
        <span>{words}</span>
      )}
      {absent > 0 && (
        <Text as="span" tone="soft" size={13} breaks="never">
          <Trans>{absent} absent</Trans>
        </Text>
      )}
      {guests > 0 && (
        <Chip kind="info">
          <Plural value={guests} one="# from another bus" other="# from other buses" />
        </Chip>
      )}
      {elsewhere > 0 && (
        <Chip kind="info">
          <Plural value={elsewhere} one="# rides elsewhere" other="# ride elsewhere" />
        </Chip>
      )}
    </Stack>
  );
}

/** Undoes the latest change of a trip, with all trips of the same act. */
function UndoButton({ act, trip }: { act: string; trip: string }) {
  const { t } = useLingui();
  const toast = useToast();
  const undo = useAction(todayApi.undo);
  return (
    <>
      <Button
        kind="quiet"
        isBusy={undo.isBusy}
        aria-label={t`Undo the last change of ${trip}`}
        onClick={async () => {
          if (await undo.run({ act })) toast({ kind: 'success', title: t`Change undone.` });
        }}
      >
        <Trans>Undo</Trans>
      </Button>
      {undo.problem}
    </>
  );
}
