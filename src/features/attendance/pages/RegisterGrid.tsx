import { useLingui } from '@lingui/react/macro';
import { IconDots } from '@tabler/icons-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Grid, Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { toLocalTime } from '#kit/contract/day.ts';
import { initialsOf } from '#kit/contract/initials.ts';
import type { RegisterChild, RegisterCode, RegisterSheet } from '../contract/register.ts';
import styles from './RegisterGrid.module.css';
import { isMarked, type Register } from './use-register.ts';
import { weekdayOf } from './weekday.ts';

interface Props {
  sheet: RegisterSheet;
  register: Register;
  /** Enter in the grid. */
  onEnter: () => void;
  onMore: (child: RegisterChild) => void;
  /** Asks for another mark of a child, where the register is locked. */
  onCorrect?: (child: RegisterChild) => void;
  onKeys: () => void;
}

const looks: Partial<Record<RegisterCode['kind'], string | undefined>> = {
  Absent: styles.absent,
  Late: styles.late,
  'Half day': styles.late,
  Leave: styles.leave,
  'On duty': styles.duty,
};

/** How long typed digits belong to one roll number. */
const patience = 1200;

/** The children of a register in two columns, marked by single keys, mouse or touch. */
export function RegisterGrid({ sheet, register, onEnter, onMore, onCorrect, onKeys }: Props) {
  const { t } = useLingui();
  const { children, codeOf, change, changeAll, markOf } = register;
  const part = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const typed = useRef({ digits: '', at: 0 });
  const [current, setCurrent] = useState(0);
  /** Where a range of children begins that ends at the current one. */
  const [anchor, setAnchor] = useState<number>();
  const isChosen = (index: number) =>
    anchor !== undefined && index >= Math.min(anchor, current) && index <= Math.max(anchor, current);
  const [sought, setSought] = useState('');
  const [said, say] = useState('');
  const rows = Math.ceil(children.length / 2);
  const offered = sheet.codes.filter(({ isOffered }) => isOffered);
  const present = offered.find(({ kind }) => kind === 'Present');
  const absent = offered.find(({ kind }) => kind === 'Absent');

  const rowAt = (index: number) => part.current?.querySelectorAll<HTMLElement>('[data-child]')[index];
  const go = (index: number) => {
    const next = Math.max(0, Math.min(index, children.length - 1));
    setCurrent(next);
    rowAt(next)?.focus();
  };
  const numbered = ({ rollNo, name }: RegisterChild) => (rollNo === null ? name : `${rollNo} ${name}`);
  const mark = (child: RegisterChild, code: RegisterCode | undefined) => {
    if (!code || !isMarked(child)) return;
    const { arrivedAt } = markOf(child);
    change(child, {
      codeId: code.id,
      arrivedAt: code.needsTime ? arrivedAt || child.gateAt || toLocalTime(new Date()) : '',
    });
    const [who, what] = [numbered(child), code.name];
    say(t`${who}: ${what}`);
  };
  const markAll = (code: RegisterCode) => {
    const chosen = children.filter((child, index) => isChosen(index) && isMarked(child));
    const timeOf = (child: RegisterChild) => markOf(child).arrivedAt || child.gateAt || toLocalTime(new Date());
    changeAll(
      chosen.map((child) => [child, { codeId: code.id, arrivedAt: code.needsTime ? timeOf(child) : '' }] as const),
    );
    const [count, what] = [chosen.length, code.name];
    say(t`${count} students: ${what}`);
    setAnchor(undefined);
  };
  const swap = (child: RegisterChild) => mark(child, codeOf(child)?.id === present?.id ? absent : present);

  /** Typed digits lead to the child with this roll number. */
  const seek = (digit: string) => {
    const now = Date.now();
    setAnchor(undefined);
    const digits = now - typed.current.at < patience ? typed.current.digits + digit : digit;
    typed.current = { digits, at: now };
    const found = children.findIndex(({ rollNo }) => String(rollNo) === digits);
    if (found >= 0) go(found);
  };
  const markByKey = (child: RegisterChild, index: number, code: RegisterCode) => {
    mark(child, code);
    if (code.needsTime) {
      // The box is drawn once the mark has changed.
      requestAnimationFrame(() => rowAt(index)?.querySelector('input')?.select());
    } else go(index + 1);
  };

  /** To another child; with Shift all from the first to it are chosen. */
  const walk = (by: number, isRange: boolean) => {
    const from = anchor ?? current;
    setAnchor(isRange ? from : undefined);
    const to = Math.max(0, Math.min(current + by, children.length - 1));
    const count = Math.abs(to - from) + 1;
    if (isRange) say(t`${count} students chosen`);
    go(to);
  };

  const actOf = ({ key, shiftKey }: KeyboardEvent): (() => void) | undefined => {
    const child = children[current];
    if (!child) return undefined;
    if (/^[0-9]$/.test(key)) return () => seek(key);
    typed.current.digits = '';
    const moves: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      ArrowRight: rows,
      ArrowLeft: -rows,
      Home: -children.length,
      End: children.length,
    };
    const by = moves[key];
    if (by !== undefined) return () => walk(by, shiftKey);
    if (key === 'Escape' && anchor !== undefined) return () => setAnchor(undefined);
    if (key === ' ') return () => swap(child);
    if (key === 'Backspace') return () => mark(child, present);
    if (key === 'Enter') return onEnter;
    if (key === '/') return () => search.current?.focus();
    if (key === '?') return onKeys;
    const code = offered.find((one) => one.key === key.toUpperCase());
    if (onCorrect) return code && isMarked(child) && child.asked === '' ? () => onCorrect(child) : undefined;
    return code && (() => (anchor === undefined ? markByKey(child, current, code) : markAll(code)));
  };
  useSingleKeys(part, actOf);

  // The register is worked with at once, unless something else has the focus already.
  useEffect(() => {
    if (document.activeElement?.matches('body, h1') && matchMedia('(pointer: fine)').matches)
      part.current?.querySelector<HTMLElement>('[data-child]')?.focus({ preventScroll: true });
  }, []);

  const words = sought.trim().toLowerCase();
  const isSought = ({ rollNo, name }: RegisterChild) =>
    words === '' || String(rollNo) === words || name.toLowerCase().includes(words);
  const heads = (
    <div>
      <span>{t`Roll no and name`}</span>
      <span>{sheet.slot === 'Afternoon' ? t`AM` : sheet.dayBefore && weekdayOf(sheet.dayBefore)}</span>
      <span>
        {sheet.slot !== 'Full day'
          ? translateOption(sheet.slot)
          : sheet.day === sheet.today
            ? t`Today`
            : weekdayOf(sheet.day)}
      </span>
    </div>
  );
  return (
    <section
      ref={part}
      aria-label={t`Register`}
      tabIndex={-1}
      className={styles.part}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        register.undoChange?.();
      }}
    >
      <input
        ref={search}
        type="search"
        className={classNames('box', styles.search)}
        aria-label={t`Roll number or name`}
        placeholder={t`Roll number or name`}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          const found = event.key === 'Enter' ? children.findIndex(isSought) : current;
          setSought('');
          if (found >= 0) requestAnimationFrame(() => go(found));
        }}
      />
      <Grid tone="soft" size={12} line="below" className={styles.heads} aria-hidden>
        {heads}
        {rows < children.length && heads}
      </Grid>
      <Grid as="ol" className={styles.register} style={{ '--rows': rows } as CSSProperties}>
        {children.map((child, index) => (
          <ChildRow
            key={child.studentId}
            child={child}
            code={codeOf(child)}
            arrivedAt={markOf(child).arrivedAt}
            codes={offered}
            isChosen={isChosen(index)}
            isCurrent={index === current}
            isHidden={!isSought(child)}
            mayMark={sheet.mayTake && isMarked(child)}
            isAdded={sheet.register !== null && child.mark === null && child.takenIn === ''}
            onFocus={() => setCurrent(index)}
            onMark={(code) => mark(child, code)}
            onTime={(arrivedAt) => change(child, { ...markOf(child), arrivedAt })}
            onTimeDone={() => go(index + 1)}
            onSwap={() => swap(child)}
            isCorrectable={onCorrect !== undefined && isMarked(child) && child.asked === ''}
            onMore={() => (onCorrect ?? onMore)(child)}
          />
        ))}
      </Grid>
      <p role="status" className={styles.said}>
        {said}
      </p>
    </section>
  );
}

interface RowProps {
  child: RegisterChild;
  code: RegisterCode | undefined;
  arrivedAt: string;
  codes: readonly RegisterCode[];
  isCurrent: boolean;
  /** In the range that a letter marks. */
  isChosen: boolean;
  isHidden: boolean;
  mayMark: boolean;
  /** The register is locked: More asks for a correction. */
  isCorrectable: boolean;
  /** Placed after the register was taken. */
  isAdded: boolean;
  onFocus: () => void;
  onMark: (code: RegisterCode) => void;
  onTime: (arrivedAt: string) => void;
  onTimeDone: () => void;
  onSwap: () => void;
  onMore: () => void;
}

/** The kinds that have a button in each row; others are behind More. */
const shownKinds: readonly string[] = ['Present', 'Absent', 'Late'];

function ChildRow(props: RowProps) {
  const { child, code, arrivedAt, codes, isCurrent, isChosen, isHidden, mayMark, isCorrectable, isAdded } = props;
  const { onFocus, onMark } = props;
  const { t } = useLingui();
  const { name, rollNo } = child;
  const what = [code?.name ?? '', arrivedAt].filter(Boolean).join(' ');
  const shown = shownKinds.flatMap((kind) => codes.find((one) => one.kind === kind) ?? []);
  const other = code && !shown.some(({ id }) => id === code.id) ? code : undefined;
  const days = code?.kind === 'Absent' && child.absentFor > 0 ? child.absentFor + 1 : 0;
  const note = child.isNeverJoined
    ? t`Never joined, not counted`
    : child.takenIn
      ? t`Marked in ${child.takenIn}`
      : child.asked
        ? t`Correction to ${child.asked} requested`
        : isAdded
          ? t`Added after the register was taken`
          : child.leftAt
            ? t`Left at ${child.leftAt}`
            : child.leave
              ? child.leave.state === 'Asked'
                ? child.leave.isByFamily
                  ? t`Leave, asked by the family`
                  : t`Leave requested`
                : t`Leave granted`
              : days > 0
                ? t`Day ${days} absent`
                : '';
  const label = [
    rollNo === null ? name : `${rollNo} ${name}`,
    child.isNeverJoined ? `${what}, ${note}` : child.takenIn ? note : what,
  ].join(', ');
  return (
    <li
      data-child
      tabIndex={isCurrent ? 0 : -1}
      aria-label={label}
      hidden={isHidden}
      className={classNames(
        styles.child,
        code && !child.takenIn && looks[code.kind],
        isChosen && styles.chosen,
        child.isNeverJoined && styles.never,
      )}
      onFocus={onFocus}
    >
      <span className={styles.roll}>{rollNo}</span>
      <Stack as="span" centre className={styles.face} aria-hidden>
        {initialsOf(name)}
      </Stack>
      <Text as="span" breaks="ellipsis" className={styles.who}>
        {name}
      </Text>
      <Row as="span" inline align="center" size={12} breaks="never" className={styles.why}>
        {note}
        {code?.needsTime && !child.takenIn && (
          <input
            type="time"
            tabIndex={-1}
            className={styles.time}
            aria-label={t`Time of arrival of ${name}`}
            disabled={!mayMark}
            value={arrivedAt}
            onChange={(event) => props.onTime(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              event.stopPropagation();
              props.onTimeDone();
            }}
          />
        )}
      </Row>
      <span className={styles.before}>
        {child.before === 'P' || child.before === '' ? (
          '·'
        ) : (
          <Text as="b" weight={600}>
            {child.before}
          </Text>
        )}
      </span>
      {child.takenIn ? (
        <span className={styles.elsewhere}>{child.takenCode}</span>
      ) : (
        <>
          <Grid as="span" gap={2} className={styles.marks}>
            {shown.map((one) => (
              <button
                key={one.id}
                type="button"
                tabIndex={-1}
                disabled={!mayMark}
                aria-label={t`${name}: ${one.name}`}
                aria-pressed={one.id === code?.id}
                onClick={() => onMark(one)}
              >
                {one.code}
              </button>
            ))}
            <button
              type="button"
              tabIndex={-1}
              disabled={!mayMark && !isCorrectable}
              aria-label={isCorrectable ? t`Request correction for ${name}` : t`More marks for ${name}`}
              aria-pressed={other !== undefined}
              onClick={props.onMore}
            >
              {other ? other.code : <IconDots size={16} aria-hidden />}
            </button>
          </Grid>
          <button
            type="button"
            tabIndex={-1}
            className={styles.swap}
            disabled={!mayMark}
            aria-label={t`${name}: ${what}. Change to absent or present`}
            onClick={props.onSwap}
          >
            <span>{code?.kind === 'Present' ? code.code : code?.name}</span>
          </button>
          <button
            type="button"
            tabIndex={-1}
            className={styles.more}
            disabled={!mayMark && !isCorrectable}
            aria-label={isCorrectable ? t`Request correction for ${name}` : t`More marks for ${name}`}
            onClick={props.onMore}
          >
            <IconDots size={20} aria-hidden />
          </button>
        </>
      )}
    </li>
  );
}
