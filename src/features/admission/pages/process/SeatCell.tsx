import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translateOption } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type SeatRow, seatApi } from '../../contract/seat.ts';
import styles from './SeatCell.module.css';
import { SeatSums } from './SeatSums.tsx';
import { typedSeat } from './typed-seat.ts';

interface Props {
  row: SeatRow;
  /** Its line and column. */
  place: string;
  /** Tab stops at it; the arrows lead to the others. */
  isStop: boolean;
  mayPlan: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

/** The free seats of a grade and quota. A card with the rest is shown on hover and focus; E edits the planned number. */
export function SeatCell({ row, place, isStop, mayPlan, onFocus, onOpen }: Props) {
  const { t } = useLingui();
  const cell = useRef<HTMLButtonElement>(null);
  const [isEdited, setEdited] = useState(false);
  const [card, setCard] = useState<HTMLElement>();
  const { grade, quota, total, free } = row;
  const name = `${grade}, ${translateOption(quota)}`;
  const left = Math.max(free, 0);
  const end = () => {
    setEdited(false);
    setTimeout(() => cell.current?.focus());
  };
  if (isEdited) return <SeatInput row={row} name={name} onEnd={end} />;
  return (
    <button
      ref={cell}
      type="button"
      className={styles.cell}
      data-cell={place}
      tabIndex={isStop ? 0 : -1}
      aria-label={t`${name}: ${left} of ${total} free`}
      aria-keyshortcuts={mayPlan ? 'e' : undefined}
      onFocus={({ currentTarget }) => {
        onFocus();
        if (currentTarget.matches(':focus-visible')) setCard(currentTarget);
      }}
      onBlur={() => setCard(undefined)}
      onPointerEnter={({ currentTarget, pointerType }) => pointerType === 'mouse' && setCard(currentTarget)}
      onPointerLeave={() => setCard(undefined)}
      onClick={() => {
        setCard(undefined);
        onOpen();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setCard(undefined);
        if (event.key !== 'e' || !mayPlan || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        setEdited(true);
      }}
    >
      {total === 0 ? (
        <span className="soft">–</span>
      ) : (
        <>
          {left > 0 ? (
            left
          ) : (
            <span className="soft">
              <Trans>Full</Trans>
            </span>
          )}{' '}
          <small>
            <Trans>of {total}</Trans>
          </small>
        </>
      )}
      {card && <CellCard anchor={card} name={name} row={row} />}
    </button>
  );
}

interface CardProps {
  anchor: HTMLElement;
  name: string;
  row: SeatRow;
}

/** Below its cell, or above it where there is no room; the same is read behind Enter. */
function CellCard({ anchor, name, row }: CardProps) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const card = box.current;
    if (!card) return;
    card.showPopover?.();
    const { left, top, bottom } = anchor.getBoundingClientRect();
    const most = document.documentElement.clientWidth - card.offsetWidth - 8;
    card.style.left = `${Math.max(8, Math.min(left, most))}px`;
    const fits = bottom + card.offsetHeight + 4 <= window.innerHeight;
    card.style.top = `${fits ? bottom + 4 : top - card.offsetHeight - 4}px`;
  }, [anchor]);
  return (
    <span ref={box} popover="manual" className={styles.card} aria-hidden>
      <strong>{name}</strong>
      <SeatSums row={row} />
    </span>
  );
}

interface InputProps {
  row: SeatRow;
  name: string;
  onEnd: () => void;
}

/** The planned seats of a cell: Enter saves them, Escape leaves them. */
function SeatInput({ row, name, onEnd }: InputProps) {
  const { t } = useLingui();
  const toast = useToast();
  const update = useAction(seatApi.update);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(String(row.total));
  const isEnding = useRef(false);
  useLayoutEffect(() => input.current?.select(), []);
  const save = async () => {
    if (isEnding.current) return;
    if (typed.trim() === String(row.total)) return onEnd();
    isEnding.current = true;
    const saved = await update.run({ id: row.id, version: row.version, ...typedSeat(row), total: typed } as never);
    isEnding.current = false;
    if (!saved) return;
    toast({ kind: 'success', title: t`Saved.`, of: name });
    onEnd();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      isEnding.current = true;
      onEnd();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void save();
  };
  return (
    <>
      <input
        ref={input}
        className={`box ${styles.input}`}
        inputMode="numeric"
        aria-label={t`Seats of ${name}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
      />
      {update.problem}
    </>
  );
}
