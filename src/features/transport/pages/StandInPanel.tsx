import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { Segments } from '#kit/browser/ui/Segments.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Role } from '../contract/route.ts';
import { type DayTrip, type Move, todayApi } from '../contract/today.ts';
import { isWholeDay } from './days.ts';
import { givenOf } from './given-of.ts';
import { NewBuses } from './RiderPlaces.tsx';
import { OtherVehicle } from './RidersForm.tsx';
import { SmallerVehicle } from './SmallerVehicle.tsx';

interface Props {
  trip: DayTrip;
  role: Role;
  day: string;
  onClose: () => void;
}

type Scope = 'All' | 'This';

/** Who or which is free instead; a press on one of them replaces. */
export function StandInPanel({ trip, role, day, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const given = givenOf(trip, role);
  const [until, setUntil] = useState(day);
  const [scope, setScope] = useState<Scope>('All');
  const [isTold, setTold] = useState(true);
  const [isWorkshop, setWorkshop] = useState(false);
  /** A vehicle with fewer seats than riders, once it is chosen. */
  const [small, setSmall] = useState<{ id: number; name: string; seats: number }>();
  const isAll = scope === 'All' && given !== null;
  const to = isWholeDay(until) && until >= day ? until : day;
  const free = useRead(todayApi.free, { id: trip.id, role, isAll: String(isAll), from: day, to });
  const undo = useAction(todayApi.undo, {
    onRefused: ({ text }) => toast({ kind: 'error', title: t`Not undone.`, text: translate(text), of: trip.route }),
  });
  const preview = usePreview(
    todayApi.standIn,
    ({ count, confirmToken }) => confirmToken !== null && (role !== 'Vehicle' || count === 0),
  );
  const { riders, count } = preview.shown?.answer ?? { riders: [], count: 0 };
  const name = given?.name ?? '';
  const { route } = trip;
  const words: Record<Role, string> = {
    Vehicle: t`Which vehicle for ${route}?`,
    Driver: t`Who drives ${route}?`,
    Attendant: t`Who attends ${route}?`,
  };
  const title = words[role];
  return (
    <SideDialog title={title} about={name && t`Instead of ${name}, from ${showDate(day)}`} onClose={onClose}>
      {(close) => {
        const finish = ({ act, families }: OutputOf<typeof todayApi.standIn>) => {
          close();
          toast({
            kind: 'success',
            title: families > 0 ? t`Replaced. ${families} families get a message.` : t`Replaced.`,
            of: route,
            actions: [{ label: t`Undo`, shortcut: 'Control+Z', act: () => void undo.run({ act }) }],
          });
        };
        const choose = async (ownId: number, moves: Move[] = []) => {
          const answer = await preview.show({
            moves,
            tripId: trip.id,
            role,
            replacedId: given?.id ?? null,
            ownId,
            isAll,
            isAway: isWorkshop,
            isTold,
            effectiveFrom: day,
            effectiveTo: to,
            reason: '',
          });
          if (answer?.isApplied) finish(answer);
        };
        return (
          <Stack gap={12}>
            {given && (
              <Segments
                label={t`Trips`}
                value={scope}
                options={[
                  { value: 'All', label: t`All trips` },
                  { value: 'This', label: t`Only this trip` },
                ]}
                onChange={setScope}
              />
            )}
            <Row as="label" gap={8} align="center" wrap>
              <Trans>Until</Trans>
              <DateInput value={until} min={day} toward="future" onChange={setUntil} />
            </Row>
            {role === 'Vehicle' && given && (
              <label>
                <input type="checkbox" checked={isWorkshop} onChange={() => setWorkshop(!isWorkshop)} />{' '}
                <Trans>{name} goes to the workshop on these days</Trans>
              </label>
            )}
            <label>
              <input type="checkbox" checked={isTold} onChange={() => setTold(!isTold)} />{' '}
              <Trans>Tell the families</Trans>
            </label>
            {!preview.shown && preview.problem}
            {small && (
              <SmallerVehicle
                trip={trip}
                isAll={isAll}
                days={{ from: day, to }}
                vehicle={small}
                isBusy={preview.isBusy}
                onTake={(moves) => choose(small.id, moves)}
                onBack={() => setSmall(undefined)}
              />
            )}
            {!small && (
              <QueryBoundary query={free}>
                {({ rows, trips, riders: most }) => (
                  <>
                    <Text tone="soft" size={13}>
                      <Plural value={trips} one="Free for # trip." other="Free for all # trips." />
                    </Text>
                    {rows.length === 0 ? (
                      <EmptyState message={<Trans>None is free on these days.</Trans>} />
                    ) : (
                      <ActRows>
                        {rows.map((row) => {
                          const { seats, standIns } = row;
                          return (
                            <ActRow
                              key={row.id}
                              title={row.name}
                              about={row.knows && <Trans>knows the route</Trans>}
                              detail={
                                seats === null ? (
                                  <>
                                    <PhoneLink mobile={row.detail} />
                                    {standIns > 0 && (
                                      <>
                                        {' · '}
                                        <Plural
                                          value={standIns}
                                          one="stood in on # day this month"
                                          other="stood in on # days this month"
                                        />
                                      </>
                                    )}
                                  </>
                                ) : (
                                  <>
                                    {row.detail} ·{' '}
                                    {seats < most ? (
                                      <Trans>
                                        {seats} seats for {most} riders
                                      </Trans>
                                    ) : (
                                      <Plural value={seats} one="# seat" other="# seats" />
                                    )}
                                  </>
                                )
                              }
                            >
                              <Button
                                isBusy={preview.isBusy}
                                aria-label={t`Take ${row.name}`}
                                onClick={() =>
                                  seats !== null && seats < most ? setSmall({ ...row, seats }) : choose(row.id)
                                }
                              >
                                <Trans>Take</Trans>
                              </Button>
                            </ActRow>
                          );
                        })}
                      </ActRows>
                    )}
                  </>
                )}
              </QueryBoundary>
            )}
            <PreviewDialog
              preview={preview}
              title={t`Move riders to another vehicle?`}
              confirm={<Trans>Replace</Trans>}
              onApplied={finish}
              details={<NewBuses riders={riders} count={count} />}
            >
              <OtherVehicle count={count} />
            </PreviewDialog>
          </Stack>
        );
      }}
    </SideDialog>
  );
}
