import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { type Shortcut, ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';
import { TwoVersions } from '#kit/browser/ui/TwoVersions.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { showDate } from '#kit/contract/day.ts';
import type { Homework, HomeworkChild } from '../contract/homework.ts';
import { type Result, results } from '../contract/words.ts';
import styles from './CheckGrid.module.css';
import { ExtendForm } from './ExtendForm.tsx';
import { statusKinds } from './state.ts';
import { type Entry, isHandedIn, isWrongMark, useCheck } from './use-check.ts';

const keys: Readonly<Record<string, Result>> = { s: 'Submitted', n: 'Not done', i: 'Incomplete', e: 'Excused' };
const letterOf = (result: Result) =>
  Object.keys(keys)
    .find((key) => keys[key] === result)
    ?.toUpperCase() ?? '';

/** How long typed digits belong to one roll number. */
const patience = 1200;

/** The children of homework with their results, entered by single keys, mouse or touch. */
export function CheckGrid({ homework }: { homework: Homework }) {
  const { t } = useLingui();
  const toast = useToast();
  const { children, may, lateUntil } = homework;
  const check = useCheck(homework);
  const part = useRef<HTMLElement>(null);
  const typed = useRef({ digits: '', at: 0 });
  const [current, setCurrent] = useState(0);
  const [opened, setOpened] = useState<'keys' | HomeworkChild>();
  const [said, say] = useState('');
  /** Saving was tried with marks that can't be saved. */
  const [isTried, setTried] = useState(false);
  /** The children whose day and feedback are open. */
  const [isOpen, setOpen] = useState<readonly number[]>([]);

  const rowAt = (index: number) => part.current?.querySelectorAll<HTMLElement>('[data-child]')[index];
  const go = (index: number) => {
    const next = Math.max(0, Math.min(index, children.length - 1));
    setCurrent(next);
    rowAt(next)?.focus();
  };
  const mark = (child: HomeworkChild, result: '' | Result) => {
    check.change(child, { result });
    const [who, what] = [child.name, result ? translateOption(result) : t`no result`];
    say(t`${who}: ${what}`);
  };
  const markAll = () => {
    const open = children.filter((child) => check.entry(child).result === '' && child.standing === 'Given');
    check.changeAll(open.map((child) => [child, { result: 'Submitted' }] as const));
    const count = open.length;
    say(t`${count} students: Submitted`);
  };
  const wrong = children.findIndex(
    (child) => check.isEdited(child) && isWrongMark(check.entry(child), homework.maxMarks),
  );
  const send = async () => {
    if (!check.isChanged || check.isBusy || check.differences.length > 0) return;
    setTried(wrong >= 0);
    if (wrong >= 0) return rowAt(wrong)?.querySelector<HTMLInputElement>('[name="marks"]')?.focus();
    if (await check.save()) toast({ kind: 'success', title: t`Results saved.` });
  };
  const seek = (digit: string) => {
    const now = Date.now();
    const digits = now - typed.current.at < patience ? typed.current.digits + digit : digit;
    typed.current = { digits, at: now };
    const found = children.findIndex(({ rollNo }) => String(rollNo) === digits);
    if (found >= 0) go(found);
  };
  /** Opens what a row folds, and goes to one of its boxes once it is drawn. */
  const enter = (child: HomeworkChild, name: string) => {
    if (name !== 'marks') setOpen((before) => [...new Set([...before, child.studentId])]);
    requestAnimationFrame(() => rowAt(current)?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus());
  };
  useSingleKeys(part, ({ key }) => {
    const child = children[current];
    if (!child) return undefined;
    if (/^[0-9]$/.test(key)) return () => seek(key);
    typed.current.digits = '';
    if (key === 'ArrowDown') return () => go(current + 1);
    if (key === 'ArrowUp') return () => go(current - 1);
    if (key === '?') return () => setOpened('keys');
    if (!may.check) return undefined;
    const result = keys[key.toLowerCase()];
    if (result)
      return () => {
        mark(child, result);
        go(current + 1);
      };
    if (key === 'Backspace') return () => mark(child, '');
    if (key.toLowerCase() === 'a') return markAll;
    const isMarked = check.entry(child).result !== '';
    if (key.toLowerCase() === 'm' && homework.maxMarks !== null && isMarked) return () => enter(child, 'marks');
    if (key.toLowerCase() === 'f' && isMarked) return () => enter(child, 'feedback');
    if (key.toLowerCase() === 'd' && isHandedIn(check.entry(child))) return () => enter(child, 'day');
    if (key.toLowerCase() === 't') return () => setOpened(child);
    return undefined;
  });
  const words = ({ result, marks }: Entry) =>
    [result ? translateOption(result) : '–', marks === null ? '' : String(marks)].filter(Boolean).join(', ');
  return (
    <section
      ref={part}
      aria-label={t`Students`}
      tabIndex={-1}
      className={styles.part}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void send();
      }}
    >
      <LeaveGuard isChanged={check.isChanged} />
      {check.differences.length > 0 && (
        <TwoVersions
          differences={check.differences.map(({ child, theirs, mine }) => ({
            label: child.name,
            saved: words(theirs),
            mine: words(mine),
          }))}
          onSaved={check.takeTheirs}
          onMine={check.keepMine}
        />
      )}
      {may.check && (
        <Row gap="8 16" align="center" wrap mb={8} noPrint>
          <Row as="span" inline gap={8} align="center">
            <label htmlFor="handed-in">{t`Submitted on`}</label>
            <DateInput
              id="handed-in"
              name="handed-in"
              value={check.day}
              toward="past"
              onChange={check.setDay}
              onLeave={() => undefined}
            />
          </Row>
          <Button onClick={markAll}>
            <Trans>All submitted</Trans> <kbd>A</kbd>
          </Button>
        </Row>
      )}
      {may.check && lateUntil !== '' && check.day > lateUntil && (
        <Notice>
          <Trans>Submissions closed after {showDate(lateUntil)}.</Trans>
        </Notice>
      )}
      <List as="ol">
        {children.map((child, index) => (
          <ChildRow
            key={child.studentId}
            homework={homework}
            child={child}
            entry={check.entry(child)}
            isEdited={check.isEdited(child)}
            isCurrent={index === current}
            isOpen={isOpen.includes(child.studentId)}
            onFocus={() => setCurrent(index)}
            onMark={(result) => mark(child, result)}
            onChange={(entered) => check.change(child, entered)}
            onDone={() => go(index + 1)}
            onOpen={() => enter(child, 'feedback')}
            onMore={() => setOpened(child)}
          />
        ))}
      </List>
      <p role="status" className={styles.said}>
        {said}
      </p>
      {may.check && (
        <Row gap={8} align="center" justify="end" wrap noPrint py={8} className={styles.foot}>
          {isTried && children[wrong] && (
            <p role="alert" className="error">
              {t`${children[wrong].name}: enter at most ${homework.maxMarks} marks, in steps of 0.5.`}
            </p>
          )}
          {check.refused && <span className="error">{check.refused.name}:</span>}
          {check.problem}
          <span className="soft">
            {check.isChanged && <Plural value={check.count} one="# result not saved" other="# results not saved" />}
          </span>
          {check.isChanged && (
            <Button onClick={check.discard}>
              <Trans>Discard</Trans>
            </Button>
          )}
          <Button kind="main" isBusy={check.isBusy} disabled={!check.isChanged} onClick={() => void send()}>
            <Trans>Save</Trans> <kbd>{t`Ctrl Enter`}</kbd>
          </Button>
        </Row>
      )}
      {opened === 'keys' && <Keys isMarked={homework.maxMarks !== null} onClose={() => setOpened(undefined)} />}
      {typeof opened === 'object' && (
        <ExtendForm homework={homework} child={opened} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

function Keys({ isMarked, onClose }: { isMarked: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const list: Shortcut[] = [
    [['0–9'], t`Go to a roll number`],
    [['A'], t`Submitted for all without a result`],
    ...results.map((result): Shortcut => {
      const words = translateOption(result);
      return [[letterOf(result)], t`${words}, and the next student`];
    }),
    [['Backspace'], t`No result`],
    ...(isMarked ? [[['M'], t`Marks`] as Shortcut] : []),
    [['F'], t`Feedback`],
    [['D'], t`Another day of this student`],
    [['T'], t`More time`],
    [['↑', '↓'], t`Go to another student`],
    [['Ctrl', 'Enter'], t`Save`],
  ];
  return <ShortcutList keys={list} onClose={onClose} />;
}

interface RowProps {
  homework: Homework;
  child: HomeworkChild;
  entry: Entry;
  isEdited: boolean;
  isCurrent: boolean;
  /** Its day and feedback are shown. */
  isOpen: boolean;
  onFocus: () => void;
  onMark: (result: '' | Result) => void;
  onChange: (entered: Partial<Entry>) => void;
  onDone: () => void;
  onOpen: () => void;
  onMore: () => void;
}

function ChildRow(props: RowProps) {
  const { homework, child, entry, isEdited, isCurrent, isOpen, onMark, onChange } = props;
  const { t } = useLingui();
  const { name, rollNo, standing } = child;
  const mayCheck = homework.may.check;
  const isLate = isHandedIn(entry) && entry.handedInOn > child.dueOn;
  const shown = isEdited ? (entry.result === 'Submitted' && isLate ? 'Late' : entry.result || 'Pending') : child.status;
  const notes = [
    standing === 'Given' ? '' : translateOption(standing),
    child.reason === '' || child.dueOn <= homework.dueOn ? '' : t`Until ${showDate(child.dueOn)}`,
    child.wasAbsent ? t`Absent when given` : '',
    isLate && entry.result === 'Incomplete' ? t`Late` : '',
    isHandedIn(entry) && entry.handedInOn !== homework.dueOn ? t`In on ${showDate(entry.handedInOn)}` : '',
  ].filter(Boolean);
  const isMarked = homework.maxMarks !== null && entry.result !== '';
  const next = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    props.onDone();
  };
  return (
    <Row
      as="li"
      gap="4 10"
      align="center"
      wrap
      data-child
      tabIndex={isCurrent ? 0 : -1}
      aria-label={[rollNo === null ? name : `${rollNo} ${name}`, translateOption(shown), ...notes].join(', ')}
      line="below"
      className={classNames(styles.child, isEdited && styles.edited)}
      onFocus={props.onFocus}
    >
      <Text as="span" tone="soft" end className={styles.roll}>
        {rollNo}
      </Text>
      <span className={styles.name}>
        {name}
        {notes.length > 0 && (
          <Text as="span" tone="soft" size={12} className={styles.note}>
            {notes.join(' · ')}
          </Text>
        )}
      </span>
      <Chip kind={statusKinds[shown]}>{translateOption(shown)}</Chip>
      {isMarked && (
        <input
          name="marks"
          className={classNames('box', styles.marks)}
          inputMode="decimal"
          aria-label={t`Marks of ${name}, at most ${homework.maxMarks}`}
          tabIndex={-1}
          disabled={!mayCheck}
          aria-invalid={isWrongMark(entry, homework.maxMarks)}
          defaultValue={entry.marks ?? ''}
          key={`${child.version} ${entry.result}`}
          onChange={({ currentTarget: { value } }) => {
            onChange({ marks: value.trim() === '' ? null : Number(value) });
          }}
          onKeyDown={next}
        />
      )}
      {mayCheck && (
        <Row as="span" inline gap={4} noPrint className={styles.buttons}>
          {results.map((result) => (
            <button
              key={result}
              type="button"
              tabIndex={-1}
              aria-label={`${name}: ${translateOption(result)}`}
              aria-pressed={entry.result === result}
              onClick={() => onMark(entry.result === result ? '' : result)}
            >
              <span aria-hidden className={styles.letter}>
                {letterOf(result)}
              </span>
              <span className={styles.word}>{translateOption(result)}</span>
            </button>
          ))}
          <button
            type="button"
            tabIndex={-1}
            disabled={entry.result === ''}
            aria-label={t`Day and feedback of ${name}`}
            onClick={props.onOpen}
          >
            F
          </button>
          <button type="button" tabIndex={-1} aria-label={t`More time for ${name}`} onClick={props.onMore}>
            T
          </button>
        </Row>
      )}
      {(isOpen || entry.feedback !== '') && entry.result !== '' && (
        <Row as="span" gap={8} className={styles.more}>
          {isOpen && isHandedIn(entry) && (
            <DateInput
              id={`day-${child.studentId}`}
              name="day"
              aria-label={t`Day on which ${name} submitted`}
              value={entry.handedInOn}
              toward="past"
              onChange={(handedInOn) => onChange({ handedInOn })}
              onLeave={() => undefined}
            />
          )}
          <input
            name="feedback"
            className="box"
            maxLength={500}
            aria-label={t`Feedback for ${name}`}
            placeholder={t`Feedback`}
            tabIndex={-1}
            disabled={!mayCheck}
            value={entry.feedback}
            onChange={({ currentTarget: { value } }) => onChange({ feedback: value })}
            onKeyDown={next}
          />
        </Row>
      )}
    </Row>
  );
}
