import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useEffect, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { SlotPicker } from '#kit/browser/form/SlotPicker.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { showMoment, showReaderDay, showTime } from '#kit/browser/ui/show.ts';
import { toLocalDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { timeApi } from '../contract/time.ts';
import styles from './ChooseTime.module.css';
import { SchoolPhone } from './SchoolPhone.tsx';

interface Props {
  until: string;
  /** A time is chosen already: the times are shown once they are asked for. */
  isChosen: boolean;
  onChosen: () => Promise<void>;
}

/** The free times of the meeting by day, of which the family takes one. */
export function ChooseTime({ until, isChosen, onChosen }: Props) {
  const { t } = useLingui();
  const [times, setTimes] = useState<OutputOf<typeof timeApi.times>>();
  const [chosen, setChosen] = useState<number>();
  const [isBooked, setBooked] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const { attempt, isBusy, problem } = useAttempt();
  const read = async () => {
    setChosen(undefined);
    setTimes(await attempt(() => get(timeApi.times, {})));
  };
  // Another family took the time, or the school changed it: read the free times again and keep the refusal.
  const choose = useAction(timeApi.choose, {
    onRefused: () => {
      setRefused(true);
      void read();
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once.
  useEffect(() => {
    if (!isChosen) void read();
  }, []);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === undefined || !(await choose.run({ slotId: chosen }))) return;
    setTimes(undefined);
    setBooked(true);
    await onChosen();
  };
  const byDay = [...Map.groupBy(times ?? [], ({ startsAt }) => toLocalDate(new Date(startsAt)))];
  const last = showMoment(until);
  return (
    <div className={styles.choose}>
      <p role="status">{isBooked && t`Your time is booked.`}</p>
      {!times && isChosen && (
        <p>
          <Button isBusy={isBusy} onClick={() => void read()}>
            <Trans>Choose another time</Trans>
          </Button>
        </p>
      )}
      {!times && !isChosen && !isBusy && problem && (
        <p>
          <Button onClick={() => void read()}>
            <Trans>Show the times</Trans>
          </Button>
        </p>
      )}
      {times && times.length === 0 && !isRefused && (
        <p>
          <Trans>
            All times are taken. Call the school: <SchoolPhone />
          </Trans>
        </p>
      )}
      {times && times.length > 0 && (
        <form onSubmit={(event) => void send(event)}>
          <p>
            <Trans>Choose a time for your meeting with the school, until {last}.</Trans>
          </p>
          {byDay.map(([day, ofDay]) => (
            <SlotPicker
              key={day}
              name="slot"
              legend={showReaderDay(day)}
              slots={ofDay.map(({ id, startsAt }) => ({ id, from: showTime(startsAt) }))}
              chosen={chosen}
              onChoose={setChosen}
            />
          ))}
          <Button type="submit" kind="main" isBusy={choose.isBusy}>
            <Trans>Book this time</Trans>
          </Button>
        </form>
      )}
      {choose.problem}
      {problem}
    </div>
  );
}
