import { useLingui } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { type Common, ErrorText, Hint, type QuestionParts, Questions, useQuestion } from './question.tsx';

interface ChoiceProps extends Common {
  options: readonly string[];
  onChange?: (value: string) => void;
}

/** One of a few, each a full row that can be tapped anywhere. */
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
  const columns = isPair || options.length === 2 ? 'pair' : longest <= 5 ? 'few' : longest <= 12 ? 'many' : '';
  return (
    <Questions parts={parts} className={columns}>
      <div className="rows">
        {options.map(({ value, label }, index) => (
          <Row
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
      </div>
    </Questions>
  );
}

interface RowProps {
  type: 'radio' | 'checkbox';
  id: string;
  name?: string;
  value?: string;
  label: string;
  checked: boolean;
  describedBy?: string;
  /** More words below the label, which are no part of its name. */
  hint?: string;
  onChange: (checked: boolean) => void;
}

/** A radio or checkbox with its words as one row, all of which can be tapped. */
export function Row({ label, describedBy, hint, onChange, ...control }: RowProps) {
  const { id } = control;
  return (
    <label className="row" htmlFor={id}>
      <input
        {...control}
        aria-labelledby={hint && `${id}-words`}
        aria-describedby={hint ? `${id}-hint` : describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <span id={hint && `${id}-words`}>{label}</span>
        {hint && (
          <span className="row-hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** One box to tick; its label is the whole sentence. */
export function TickField({
  describedBy,
  onChange,
  ...common
}: Common & { describedBy?: string; onChange?: (ticked: boolean) => void }) {
  const parts = useQuestion(common);
  const { name } = common;
  return (
    <div className={`question${parts.error ? ' question-wrong' : ''}`}>
      <Hint id={parts.ids.hint}>{parts.hint}</Hint>
      <ErrorText id={parts.ids.error} error={parts.error} />
      <Row
        type="checkbox"
        id={name}
        name={name}
        label={parts.words}
        checked={parts.value === true}
        describedBy={[parts.described, describedBy].filter(Boolean).join(' ') || undefined}
        onChange={(ticked) => {
          parts.change(name, ticked);
          onChange?.(ticked);
        }}
      />
    </div>
  );
}

/** Several of a list, kept as one comma-joined text. */
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
    <Questions parts={parts} className="many">
      <div className="rows">
        {options.map((option, index) => (
          <Row
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
      </div>
    </Questions>
  );
}
