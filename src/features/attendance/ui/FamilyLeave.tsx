import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import '#features/family/ui/more-texts.ts';
import type { MoreProps } from '#features/family/ui/part.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { shrink } from '#kit/browser/form/shrink.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { showDay } from '#kit/contract/format.ts';
import { type FamilyLeave, familyLeaveApi } from '../contract/family-leave.ts';
import { leaveHalves, leaveKinds, leavePaper } from '../contract/leave-words.ts';
import styles from './FamilyLeave.module.css';

type Counted = OutputOf<typeof familyLeaveApi.count>;

/** Leave that the guardian asks for, and that of the last weeks. */
export function More({ children, isProven, today }: MoreProps) {
  const [leaves, setLeaves] = useState<FamilyLeave[]>();
  const confirmed = useConfirmed();
  const reading = useAttempt();
  const read = async () => {
    const found = await reading.attempt(() => confirmed(() => get(familyLeaveApi.list, {})));
    if (found) setLeaves(found);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a phone that is not proven is asked for a code by an act only.
  useEffect(() => {
    if (isProven && !leaves) void read();
  }, [isProven]);
  return (
    <div className={styles.leave}>
      <Ask childrenOf={children.filter(({ reach }) => reach === 'All')} today={today} onAsked={read} />
      {reading.problem}
      {leaves && leaves.length > 0 && (
        <ul className={styles.rows}>
          {leaves.map((leave) => (
            <One key={leave.id} leave={leave} name={nameIn(children, leave.studentId)} onChanged={read} />
          ))}
        </ul>
      )}
    </div>
  );
}

const nameIn = (children: MoreProps['children'], id: number) => children.find((child) => child.id === id)?.name ?? '';

interface OneProps {
  leave: FamilyLeave;
  name: string;
  onChanged: () => Promise<void>;
}

function One({ leave, name, onChanged }: OneProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const withdraw = useAction(familyLeaveApi.withdraw);
  const { id, fromDay, toDay, half, kind, state, remark, mayWithdraw } = leave;
  const words: Readonly<Record<FamilyLeave['state'], string>> = {
    Asked: t`The school has not decided yet`,
    Granted: t`Granted`,
    Rejected: t`Not granted`,
    Cancelled: t`Withdrawn`,
  };
  const from = showDay(fromDay, language);
  const until = showDay(toDay, language);
  return (
    <li>
      <b>
        {name}, {fromDay === toDay ? from : `${from} – ${until}`}
      </b>
      <span data-state={state}>{words[state]}</span>
      <small>
        {[translateOption(kind), half !== 'Whole day' && translateOption(half)].filter(Boolean).join(' · ')}
      </small>
      {remark && (
        <small>
          <Trans>The school says: {remark}</Trans>
        </small>
      )}
      {mayWithdraw && (
        <button
          type="button"
          aria-disabled={withdraw.isBusy}
          onClick={async () => {
            if (await withdraw.run({ id })) await onChanged();
          }}
        >
          <Trans>Withdraw</Trans>
        </button>
      )}
      {withdraw.problem}
    </li>
  );
}

interface AskProps {
  childrenOf: MoreProps['children'];
  today: string;
  onAsked: () => Promise<void>;
}

function Ask({ childrenOf, today, onAsked }: AskProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const nothing = {
    studentId: String(childrenOf[0]?.id ?? ''),
    fromDay: today,
    toDay: today,
    half: 'Whole day',
    kind: '',
    reason: '',
  };
  const [values, setValues] = useState(nothing);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [counted, setCounted] = useState<Counted>();
  const [asked, setAsked] = useState('');
  const paper = usePaper();
  const paperInput = useRef<HTMLInputElement>(null);
  const empty = () => {
    paper.take(undefined);
    if (paperInput.current) paperInput.current.value = '';
  };
  const ask = useAction(familyLeaveApi.ask, { onRefused: ({ fields }) => setErrors(fields) });
  const { studentId, fromDay, toDay, half } = values;
  useEffect(() => {
    let isOld = false;
    setCounted(undefined);
    if (!fromDay || !toDay || toDay < fromDay) return;
    // What it says is help: a refusal of the act itself is shown.
    get(familyLeaveApi.count, { studentId: Number(studentId), fromDay, toDay, half })
      .then((found) => isOld || setCounted(found))
      .catch(() => undefined);
    return () => {
      isOld = true;
    };
  }, [studentId, fromDay, toDay, half]);
  const change = (given: Partial<typeof values>) => {
    setAsked('');
    setValues((before) => {
      const after = { ...before, ...given };
      // The usual leave is of one day, and half a day is always.
      if (given.fromDay && (before.toDay === before.fromDay || before.toDay < given.fromDay))
        after.toDay = given.fromDay;
      if (after.toDay !== after.fromDay) after.half = 'Whole day';
      return after;
    });
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (paper.isShrinking) return;
    setErrors({});
    const input = { ...values, studentId: Number(studentId) };
    const done = await ask.run(input, undefined, paper.file ? { paper: paper.file } : {});
    if (!done) return;
    setAsked(nameIn(childrenOf, Number(studentId)));
    setValues({ ...nothing, studentId });
    empty();
    await onAsked();
  };
  const problemOf = (field: string) => {
    const problem = errors[field];
    return problem && <em>{translate(problem)}</em>;
  };
  const days = counted?.days;
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      {childrenOf.length > 1 && (
        <label>
          <Trans>Child</Trans>
          <select value={studentId} onChange={({ currentTarget }) => change({ studentId: currentTarget.value })}>
            {childrenOf.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className={styles.pair}>
        <label>
          <Trans>First day</Trans>
          <input
            type="date"
            required
            value={fromDay}
            onChange={({ currentTarget }) => change({ fromDay: currentTarget.value })}
          />
          {problemOf('fromDay')}
        </label>
        <label>
          <Trans>Last day</Trans>
          <input
            type="date"
            required
            min={fromDay}
            value={toDay}
            onChange={({ currentTarget }) => change({ toDay: currentTarget.value })}
          />
          {problemOf('toDay')}
        </label>
      </div>
      {fromDay === toDay && (
        <label>
          <Trans>Part of the day</Trans>
          <select value={half} onChange={({ currentTarget }) => change({ half: currentTarget.value })}>
            {leaveHalves.map((one) => (
              <option key={one} value={one}>
                {translateOption(one)}
              </option>
            ))}
          </select>
          {problemOf('half')}
        </label>
      )}
      <label>
        <Trans>Kind</Trans>
        <select required value={values.kind} onChange={({ currentTarget }) => change({ kind: currentTarget.value })}>
          <option value="" />
          {leaveKinds.map((one) => (
            <option key={one} value={one}>
              {translateOption(one)}
            </option>
          ))}
        </select>
        {problemOf('kind')}
      </label>
      <label>
        <Trans>Reason</Trans>
        <textarea
          maxLength={300}
          rows={2}
          value={values.reason}
          onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
        />
        {problemOf('reason')}
      </label>
      <label>
        <Trans>Photo of a paper, if you have one</Trans>
        <input
          ref={paperInput}
          type="file"
          accept="image/*,application/pdf"
          onChange={({ currentTarget }) => paper.take(currentTarget.files?.[0])}
        />
        {paper.words && <small>{paper.words}</small>}
        {problemOf('paper')}
      </label>
      {paper.file && (
        <p className={styles.foot}>
          {paper.name}{' '}
          <button
            type="button"
            onClick={() => {
              empty();
              paperInput.current?.focus();
            }}
          >
            <Trans>Remove</Trans>
          </button>
        </p>
      )}
      <p role="status" className={styles.foot}>
        {asked
          ? t`Leave of ${asked} is with the school. The other adults of the child get a message.`
          : days !== undefined && (days === '1' ? t`1 school day` : t`${days} school days`)}
        {!asked &&
          counted?.off.map(({ day, name }) => ` · ${showDay(day, language)}${name ? ` ${name}` : ''}`).slice(0, 3)}
      </p>
      {ask.problem}
      <button type="submit" aria-disabled={ask.isBusy || paper.isShrinking}>
        <Trans>Ask for leave</Trans>
      </button>
    </form>
  );
}

const kilobytes = (bytes: number) => Math.max(1, Math.round(bytes / 1024));

/** The chosen paper; a picture is made smaller at once, so that a slow line can send it. */
function usePaper() {
  const { t } = useLingui();
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const [isShrinking, setShrinking] = useState(false);
  const [isSmaller, setSmaller] = useState(false);
  const take = (chosen: File | undefined) => {
    setFile(chosen);
    setName(chosen?.name ?? '');
    setSmaller(false);
    if (!chosen?.type.startsWith('image/')) return;
    setShrinking(true);
    void shrink(chosen, leavePaper)
      .catch(() => undefined)
      .then((made) => {
        setShrinking(false);
        if (!made || made.size >= chosen.size) return;
        setFile(made);
        setSmaller(true);
      });
  };
  const size = kilobytes(file?.size ?? 0);
  const words = isShrinking ? t`Making it smaller` : isSmaller ? t`Made smaller: ${size} kB` : '';
  return { file, name, take, isShrinking, words };
}
