import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import styles from './choices.module.css';
import { type Common, ErrorText, Note, type QuestionParts, Questions, useQuestion } from './question.tsx';

interface ChoiceProps extends Common {
  options: readonly string[];
  onChange?: (value: string) => void;
}

/** One of a few options, each a full row that can be tapped anywhere. */
export function RadioField({ options, onChange, ...common }: ChoiceProps) {
  const parts = useQuestion(common);
  return (
    <RadioRows
      parts={parts}
      name={common.name}
      options={options.map((value) => ({ value, label: translateOption(value) }))}
      onChange={onChange}
    />
  );
}

/** Yes or No, with nothing preselected. */
export function YesNoField({ onChange, ...common }: Common & { onChange?: (value: boolean) => void }) {
  const { t } = useLingui();
  const parts = useQuestion(common);
  const options = [
    { value: true, label: t`Yes` },
    { value: false, label: t`No` },
  ];
  return <RadioRows parts={parts} name={common.name} options={options} onChange={onChange} isPair />;
}

interface RadioRowsProps<Value extends string | boolean> {
  parts: QuestionParts;
  name: string;
  options: { value: Value; label: string }[];
  onChange?: (value: Value) => void;
  isPair?: boolean;
}

function RadioRows<Value extends string | boolean>({ parts, name, options, onChange, isPair }: RadioRowsProps<Value>) {
  const longest = Math.max(...options.map(({ label }) => label.length));
  // Short words stand beside each other, also on a phone.
  const columns = isPair || options.length === 2 ? 'pair' : longest <= 5 ? 'few' : longest <= 12 ? 'many' : undefined;
  return (
    <Questions parts={parts}>
      <ChoiceRows columns={columns}>
        {options.map(({ value, label }, index) => (
          <ChoiceRow
            key={String(value)}
            type="radio"
            id={index === 0 ? name : `${name}-${index}`}
            name={name}
            value={String(value)}
            label={label}
            checked={parts.value === value}
            onChange={() => {
              parts.change(name, value);
              onChange?.(value);
            }}
          />
        ))}
      </ChoiceRows>
    </Questions>
  );
}

interface RowsProps {
  /** `pair` and `few` are side by side, `many` in columns. */
  columns?: 'pair' | 'few' | 'many';
  children: ReactNode;
}

/** Radios or checkboxes below each other. */
export const ChoiceRows = ({ columns, children }: RowsProps) => (
  <div className={classNames(styles.rows, columns && styles[columns])}>{children}</div>
);

interface RowProps {
  type: 'radio' | 'checkbox';
  id: string;
  name?: string;
  value?: string;
  label: string;
  checked: boolean;
  describedBy?: string;
  /** More text below the label, outside its accessible name. */
  hint?: ReactNode;
  onChange: (checked: boolean) => void;
}

/** A radio or checkbox with its label as one row, all of which can be tapped. */
export function ChoiceRow({ label, describedBy, hint, onChange, ...control }: RowProps) {
  const { id } = control;
  return (
    <label className={styles.row} htmlFor={id}>
      <input
        {...control}
        aria-labelledby={hint ? `${id}-words` : undefined}
        aria-describedby={describedBy ?? (hint ? `${id}-hint` : undefined)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <span id={hint ? `${id}-words` : undefined}>{label}</span>
        {hint && (
          <span className={styles.hint} id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** A single checkbox, whose label is the whole sentence. */
export function TickField({
  describedBy,
  onChange,
  ...common
}: Common & { describedBy?: string; onChange?: (ticked: boolean) => void }) {
  const parts = useQuestion(common);
  const { name } = common;
  return (
    <div className={`question${parts.error ? ' question-wrong' : ''}`}>
      <Note id={parts.ids.note} note={parts.note} />
      <ErrorText id={parts.ids.error} error={parts.error} />
      <ChoiceRow
        type="checkbox"
        id={name}
        name={name}
        label={parts.words}
        hint={parts.hint}
        checked={parts.value === true}
        describedBy={
          [parts.hint && `${name}-hint`, parts.note && parts.ids.note, parts.error && parts.ids.error, describedBy]
            .filter(Boolean)
            .join(' ') || undefined
        }
        onChange={(ticked) => {
          parts.change(name, ticked);
          onChange?.(ticked);
        }}
      />
    </div>
  );
}

/** Several options of a list, stored as one comma-joined text. */
export function TicksField({ options, ...common }: ChoiceProps) {
  const parts = useQuestion(common);
  const { name } = common;
  const chosen = String(parts.value ?? '')
    .split(',')
    .filter(Boolean);
  const toggle = (option: string) => {
    const next = chosen.includes(option) ? chosen.filter((other) => other !== option) : [...chosen, option];
    parts.change(name, options.filter((candidate) => next.includes(candidate)).join(','));
  };
  return (
    <Questions parts={parts}>
      <ChoiceRows columns="many">
        {options.map((option, index) => (
          <ChoiceRow
            key={option}
            type="checkbox"
            id={index === 0 ? name : `${name}-${index}`}
            name={name}
            value={option}
            label={translateOption(option)}
            checked={chosen.includes(option)}
            onChange={() => toggle(option)}
          />
        ))}
      </ChoiceRows>
    </Questions>
  );
}
