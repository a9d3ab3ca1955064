import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { readAllAgain, useRead } from '#kit/browser/data/read.ts';
import { Filter } from '#kit/browser/list/Filters.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { type Calendar, calendarApi } from '../contract/calendar.ts';
import { daysOfMonth, monthsOf, workingDays } from '../contract/working-days.ts';
import type { AcademicYear } from '../contract/year.ts';
import { ClosedYear } from '../ui/ClosedYear.tsx';
import { WorkingYear } from '../ui/WorkingYear.tsx';
import { CalendarImport } from './CalendarImport.tsx';
import { CalendarList } from './CalendarList.tsx';
import styles from './CalendarTab.module.css';
import { countWords, monthWords } from './calendar-words.ts';
import { DayForm, type Wanted } from './DayForm.tsx';
import type { Grades } from './grades.ts';
import { MonthGrid } from './MonthGrid.tsx';
import { WeeklyOffForm, WeeklyOffWords } from './WeeklyOffForm.tsx';

interface Props {
  grades: Grades;
}

export const CalendarTab = ({ grades }: Props) => (
  <WorkingYear>{(year) => <YearCalendar key={year.id} year={year} grades={grades} />}</WorkingYear>
);

function YearCalendar({ year, grades }: Props & { year: AcademicYear }) {
  const calendar = useRead(calendarApi.read, { academicYearId: year.id });
  return (
    <QueryBoundary query={calendar}>{(read) => <Shown year={year} grades={grades} calendar={read} />}</QueryBoundary>
  );
}

interface ShownProps {
  year: AcademicYear;
  grades: Grades;
  calendar: Calendar;
}

type Open = { what: 'weekly-off' | 'import' | 'history' } | { what: 'days'; wanted: Wanted };

function Shown({ year, grades, calendar }: ShownProps) {
  const { t } = useLingui();
  const { address, narrow } = useListAddress();
  const [open, setOpen] = useState<Open>();
  const { isClosed, days, weeklyOff } = calendar;
  const gradeId = grades.find(({ id }) => String(id) === address.grade)?.id ?? null;
  const months = monthsOf(calendar);
  const now = today();
  const month =
    months.find((yearMonth) => yearMonth === address.month) ??
    months.find((yearMonth) => now.startsWith(yearMonth)) ??
    months[0];
  if (!month) return null;

  const place = months.indexOf(month);
  const counts = months.map((yearMonth) => workingDays(daysOfMonth(yearMonth, calendar, gradeId)));
  const count = counts[place] ?? 0;
  const countShown = countWords(count);
  const all = countWords(counts.reduce((sum, days) => sum + days, 0));
  const show = (wanted: string | undefined) => wanted && narrow({ month: wanted });
  const edit = (wanted: Wanted) => setOpen({ what: 'days', wanted });
  const dialog = {
    hiddenValues: { academicYearId: year.id, rowVersion: calendar.rowVersion },
    onClose: () => setOpen(undefined),
    onDone: readAllAgain,
  };
  const onChoose = isClosed
    ? undefined
    : (day: string) => {
        const set = days.find((entry) => entry.day === day && entry.gradeId === gradeId);
        edit({ from: day, to: day, kind: set?.kind ?? '', name: set?.name ?? '', gradeId, isThere: set !== undefined });
      };
  return (
    <>
      <div className="list-head">
        <Filter id="grade" label={t`Calendar for`}>
          <select
            id="grade"
            className="box"
            value={gradeId ?? ''}
            onChange={(event) => narrow({ grade: event.currentTarget.value })}
          >
            <option value="">{t`The whole school`}</option>
            {grades
              .filter(({ id, isActive }) => isActive || id === gradeId)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
        </Filter>
        <div className={`list-buttons ${styles.buttons}`}>
          {!isClosed && year.phase !== 'Planned' && (
            <ButtonLink to="/school-erp/academic/year-end" search={{ year: String(year.id) }}>
              <Trans>Close the year…</Trans>
            </ButtonLink>
          )}
          <Button onClick={() => setOpen({ what: 'history' })}>
            <Trans>History</Trans>
          </Button>
          {!isClosed && (
            <>
              <Button onClick={() => setOpen({ what: 'weekly-off' })}>
                <Trans>Weekly offs…</Trans>
              </Button>
              <Button onClick={() => setOpen({ what: 'import' })}>
                <Trans>Import…</Trans>
              </Button>
              <Button
                kind="main"
                onClick={() => edit({ from: '', to: '', kind: '', name: '', gradeId, isThere: false })}
              >
                <IconPlus size={16} aria-hidden /> <Trans>Add special days</Trans>
              </Button>
            </>
          )}
        </div>
      </div>
      {isClosed && (
        <Notice>
          <ClosedYear />
        </Notice>
      )}
      <Grid gap="16 32" align="start" className={styles.calendar}>
        <section aria-labelledby="month">
          <Row gap="4 8" align="center" wrap mb={8} className={styles.head}>
            <IconButton label={t`Previous month`} aria-disabled={place === 0} onClick={() => show(months[place - 1])}>
              <IconChevronLeft size={20} aria-hidden />
            </IconButton>
            <h2 id="month">{monthWords(month)}</h2>
            <IconButton
              label={t`Next month`}
              aria-disabled={place === months.length - 1}
              onClick={() => show(months[place + 1])}
            >
              <IconChevronRight size={20} aria-hidden />
            </IconButton>
            {months.some((yearMonth) => now.startsWith(yearMonth)) && (
              <Button kind="quiet" onClick={() => show(now.slice(0, 7))}>
                <Trans>Today</Trans>
              </Button>
            )}
            <p role="status">
              <VisuallyHidden>{monthWords(month)} </VisuallyHidden>
              {plural(count, { one: `${countShown} working day`, other: `${countShown} working days` })}
            </p>
          </Row>
          <MonthGrid
            month={month}
            calendar={calendar}
            grades={grades}
            gradeId={gradeId}
            onChoose={onChoose}
            today={now}
          />
          <p className={`soft ${styles.off}`}>
            <WeeklyOffWords weeklyOff={weeklyOff} />
          </p>
          <h3>
            <Trans>Working days</Trans>
          </h3>
          <Grid as="ul" gap={4} className={styles.months}>
            {months.map((yearMonth, index) => (
              <li key={yearMonth}>
                <Row
                  as="button"
                  gap={8}
                  justify="between"
                  type="button"
                  aria-current={yearMonth === month ? 'true' : undefined}
                  onClick={() => show(yearMonth)}
                >
                  {monthWords(yearMonth, 'short')} <strong>{countWords(counts[index] ?? 0)}</strong>
                </Row>
              </li>
            ))}
            <Row as="li" gap={8} justify="between" className={styles.all}>
              <Trans>
                {year.name} <strong>{all}</strong>
              </Trans>
            </Row>
          </Grid>
        </section>
        <CalendarList
          year={year}
          calendar={calendar}
          grades={grades}
          gradeId={gradeId}
          onChoose={isClosed ? undefined : edit}
        />
      </Grid>
      {open?.what === 'weekly-off' && (
        <WeeklyOffForm {...dialog} weeklyOff={weeklyOff} hasBegun={calendar.startsOn < now} />
      )}
      {open?.what === 'history' && (
        <HistoryDialog
          endpoint={calendarApi.history}
          id={year.id}
          displayName={t`Calendar ${year.name}`}
          onClose={dialog.onClose}
        />
      )}
      {open?.what === 'import' && (
        <CalendarImport
          academicYearId={year.id}
          startsOn={calendar.startsOn}
          endsOn={calendar.endsOn}
          onClose={dialog.onClose}
        />
      )}
      {open?.what === 'days' && (
        <DayForm {...dialog} calendar={calendar} grades={grades} year={year} wanted={open.wanted} />
      )}
    </>
  );
}
