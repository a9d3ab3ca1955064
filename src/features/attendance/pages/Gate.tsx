import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { readOnce } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Box, Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type Daily, dailyApi } from '../contract/daily.ts';
import { type ExitChild, type ExitRow, exitApi } from '../contract/exit.ts';
import styles from './DailyAttendancePage.module.css';
import { DayTable } from './DayTable.tsx';
import { PassForm } from './PassForm.tsx';

interface Props {
  daily: Pick<Daily, 'late' | 'left' | 'day' | 'today'>;
  /** The page was opened to make a pass. */
  takesPass: boolean;
}

/** Who left early and who came late on a day. */
export function Gate({ daily: { late, left, day, today }, takesPass }: Props) {
  const { t } = useLingui();
  const isToday = day === today;
  return (
    <>
      <Box as="section" mt={12} mb={24} aria-label={t`Leaves early`}>
        <h2>
          <Trans>Leaves early</Trans>
        </h2>
        <EarlyLeavers left={left} isToday={isToday} takesPass={takesPass} />
      </Box>
      <section aria-label={t`Late`}>
        <h2>
          <Trans>Late</Trans>
        </h2>
        <LateArrivals late={late} isToday={isToday} />
      </section>
    </>
  );
}

interface NumberProps {
  words: string;
  isBusy: boolean;
  value: string;
  takesFocus?: boolean;
  onChange: (value: string) => void;
  onEnter: () => void;
  children?: ReactNode;
}

/** Asks for a child by number; Enter does it. */
function NumberForm({ words, isBusy, value, takesFocus = false, onChange, onEnter, children }: NumberProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  return (
    <Row
      as="form"
      gap="6 12"
      align="center"
      wrap
      mt={12}
      mb={12}
      className={styles.gate}
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== '') onEnter();
      }}
    >
      <label htmlFor={id}>
        <Trans>GR number, or section and roll number (5B 17)</Trans>
      </label>
      <input
        ref={field}
        id={id}
        className="box"
        autoComplete="off"
        maxLength={40}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        {words}
      </Button>
      {children}
    </Row>
  );
}

function LateArrivals({ late, isToday }: Pick<Daily, 'late'> & { isToday: boolean }) {
  const { t } = useLingui();
  const mayEnter = useMay(dailyApi.enter);
  const [number, setNumber] = useState('');
  const [said, say] = useState('');
  const { run, isBusy, problem } = useAction(dailyApi.enter, { onRefused: () => say('') });
  const enter = async () => {
    const entered = await run({ number });
    if (!entered) return;
    setNumber('');
    const { name, section, arrivedAt } = entered;
    say(t`${name}, ${section}: late at ${arrivedAt}`);
  };
  return (
    <>
      {isToday && mayEnter && (
        <NumberForm
          words={t`Enter as late now`}
          isBusy={isBusy}
          value={number}
          onChange={setNumber}
          onEnter={() => void enter()}
        >
          {problem}
          <p role="status">{said}</p>
        </NumberForm>
      )}
      {late.length === 0 ? (
        <EmptyState message={<Trans>No late arrivals are entered for this day.</Trans>} />
      ) : (
        <DayTable
          label={t`Late arrivals`}
          heads={[t`Arrived`, t`Student`, t`Section`, t`From`]}
          rows={late.map(({ studentId, name, section, arrivedAt, isAtGate, isMarked }) => ({
            key: studentId,
            cells: [
              arrivedAt || '–',
              name,
              section,
              isAtGate && isMarked ? t`Gate and register` : isAtGate ? t`Gate` : t`Register`,
            ],
          }))}
        />
      )}
    </>
  );
}

function EarlyLeavers({ left, isToday, takesPass }: Pick<Daily, 'left'> & { isToday: boolean; takesPass: boolean }) {
  const { t } = useLingui();
  const mayLeave = useMay(exitApi.leave);
  const [number, setNumber] = useState('');
  /** The children with this number; undefined before a search. */
  const [found, setFound] = useState<readonly ExitChild[]>();
  const [child, setChild] = useState<ExitChild>();
  const { attempt, isBusy, problem } = useAttempt();
  const search = () =>
    attempt(async () => {
      const { children } = await readOnce(exitApi.child, { number });
      setFound(children);
      const [first, second] = children;
      if (first && !second) setChild(first);
    });
  const end = () => {
    setChild(undefined);
    setFound(undefined);
    setNumber('');
  };
  return (
    <>
      {isToday && mayLeave && (
        <NumberForm
          words={t`Gate pass`}
          isBusy={isBusy}
          value={number}
          takesFocus={takesPass}
          onChange={setNumber}
          onEnter={() => void search()}
        >
          {problem}
          {found?.length === 0 && (
            <Notice>
              <Trans>No student here today has this number. Type a GR number, or section and roll number.</Trans>
            </Notice>
          )}
          {found &&
            found.length > 1 &&
            found.map((one) => (
              <Button key={one.studentId} kind="quiet" onClick={() => setChild(one)}>
                {one.name}, {one.section}
              </Button>
            ))}
        </NumberForm>
      )}
      {child && <PassForm child={child} onClose={end} />}
      {left.length === 0 ? (
        <EmptyState message={<Trans>No student has left early on this day.</Trans>} />
      ) : (
        <CardTable
          caption={<Trans>Students who left early</Trans>}
          heads={[t`Left at`, t`Student`, t`With`, t`Reason`, t`Gate pass`]}
          rows={left.map((exit) => ({
            key: exit.id,
            cells: [
              exit.returnedAt ? t`${exit.leftAt}, back at ${exit.returnedAt}` : exit.leftAt,
              <span key="student">
                <PageLink
                  to="/school-erp/student/student-list/$studentID"
                  params={{ studentID: String(exit.studentId) }}
                  className="list-name"
                >
                  {exit.name}
                </PageLink>
                {`, ${exit.section}`}
              </span>,
              withWhom(exit),
              exit.reason || '–',
              exit.passNo,
            ],
            ...(mayLeave && { actions: <ExitActs exit={exit} isToday={isToday} /> }),
          }))}
        />
      )}
    </>
  );

  function withWhom({ person, relation, allowedBy }: ExitRow) {
    const who = relation ? `${person} (${relation})` : person;
    return allowedBy ? t`${who}, allowed by ${allowedBy}` : who;
  }
}

function ExitActs({ exit: { id, name, passNo, returnedAt }, isToday }: { exit: ExitRow; isToday: boolean }) {
  const { t } = useLingui();
  const show = useToast();
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const { run, isBusy, problem: refusal } = useAction(exitApi.returned);
  return (
    <Row gap="4 8" wrap>
      {isToday && returnedAt === '' && (
        <Button
          isBusy={isBusy}
          aria-label={t`${name} is back`}
          onClick={async () => {
            const back = await run({ id });
            if (back)
              show({
                kind: 'success',
                title: t`${back.name} is back at ${back.returnedAt}.`,
                text: {
                  Same: '',
                  'Given back': t`The mark is what it was before.`,
                  'Correction withdrawn': t`The correction to Half day is withdrawn.`,
                  'Correction requested': t`The register is locked: a correction to the mark before is requested.`,
                }[back.mark],
              });
          }}
        >
          <Trans>Is back</Trans>
        </Button>
      )}
      <Button
        kind="quiet"
        aria-label={t`Print the gate pass of ${name}`}
        onClick={() => void attempt(() => download(exitApi.slip, { id }, `${passNo.replaceAll('/', '-')}.pdf`))}
      >
        <Trans>Print</Trans>
      </Button>
      {refusal}
      {problem}
    </Row>
  );
}
