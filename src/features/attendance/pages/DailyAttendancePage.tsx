import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { coverApi } from '#features/cover/contract/cover.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { correctionApi } from '../contract/correction.ts';
import { callOutcomes, type Daily, type DailySection, dailyApi } from '../contract/daily.ts';
import { registerApi } from '../contract/register.ts';
import styles from './DailyAttendancePage.module.css';
import { DayNav } from './DayNav.tsx';
import { DayTable } from './DayTable.tsx';
import { showPercent } from './percent.ts';

// Gate, staff and substitutes have tabs of their own.
const Gate = lazy(async () => ({ default: (await import('./Gate.tsx')).Gate }));
const Substitutes = lazy(async () => ({ default: (await import('#features/cover/ui/Substitutes.tsx')).Substitutes }));
const StaffDay = lazy(async () => ({ default: (await import('#features/workday/ui/StaffDay.tsx')).StaffDay }));

/** These are shown for days to come too: leave is known by then, and substitutes are given. */
const aheadTabs = ['staff', 'substitutes'];
const daysAhead = 14;
/** The act of the search that opens the gate for a pass. */
const gatePass = 'gate-pass';

/** /school-erp/attendance/daily-attendance: the whole school on a day. */
export function DailyAttendancePage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const query = useReadList(dailyApi.read, { day: address.day ?? '' });
  const shown = address.act ?? address.show ?? '';
  return (
    <QueryBoundary query={query}>
      {(daily) => (
        <>
          <PageHead title={t`Daily Attendance`}>
            <Row gap="8 16" align="center" wrap className={styles.line}>
              <DayNav
                day={daily.day}
                today={daily.today}
                ahead={daily.day > daily.today || aheadTabs.includes(shown) ? daysAhead : 0}
                onDay={(day) => go({ ...address, day: day === daily.today ? '' : day })}
              />
              {daily.day === daily.today && <Remind sections={daily.sections} />}
            </Row>
          </PageHead>
          <Day daily={daily} shown={shown} />
        </>
      )}
    </QueryBoundary>
  );
}

const waitingOf = ({ registers }: DailySection) => registers.filter(({ isDue, takenAt }) => isDue && takenAt === null);

const sumOf = (sections: readonly DailySection[], key: 'strength' | 'present' | 'absent' | 'late' | 'leave') =>
  sections.reduce((sum, section) => sum + section[key], 0);

function Day({ daily, shown }: { daily: Daily; shown: string }) {
  const { t } = useLingui();
  const { sections, absentees, day, today, seesChildren } = daily;
  const mayDecide = useMay(correctionApi.waiting);
  const mayCover = useMay(coverApi.give);
  const hasSchool = sections.length > 0;
  const waiting = sections.flatMap(waitingOf).length;
  const tiles = [
    [t`Enrolled`, sumOf(sections, 'strength'), ''],
    [t`Present`, sumOf(sections, 'present'), ''],
    [t`Absent`, sumOf(sections, 'absent'), 'Absent'],
    [t`Late`, sumOf(sections, 'late'), 'Late'],
    [t`On leave`, sumOf(sections, 'leave'), 'Leave'],
    [t`Not taken`, waiting, waiting > 0 ? 'Absent' : ''],
  ] as const;
  // Offices work in vacations too: the staff stand first on days without school.
  const staff = { key: 'staff', title: t`Staff` };
  const isAhead = day > today;
  const allTabs = [
    ...(hasSchool || !seesChildren ? [] : [staff]),
    ...(seesChildren
      ? [
          { key: 'sections', title: t`Sections` },
          { key: 'absentees', title: t`Absentees` },
          { key: 'gate', title: t`Gate` },
        ]
      : []),
    ...(mayDecide ? [{ key: 'corrections', title: t`Corrections` }] : []),
    ...(hasSchool || !seesChildren ? [staff] : []),
    ...(mayCover && hasSchool ? [{ key: 'substitutes', title: t`Substitutes` }] : []),
  ];
  const tabs = isAhead ? allTabs.filter(({ key }) => aheadTabs.includes(key)) : allTabs;
  const wanted = shown === gatePass ? 'gate' : shown;
  const current = tabs.some(({ key }) => key === wanted) ? wanted : tabs[0]?.key;
  return (
    <>
      {hasSchool && !isAhead && (
        <Row as="dl" gap="8 32" wrap mt={4} mb={16} className={styles.tiles}>
          {tiles.map(([label, value, kind]) => (
            <Stack key={label} data-kind={kind}>
              <Text as="dt" tone="soft" size={13}>
                {label}
              </Text>
              <dd>{value}</dd>
            </Stack>
          ))}
        </Row>
      )}
      <AddressTabs
        label={t`Parts of the day`}
        name="show"
        tabs={tabs}
        current={current}
        kept={day === today ? {} : { day }}
      />
      {current === 'staff' ? (
        <Suspense>
          <StaffDay day={day} />
        </Suspense>
      ) : current === 'substitutes' ? (
        <Suspense>
          <Substitutes day={day} />
        </Suspense>
      ) : current === 'corrections' ? (
        <Corrections />
      ) : !hasSchool ? (
        <EmptyState
          message={
            daily.closedFor ? (
              <Trans>
                No school on {showDate(day)}: {translateOption(daily.closedFor)}.
              </Trans>
            ) : (
              <Trans>No sections with students on {showDate(day)}.</Trans>
            )
          }
        />
      ) : current === 'absentees' ? (
        <Absentees absentees={absentees} day={day} />
      ) : current === 'gate' ? (
        <Suspense>
          <Gate daily={daily} takesPass={shown === gatePass} />
        </Suspense>
      ) : (
        <Sections sections={sections} day={day} isToday={day === today} />
      )}
    </>
  );
}

function Sections({ sections, day, isToday }: { sections: readonly DailySection[]; day: string; isToday: boolean }) {
  const { t } = useLingui();
  const mayOpen = useMay(registerApi.read);
  // Open items come first.
  const isDone = (section: DailySection) => Number(waitingOf(section).length === 0);
  const ordered = sections.toSorted((one, other) => isDone(one) - isDone(other));
  return (
    <DayTable
      label={t`Sections`}
      heads={[t`Section`, t`Class teacher`, t`Register`, t`Strength`, t`Present`, t`Absent`, t`Late`, t`Leave`, '%']}
      numbers={[3, 4, 5, 6, 7, 8]}
      rows={ordered.map((section) => {
        const { id, name, registers } = section;
        const slot = waitingOf(section)[0]?.slot ?? 'Full day';
        const isTaken = registers.some(({ takenAt }) => takenAt !== null);
        const counts = [section.present, section.absent, section.late, section.leave];
        return {
          key: id,
          cells: [
            mayOpen ? (
              <PageLink
                key="section"
                to="/school-erp/attendance/student-attendance"
                search={{ section: String(id), ...(!isToday && { day }), ...(slot !== 'Full day' && { slot }) }}
                className="list-name"
              >
                {name}
              </PageLink>
            ) : (
              name
            ),
            section.teacher,
            <Registers key="register" registers={registers} />,
            section.strength,
            ...counts.map((count) => (isTaken ? count : '–')),
            showPercent(section.perMille),
          ],
        };
      })}
    />
  );
}

/** Whether a section's register is taken, or those of both halves as far as they are due. */
function Registers({ registers }: Pick<DailySection, 'registers'>) {
  const { t } = useLingui();
  return registers
    .filter(({ isDue, takenAt }) => isDue || takenAt !== null)
    .map(({ slot, takenAt, takenBy }) => {
      const what = !takenAt
        ? t`Not taken`
        : takenBy
          ? t`Taken ${showTime(takenAt)} by ${takenBy}`
          : t`Taken ${showTime(takenAt)}`;
      return (
        <Status key={slot} kind={takenAt ? 'good' : 'bad'}>
          {slot === 'Full day' ? what : `${translateOption(slot)}: ${what}`}
        </Status>
      );
    });
}

function Absentees({ absentees, day }: Pick<Daily, 'absentees' | 'day'>) {
  const { t } = useLingui();
  const mayNote = useMay(dailyApi.call);
  if (absentees.length === 0) return <EmptyState message={<Trans>No student is marked absent on this day.</Trans>} />;
  const mayCall = absentees.some(({ guardian }) => guardian !== '');
  const called = absentees.filter(({ outcome }) => outcome !== '').length;
  return (
    <>
      {mayNote && (
        <Text mt={8} tone="soft">
          <Trans>
            {called} of {absentees.length} families called
          </Trans>
        </Text>
      )}
      <DayTable
        label={t`Absentees`}
        heads={[
          t`Student`,
          t`Section`,
          t`Days in a row`,
          ...(mayCall ? [t`Guardian`, t`Mobile`] : []),
          ...(mayNote ? [t`Call`] : []),
        ]}
        numbers={[2]}
        rows={absentees.map((child) => ({
          key: child.studentId,
          cells: [
            <PageLink
              key="student"
              to="/school-erp/student/student-list/$studentID"
              params={{ studentID: String(child.studentId) }}
              className="list-name"
            >
              {child.name}
            </PageLink>,
            child.section,
            child.slot === 'Full day' ? child.days : `${child.days} · ${translateOption(child.slot)}`,
            ...(mayCall ? [child.guardian, <PhoneLink key="call" mobile={child.mobile} />] : []),
            ...(mayNote ? [<CallOutcome key="outcome" child={child} day={day} />] : []),
          ],
        }))}
      />
    </>
  );
}

/** How the last call to the family ended; one press notes it. */
function CallOutcome({ child, day }: { child: Daily['absentees'][number]; day: string }) {
  const { t } = useLingui();
  const { run, isBusy, problem } = useAction(dailyApi.call);
  const { studentId, name, outcome, note } = child;
  return (
    <Row as="span" gap="4 8" align="center" wrap className={styles.outcomes}>
      {callOutcomes.map((one) => {
        const word = translateOption(one);
        return (
          <button
            key={one}
            type="button"
            disabled={isBusy}
            aria-label={t`${name}: ${word}`}
            aria-pressed={outcome === one}
            onClick={() => void run({ studentId, day, outcome: one, note: '' })}
          >
            {word}
          </button>
        );
      })}
      {note && <small>{note}</small>}
      {problem}
    </Row>
  );
}

/** Reminds the class teachers of sections that are not taken, after their names were shown. */
function Remind({ sections }: { sections: readonly DailySection[] }) {
  const { t } = useLingui();
  const show = useToast();
  const may = useMay(dailyApi.remind);
  const { run, problem } = useAction(dailyApi.remind);
  const [isAsked, ask] = useState(false);
  const waiting = sections.filter((section) => waitingOf(section).length > 0);
  if (!may || waiting.length === 0) return null;
  return (
    <>
      <Button onClick={() => ask(true)}>
        <Trans>Remind teachers…</Trans>
      </Button>
      {isAsked && (
        <AskDialog
          title={t`Remind the class teachers of these sections?`}
          details={
            <ul>
              {waiting.map((section) => (
                <li key={section.id}>
                  {[
                    section.name,
                    ...waitingOf(section).flatMap(({ slot }) => (slot === 'Full day' ? [] : translateOption(slot))),
                    section.teacher || t`no class teacher`,
                  ].join(', ')}
                </li>
              ))}
            </ul>
          }
          confirm={<Trans>Remind</Trans>}
          problem={problem}
          onConfirm={async (close) => {
            const told = await run({});
            if (!told) return;
            close();
            const { teachers } = told;
            const missed = told.missed.join('; ');
            show({
              kind: missed === '' ? 'success' : 'warning',
              title: t`${plural(teachers, { one: '# teacher was reminded', other: '# teachers were reminded' })}`,
              ...(missed !== '' && { text: t`No class teacher with an account: ${missed}` }),
            });
          }}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}

/** Corrections of any day that wait for a decision. */
function Corrections() {
  const { t } = useLingui();
  const query = useRead(correctionApi.waiting, {});
  return (
    <QueryBoundary query={query}>
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyState message={<Trans>No corrections are waiting for approval.</Trans>} />
        ) : (
          <>
            <p>
              <PageLink to="/school-erp/approval/inbox" search={{}}>
                <Trans>Decide in Approvals</Trans>
              </PageLink>
            </p>
            <DayTable
              label={t`Corrections`}
              heads={[t`Student`, t`Section`, t`Day`, t`Mark`, t`New mark`, t`Reason`, t`Requested by`]}
              rows={rows.map(({ id, name, section, day, slot, from, to, reason, requestedBy }) => ({
                key: id,
                cells: [
                  name,
                  section,
                  slot === 'Full day' ? showDate(day) : [showDate(day), translateOption(slot)].join(', '),
                  from || '–',
                  to,
                  reason,
                  requestedBy,
                ],
              }))}
            />
          </>
        )
      }
    </QueryBoundary>
  );
}
