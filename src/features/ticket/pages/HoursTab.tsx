import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, Cards, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { ticketConfigApi, weekdays } from '../contract/config.ts';
import { NextDays, TryOut } from './TryOut.tsx';

type Hours = OutputOf<typeof ticketConfigApi.hours>[number];
type Day = Hours['days'][number];

const noHours = (weekday: number): Day => ({
  weekday,
  opens: '',
  closes: '',
  halfDayCloses: '',
  breakFrom: '',
  breakTo: '',
});

function useDayNames() {
  const { t } = useLingui();
  return [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];
}

/** Business hours by weekday, from a day on. Holidays come from the school’s calendar. */
export function HoursTab() {
  const { t } = useLingui();
  const query = useRead(ticketConfigApi.hours, {});
  const [isOpen, setOpen] = useState(false);
  const names = useDayNames();
  return (
    <QueryBoundary query={query}>
      {(sets) => (
        <>
          {sets.length === 0 && (
            <EmptyState message={<Trans>No business hours yet. Without them tickets have no due times.</Trans>} />
          )}
          {sets.map(({ id, fromDay, days }) => (
            <RecordCard key={id} title={<Trans>From {showDate(fromDay)}</Trans>}>
              <CardTable
                caption={<Trans>Business hours by weekday</Trans>}
                heads={[t`Weekday`, t`Hours`, t`Break`, t`Half day until`]}
                rows={days.map(({ weekday, opens, closes, breakFrom, breakTo, halfDayCloses }) => ({
                  key: weekday,
                  cells: [
                    <strong key="day">{names[weekday - 1]}</strong>,
                    `${opens}–${closes}`,
                    breakFrom && `${breakFrom}–${breakTo}`,
                    halfDayCloses,
                  ],
                }))}
              />
            </RecordCard>
          ))}
          <CardButtons>
            <Button onClick={() => setOpen(true)}>
              <Trans>Change the hours…</Trans>
            </Button>
          </CardButtons>
          {sets.length > 0 && (
            <Cards>
              <NextDays />
              <TryOut />
            </Cards>
          )}
          {isOpen && <HoursForm days={sets[0]?.days ?? []} onClose={() => setOpen(false)} />}
        </>
      )}
    </QueryBoundary>
  );
}

function HoursForm({ days, onClose }: { days: Day[]; onClose: () => void }) {
  const { t } = useLingui();
  const week = weekdays.map((weekday) => days.find((day) => day.weekday === weekday) ?? noHours(weekday));
  return (
    <RecordForm
      title={t`Business hours`}
      about={t`Due times of open tickets are computed again.`}
      endpoint={ticketConfigApi.saveHours}
      initial={{ fromDay: today(), days: week }}
      onClose={onClose}
    >
      <DateField name="fromDay" />
      <Week />
    </RecordForm>
  );
}

const parts = ['opens', 'closes', 'breakFrom', 'breakTo', 'halfDayCloses'] as const;

function Week() {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const names = useDayNames();
  const labels = {
    opens: t`Opens`,
    closes: t`Closes`,
    breakFrom: t`Break from`,
    breakTo: t`Break until`,
    halfDayCloses: t`Half day until`,
  };
  const days = values.days as Day[];
  return (
    <ScrollFrame label={t`Hours of the week`}>
      <table>
        <thead>
          <tr>
            <td />
            {parts.map((part) => (
              <th key={part} scope="col">
                {labels[part]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, place) => (
            <tr key={day.weekday}>
              <th scope="row">{names[day.weekday - 1]}</th>
              {parts.map((part) => {
                const name = `days.${place}.${part}`;
                const error = errors[name];
                return (
                  <td key={part}>
                    <ErrorText id={`${name}-error`} error={error} />
                    <input
                      className="box"
                      size={6}
                      name={name}
                      id={name}
                      aria-label={`${names[day.weekday - 1]} ${labels[part]}`}
                      aria-invalid={Boolean(error)}
                      aria-describedby={error && `${name}-error`}
                      value={day[part]}
                      onChange={({ currentTarget: { value } }) =>
                        change(
                          'days',
                          days.map((one, index) => (index === place ? { ...one, [part]: value } : one)),
                          name,
                        )
                      }
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
