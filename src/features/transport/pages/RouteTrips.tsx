import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControl, FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showDate } from '#kit/contract/day.ts';
import { omit } from '#kit/contract/field.ts';
import { type Duty, dutyFields, type Route, routeApi, type Trip } from '../contract/route.ts';
import { addedDays } from './days.ts';
import { ManifestButton } from './ManifestButton.tsx';
import { OtherVehicle, RidersForm } from './RidersForm.tsx';

/** The trips of a route: when they run, with which vehicle and people, and how many ride. */
export function RouteTrips({ route }: { route: Route }) {
  const { t } = useLingui();
  const { trips, plans, today, may, id } = route;
  return (
    <RecordCard
      title={t`Trips`}
      isWide
      actions={
        may.change &&
        plans.length > 0 && (
          <>
            {trips.length > 0 && (
              <FormOpener title={t`Change vehicle of all trips of ${route.name}`} label={<Trans>Change vehicle</Trans>}>
                {(onClose) => (
                  <RidersForm
                    title={t`Vehicle of all trips`}
                    about={t`Drivers and attendants don’t change.`}
                    endpoint={routeApi.vehicle}
                    initial={{ vehicleId: '', effectiveFrom: addedDays(today, 1) }}
                    hiddenValues={{ id }}
                    question={t`Change the vehicle of riders?`}
                    effect={(count) => <OtherVehicle count={count} />}
                    saved={t`Vehicle of ${route.name} changed.`}
                    onClose={onClose}
                  >
                    <FieldControl name="vehicleId" field={dutyFields.vehicleId} />
                    <DateField name="effectiveFrom" />
                  </RidersForm>
                )}
              </FormOpener>
            )}
            <FormOpener title={t`Add trip to ${route.name}`} label={<Trans>Add trip</Trans>}>
              {(onClose) => <DutyForm route={route} onClose={onClose} />}
            </FormOpener>
          </>
        )
      }
    >
      {trips.length === 0 ? (
        <EmptyState message={<Trans>Give the route a time slot, a vehicle, a driver and an attendant.</Trans>} />
      ) : (
        <CardTable
          caption={<Trans>Trips of {route.name}</Trans>}
          heads={[t`Time slot`, t`Vehicle`, t`Driver`, t`Attendant`, t`Days`, t`Riders`]}
          rows={trips.flatMap((trip): TripRow[] =>
            trip.duties.length === 0
              ? [{ key: String(trip.id), cells: [slotOf(trip), '', '', '', t`Ended`, String(trip.riders)] }]
              : trip.duties.map((duty) => rowOf(route, trip, duty)),
          )}
        />
      )}
    </RecordCard>
  );
}

const slotOf = ({ slot, starts, ends }: Trip) => `${slot}, ${starts}–${ends}`;

interface TripRow {
  key: string;
  cells: ReactNode[];
  actions?: ReactNode;
}

function rowOf(route: Route, trip: Trip, duty: Duty): TripRow {
  const { today } = route;
  const isNow = duty.effectiveFrom <= today;
  return {
    key: `${trip.id} ${duty.id}`,
    cells: [
      slotOf(trip),
      <span key="vehicle">
        {duty.vehicle}{' '}
        {duty.lacking.length > 0 && (
          <Chip kind="bad">
            <Trans>Missing or expired: {duty.lacking.map(translateOption).join(', ')}</Trans>
          </Chip>
        )}
      </span>,
      duty.driver,
      duty.attendant,
      <DaysOf key="days" duty={duty} today={today} />,
      isNow ? `${trip.riders} / ${duty.seats}` : `– / ${duty.seats}`,
    ],
    actions: <DutyActs route={route} trip={trip} duty={duty} />,
  };
}

function DaysOf({ duty: { effectiveFrom, effectiveTo }, today }: { duty: Duty; today: string }) {
  const [from, to] = [showDate(effectiveFrom), effectiveTo && showDate(effectiveTo)];
  if (to)
    return (
      <Trans>
        {from} to {to}
      </Trans>
    );
  return effectiveFrom > today ? <Trans>From {from}</Trans> : <Trans>Since {from}</Trans>;
}

function DutyActs({ route, trip, duty }: { route: Route; trip: Trip; duty: Duty }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState<'change' | 'end'>();
  const { may } = route;
  const close = () => setOpen(undefined);
  return (
    <>
      {duty.effectiveFrom <= route.today && <ManifestButton tripId={trip.id} slot={trip.slot} day={route.today} />}
      {may.change && (
        <>
          <Button kind="quiet" aria-label={t`Change ${trip.slot}`} onClick={() => setOpen('change')}>
            <Trans>Change</Trans>
          </Button>
          <Button kind="quiet" aria-label={t`End ${trip.slot}`} onClick={() => setOpen('end')}>
            <Trans>End</Trans>
          </Button>
        </>
      )}
      {isOpen === 'change' && <DutyForm route={route} trip={trip} duty={duty} onClose={close} />}
      {isOpen === 'end' && (
        <RecordForm
          title={t`End the trip`}
          saved={t`${trip.slot} ends.`}
          about={t`End the rides of its riders first.`}
          endpoint={routeApi.endDuty}
          initial={{ lastDay: route.today }}
          hiddenValues={{ id: route.id, tripId: trip.id }}
          words={<Trans>End</Trans>}
          onClose={close}
        >
          <DateField name="lastDay" />
        </RecordForm>
      )}
    </>
  );
}

interface DutyFormProps {
  route: Route;
  trip?: Trip;
  duty?: Duty;
  onClose: () => void;
}

function DutyForm({ route, trip, duty, onClose }: DutyFormProps) {
  const { t } = useLingui();
  return (
    <RidersForm
      title={duty ? t`Change vehicle and crew` : t`Add trip`}
      endpoint={routeApi.duty}
      initial={{
        timeSlotId: '',
        vehicleId: String(duty?.standing.vehicleId ?? ''),
        driverId: String(duty?.standing.driverId ?? ''),
        attendantId: String(duty?.standing.attendantId ?? ''),
        effectiveFrom: duty ? addedDays(route.today, 1) : (route.plans[0]?.effectiveFrom ?? route.today),
        dropsPlanned: false,
      }}
      hiddenValues={{ id: route.id, ...(trip && { timeSlotId: trip.timeSlotId }) }}
      question={t`Change the vehicle of riders?`}
      effect={(count) => <OtherVehicle count={count} />}
      saved={trip ? t`${trip.slot} changed.` : t`Trip of ${route.name} added.`}
      onClose={onClose}
    >
      <FieldControls fields={trip ? omit(dutyFields, 'timeSlotId') : omit(dutyFields, 'dropsPlanned')} />
    </RidersForm>
  );
}
