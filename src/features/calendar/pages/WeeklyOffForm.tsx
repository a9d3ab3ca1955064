import { Trans, useLingui } from '@lingui/react/macro';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { calendarApi, everyWeek, type WeeklyOff, weekdays } from '../contract/calendar.ts';
import { listWords, weekdayWord } from './calendar-words.ts';
import type { Dialog } from './DayForm.tsx';
import { usePastWarning } from './use-past-warning.ts';
import styles from './WeeklyOffForm.module.css';

function useOrdinals() {
  const { t } = useLingui();
  return [t`1st`, t`2nd`, t`3rd`, t`4th`, t`5th`];
}

interface Props extends Dialog {
  weeklyOff: WeeklyOff;
  /** Some days of the year are past. */
  hasBegun: boolean;
}

export function WeeklyOffForm({ hiddenValues, weeklyOff, hasBegun, onClose, onDone }: Props) {
  const { t } = useLingui();
  const { warned, mark, elsewhere } = usePastWarning();
  return (
    <RecordForm
      title={t`Weekly offs`}
      endpoint={calendarApi.saveWeeklyOff}
      initial={{ weeklyOff, keepsPast: hasBegun }}
      hiddenValues={{ ...hiddenValues, warned }}
      elsewhere={elsewhere}
      onDone={() => onDone()}
      onClose={onClose}
    >
      <span ref={mark} hidden />
      <FormWeeks />
      {hasBegun && (
        <TickRow
          name="keepsPast"
          hint={t`Days before today become entries of the calendar. The new weekly offs begin today.`}
        />
      )}
    </RecordForm>
  );
}

function FormWeeks() {
  const { values, change } = useApiForm();
  return <Weeks weeklyOff={values.weeklyOff as WeeklyOff} onChange={(changed) => change('weeklyOff', changed)} />;
}

interface WeeksProps {
  weeklyOff: WeeklyOff;
  onChange: (changed: WeeklyOff) => void;
}

/** Which weekdays of a month are off. */
export function Weeks({ weeklyOff, onChange }: WeeksProps) {
  const { t } = useLingui();
  const ordinals = useOrdinals();
  const set = (weekday: (typeof weekdays)[number], weeks: number[]) => onChange({ ...weeklyOff, [weekday]: weeks });
  return (
    <table className={styles.weeks}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t`Every week`}</th>
          {ordinals.map((ordinal) => (
            <th key={ordinal} scope="col">
              {ordinal}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weekdays.map((weekday, place) => {
          const [name, weeks] = [weekdayWord(place, 'long'), weeklyOff[weekday]];
          const isEvery = weeks.length === everyWeek.length;
          return (
            <tr key={weekday}>
              <th scope="row">
                <span aria-hidden className={styles.short}>
                  {weekdayWord(place, 'short')}
                </span>
                <span className={styles.long}>{name}</span>
              </th>
              <td>
                <Tick
                  label={t`Every ${name}`}
                  isTicked={isEvery}
                  onTick={() => set(weekday, isEvery ? [] : everyWeek)}
                />
              </td>
              {everyWeek.map((week) => {
                const isTicked = weeks.includes(week);
                const others = weeks.filter((other) => other !== week);
                const ordinal = ordinals[week - 1];
                return (
                  <td key={week}>
                    <Tick
                      label={t`${ordinal} ${name}`}
                      isTicked={isTicked}
                      onTick={() => set(weekday, isTicked ? others : [...others, week].sort())}
                    />
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const Tick = ({ label, isTicked, onTick }: { label: string; isTicked: boolean; onTick: () => void }) => (
  <Stack as="label" centre>
    <input type="checkbox" aria-label={label} checked={isTicked} onChange={onTick} />
  </Stack>
);

export function WeeklyOffWords({ weeklyOff }: { weeklyOff: WeeklyOff }) {
  const { t } = useLingui();
  const ordinals = useOrdinals();
  const words = weekdays.flatMap((weekday, place) => {
    const [name, weeks] = [weekdayWord(place, 'long'), weeklyOff[weekday]];
    if (weeks.length === 0) return [];
    if (weeks.length === everyWeek.length) return [t`every ${name}`];
    const ordinal = listWords(weeks.map((week) => ordinals[week - 1] ?? ''));
    return [t`${ordinal} ${name}`];
  });
  const all = words.join('; ') || '–';
  return <Trans>Weekly offs: {all}</Trans>;
}
