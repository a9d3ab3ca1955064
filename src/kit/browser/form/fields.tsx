import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type HTMLAttributes, memo, useId, useState } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import styles from './fields.module.css';
import { type Common, Question, useQuestion, type Width } from './question.tsx';
import { useOnly } from './use-only.ts';

interface TextProps extends Common {
  /** Several lines. */
  long?: boolean;
  width?: Width;
  type?: 'text' | 'tel' | 'email';
  inputMode?: HTMLAttributes<HTMLElement>['inputMode'];
  autoComplete?: string;
  /** Gets the focus when it appears. */
  takesFocus?: boolean;
  suggestions?: readonly string[];
  /** Another field whose value is shown here, read-only. */
  mirrors?: string;
  /** A note below the box about a value that looks wrong but is accepted. */
  warn?: (value: string) => string | undefined;
  /** Values known from elsewhere, offered beside the box. */
  offers?: { label: string; take: () => void }[];
}

export function TextField(props: TextProps) {
  const {
    name,
    long = false,
    width,
    type = 'text',
    inputMode,
    autoComplete = 'off',
    takesFocus = false,
    suggestions,
    mirrors,
    warn,
    offers,
  } = props;
  const parts = useQuestion(props);
  const value = mirrors ? parts.values[mirrors] : parts.value;
  const text = typeof value === 'string' ? value : '';
  const readOnly = mirrors !== undefined;
  const warning = parts.error ? undefined : warn?.(text);
  const { max } = parts.info;
  const listId = useId();
  const warningId = useId();
  const describedBy = [parts.described, warning && warningId].filter(Boolean).join(' ') || undefined;
  return (
    <Question parts={parts} width={width}>
      <TextControl
        name={name}
        long={long}
        type={type}
        inputMode={inputMode}
        autoComplete={autoComplete}
        takesFocus={takesFocus}
        readOnly={readOnly}
        describedBy={describedBy}
        value={text}
        isWrong={Boolean(parts.error)}
        change={parts.change}
        list={suggestions && listId}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {offers?.map((offer) => (
        <button key={offer.label} type="button" className={styles.offer} onClick={offer.take}>
          {offer.label}
        </button>
      ))}
      {max !== undefined && max >= 250 && <Counter length={[...text].length} max={max} />}
      <p className="warning" id={warningId} role="status">
        {warning}
      </p>
    </Question>
  );
}

/** A password, hidden until the user asks to see it. Spaces at its ends count. */
export function PasswordField(props: Common & { autoComplete: 'current-password' | 'new-password' }) {
  const { t } = useLingui();
  const [isShown, show] = useState(false);
  const parts = useQuestion(props);
  return (
    <Question parts={parts}>
      <div className="password">
        <TextControl
          name={props.name}
          long={false}
          type={isShown ? 'text' : 'password'}
          autoComplete={props.autoComplete}
          value={typeof parts.value === 'string' ? parts.value : ''}
          isWrong={Boolean(parts.error)}
          change={parts.change}
          describedBy={parts.described}
        />
        <Button kind="quiet" className="password-toggle" aria-pressed={isShown} onClick={() => show(!isShown)}>
          {isShown ? t`Hide` : t`Show`}
        </Button>
      </div>
    </Question>
  );
}

/**
 * The remaining characters, shown from three quarters on. More can be typed, so that nothing is cut off; only saving is
 * refused.
 */
function Counter({ length, max }: { length: number; max: number }) {
  const left = max - length;
  if (length < max * 0.75) return null;
  return (
    <p className={classNames(styles.counter, left < 0 && styles.over)}>
      {left < 0 ? (
        <Plural value={-left} one="# character too many" other="# characters too many" />
      ) : (
        <Plural value={left} one="# character left" other="# characters left" />
      )}
      {/* Announced once when the text becomes too long, not at every key. */}
      <VisuallyHidden role="status">{left < 0 && <Trans>Too long</Trans>}</VisuallyHidden>
    </p>
  );
}

interface ControlProps {
  name: string;
  long: boolean;
  value: string;
  isWrong: boolean;
  change: (name: string, value: unknown) => void;
  type: string;
  describedBy: string | undefined;
  inputMode?: HTMLAttributes<HTMLElement>['inputMode'];
  autoComplete?: string;
  takesFocus?: boolean;
  readOnly?: boolean;
  list?: string;
}

const focus = (box: HTMLElement | null) => box?.focus();

// Only the changed box is drawn again while the user types: a page has up to sixty of them.
const TextControl = memo(
  ({
    name,
    long,
    value,
    isWrong,
    change,
    describedBy,
    inputMode,
    autoComplete,
    takesFocus,
    readOnly,
    ...rest
  }: ControlProps) => {
    const common = {
      ref: takesFocus ? focus : undefined,
      id: name,
      name,
      value,
      inputMode,
      autoComplete,
      readOnly,
      'aria-invalid': isWrong,
      'aria-describedby': describedBy,
      onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
    };
    return long ? <textarea className="box" rows={3} {...common} /> : <input className="box" {...common} {...rest} />;
  },
);

interface SelectProps extends Common {
  options: readonly (string | { value: string; label: string })[];
  width?: Width;
  disabled?: boolean;
  /** The text shown while nothing is chosen. */
  placeholder?: string;
  /** False where the only answer is not filled in. */
  fillsOnly?: boolean;
  onChange?: (value: string) => void;
}

/** A choice from a native list. The only answer is filled in where one is needed and nothing follows from it. */
export function SelectField({
  options,
  width,
  disabled,
  placeholder,
  fillsOnly = true,
  onChange,
  ...common
}: SelectProps) {
  const { t } = useLingui();
  const parts = useQuestion(common);
  const { name } = common;
  const [first, second] = options;
  // With words for none, or more that follows from a choice, it is the user who chooses.
  const mayFill = fillsOnly && !disabled && !placeholder && !onChange;
  const only = mayFill && first !== undefined && second === undefined ? first : undefined;
  useOnly(parts, name, typeof only === 'object' ? only.value : only);
  return (
    <Question parts={parts} width={width}>
      <select
        className="box"
        id={name}
        name={name}
        value={String(parts.value ?? '')}
        disabled={disabled}
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        onChange={(event) => {
          parts.change(name, event.currentTarget.value);
          onChange?.(event.currentTarget.value);
        }}
      >
        <option value="">{placeholder ?? t`Choose`}</option>
        {options.map((option) => {
          const { value, label } =
            typeof option === 'string' ? { value: option, label: translateOption(option) } : option;
          return (
            <option key={value} value={value}>
              {label}
            </option>
          );
        })}
      </select>
    </Question>
  );
}
