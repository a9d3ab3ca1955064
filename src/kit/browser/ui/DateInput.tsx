import { useLingui } from '@lingui/react/macro';
import { IconCalendar } from '@tabler/icons-react';
import { type ComponentProps, useRef, useState } from 'react';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import styles from './DateInput.module.css';
import { IconButton } from './IconButton.tsx';
import { readDate, type Toward } from './read-date.ts';

interface Props extends Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-invalid' | 'aria-describedby'> {
  /** YYYY-MM-DD, '' for none, or typed text that is not a date. */
  value: string;
  /** Which day is meant where the year is not typed; by default the nearest. */
  toward?: Toward;
  /** The first and the last day that the calendar offers. */
  min?: string;
  max?: string;
  onChange: (value: string) => void;
  /** Called with the value when the box is left; undefined where it is not a date. */
  onLeave?: (value: string | undefined) => void;
}

/** A date, typed as people write it, such as 21-11-2026, 21/11 or tomorrow, or chosen in the browser's calendar. */
export function DateInput({ value, toward, min, max, onChange, onLeave, ...control }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  /** The text of the box while the user types. */
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : readDate(typed, { toward });
  const shown = typed ?? (isRealDate(value) ? showDate(value) : value);
  return (
    <span className={styles.date}>
      <input
        {...control}
        ref={box}
        type="text"
        className="box"
        autoComplete="off"
        maxLength={40}
        placeholder={t`DD-MM-YYYY`}
        value={shown}
        onChange={(event) => {
          const words = event.currentTarget.value;
          setTyped(words);
          onChange(readDate(words, { toward }) ?? words.trim());
        }}
        onBlur={() => {
          setTyped(undefined);
          onLeave?.(shown.trim() === '' ? '' : readDate(shown, { toward }));
        }}
      />
      {read && (
        <span className={styles.read} aria-hidden>
          {showDate(read)}
        </span>
      )}
      <input
        ref={calendar}
        type="date"
        className={styles.native}
        tabIndex={-1}
        aria-hidden
        min={min}
        max={max}
        value={isRealDate(value) ? value : ''}
        onChange={(event) => {
          setTyped(undefined);
          onChange(event.currentTarget.value);
          onLeave?.(event.currentTarget.value);
          box.current?.focus();
        }}
      />
      <IconButton
        label={t`Open the calendar`}
        className={styles.button}
        onClick={() => calendar.current?.showPicker?.()}
      >
        <IconCalendar size={18} aria-hidden />
      </IconButton>
    </span>
  );
}
