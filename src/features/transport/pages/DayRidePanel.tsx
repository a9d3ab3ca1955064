import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type DayTrip, type Movable, todayApi } from '../contract/today.ts';
import { isWholeDay } from './days.ts';
import { movesOf, type Places, presetOf, unplacedOf } from './preset.ts';
import { NewBuses, RiderPlaces, UnplacedNotice } from './RiderPlaces.tsx';

interface Props {
  trip: DayTrip;
  day: string;
  onClose: () => void;
}

/** Riders of a trip who ride on another bus, or on none, on some days; the trip may not run at all. */
export function DayRidePanel({ trip, day, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [until, setUntil] = useState(day);
  const [isNotRunning, setNotRunning] = useState(false);
  const [isTold, setTold] = useState(true);
  /** Undefined until a place is chosen: then the preset counts. */
  const [chosen, setChosen] = useState<Places>();
  /** Of riders without a choice. */
  const [isWarned, setWarned] = useState(false);
  const to = isWholeDay(until) && until >= day ? until : day;
  const found = useRead(todayApi.elsewhere, { id: trip.id, isAll: '', from: day, to });
  const undo = useAction(todayApi.undo, {
    onRefused: ({ text }) => toast({ kind: 'error', title: t`Not undone.`, text: translate(text), of: trip.route }),
  });
  const preview = usePreview(todayApi.dayRides, ({ count, confirmToken }) => confirmToken !== null && count === 0);
  const { riders, count } = preview.shown?.answer ?? { riders: [], count: 0 };
  const { route } = trip;
  const seats = isNotRunning ? 0 : trip.seats;
  return (
    <SideDialog title={t`Who rides elsewhere?`} about={t`${route}, from ${showDate(day)}`} onClose={onClose}>
      {(close) => {
        const finish = ({ act, families }: OutputOf<typeof todayApi.dayRides>) => {
          close();
          toast({
            kind: 'success',
            title: families > 0 ? t`Saved. ${families} families get a message.` : t`Saved.`,
            of: route,
            actions: [{ label: t`Undo`, shortcut: 'Control+Z', act: () => void undo.run({ act }) }],
          });
        };
        const save = async (all: readonly Movable[], places: Places) => {
          const isLacking = unplacedOf(all, places, seats).length > 0;
          setWarned(isLacking);
          if (isLacking) return;
          const answer = await preview.show({
            id: trip.id,
            isNotRunning,
            isTold,
            moves: movesOf(all, places, seats),
            effectiveFrom: day,
            effectiveTo: to,
            reason: '',
          });
          if (answer?.isApplied) finish(answer);
        };
        return (
          <Stack gap={12}>
            <Row as="label" gap={8} align="center" wrap>
              <Trans>Until</Trans>
              <DateInput value={until} min={day} toward="future" onChange={setUntil} />
            </Row>
            <label>
              <input
                type="checkbox"
                checked={isNotRunning}
                onChange={() => {
                  setNotRunning(!isNotRunning);
                  setChosen(undefined);
                }}
              />{' '}
              <Trans>The trip does not run on these days</Trans>
            </label>
            <label>
              <input type="checkbox" checked={isTold} onChange={() => setTold(!isTold)} />{' '}
              <Trans>Tell the families</Trans>
            </label>
            <QueryBoundary query={found}>
              {({ trips }) => {
                const all = trips.flatMap((one) => one.riders);
                const places = chosen ?? presetOf(trips.map((one) => ({ riders: one.riders, seats })));
                return (
                  <>
                    {all.length === 0 && <EmptyState message={<Trans>No riders on these days.</Trans>} />}
                    <RiderPlaces trips={trips} seats={seats} places={places} onChange={setChosen} />
                    {isWarned && <UnplacedNotice riders={all} places={places} seats={seats} />}
                    {!preview.shown && preview.problem}
                    <Row gap={8}>
                      <Button kind="main" isBusy={preview.isBusy} onClick={() => save(all, places)}>
                        <Trans>Save</Trans>
                      </Button>
                      <Button onClick={close}>
                        <Trans>Cancel</Trans>
                      </Button>
                    </Row>
                  </>
                );
              }}
            </QueryBoundary>
            <PreviewDialog
              preview={preview}
              title={t`Change these rides?`}
              confirm={<Trans>Save</Trans>}
              onApplied={finish}
              details={<NewBuses riders={riders} count={count} />}
            >
              <Plural value={count} one="# ride changes:" other="# rides change:" />
            </PreviewDialog>
          </Stack>
        );
      }}
    </SideDialog>
  );
}
