import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './IconButton.module.css';

interface Props extends Omit<ComponentProps<'button'>, 'aria-label' | 'type' | 'title'> {
  /** Its action: the accessible name and the tooltip. */
  label: string;
  /** At the end of a row. */
  isSmall?: boolean;
  /** The tooltip, where the accessible name has more than is visible there. */
  tip?: string;
}

const delay = 400;

/** A button with only an icon. A tooltip shows its label on hover and on keyboard focus. */
export function IconButton({ label, isSmall = false, tip = label, className = '', children, ...rest }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <button
      {...rest}
      type="button"
      className={`${styles.button} ${isSmall ? styles.small : ''} ${className}`}
      aria-label={label}
      onPointerEnter={({ currentTarget, pointerType }) => {
        // No tooltip on touch: a tap acts at once.
        if (pointerType === 'mouse') timer.current = setTimeout(() => setAnchor(currentTarget), delay);
      }}
      onPointerLeave={hide}
      onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setAnchor(currentTarget)}
      onBlur={(event) => {
        hide();
        rest.onBlur?.(event);
      }}
      onClick={(event) => {
        hide();
        rest.onClick?.(event);
      }}
      onKeyDown={(event) => {
        // A dialog that opened with the focus on its Close button still closes at the first press.
        if (event.key === 'Escape') hide();
        rest.onKeyDown?.(event);
      }}
    >
      {children}
      {anchor && <Tip anchor={anchor} words={tip} onScroll={hide} />}
    </button>
  );
}

interface TipProps {
  anchor: HTMLElement;
  words: string;
  onScroll: () => void;
}

/** A popover, because only the top layer is not clipped by scrolling tables or dialogs. */
function Tip({ anchor, words, onScroll }: TipProps) {
  const box = useRef<HTMLSpanElement>(null);
  const latest = useRef(onScroll);
  latest.current = onScroll;
  useLayoutEffect(() => {
    const tip = box.current;
    if (!tip) return;
    tip.showPopover?.();
    const { left, top, bottom, width } = anchor.getBoundingClientRect();
    const most = document.documentElement.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(left + width / 2 - tip.offsetWidth / 2, most))}px`;
    const fits = bottom + tip.offsetHeight <= window.innerHeight;
    tip.style.top = `${fits ? bottom : top - tip.offsetHeight}px`;
    const hide = () => latest.current();
    window.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', hide, { capture: true });
  }, [anchor]);
  return (
    <span ref={box} popover="manual" className={styles.tip} aria-hidden>
      <span>{words}</span>
    </span>
  );
}
