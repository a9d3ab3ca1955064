import { Trans, useLingui } from '@lingui/react/macro';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { type HTMLAttributes, memo, type ReactNode, useId } from 'react';
import { useApiForm, useFieldInfo } from './ApiForm.tsx';
import { said } from './text.ts';

interface Common {
  name: string;
  /** Over the contract's label, where the page needs more words. */
  label?: string;
  /** Read aloud before the label where two fields have the same: "Father’s". */
  owner?: string;
  hint?: ReactNode;
  /** Asked for although the contract lets it be empty, since a rule of the page requires it. */
  required?: boolean;
}

/** Label, hint and error of a question, joined to its control for those who cannot see them. */
function useQuestion({ name, label, owner, hint, required }: Common) {
  const { values, errors, change, isSending } = useApiForm();
  const info = useFieldInfo(name);
  const id = useId();
  const error = errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return {
    info,
    value: values[name],
    values,
    error,
    change,
    isSending,
    ids: { control: name, hint: `${id}-hint`, error: `${id}-error`, label: `${id}-label` },
    described,
    isOptional: info.optional && !required,
    words: said(label ?? info.label),
    owner,
    hint,
  };
}

type QuestionParts = ReturnType<typeof useQuestion>;

function LabelWords({ words, owner, isOptional }: Pick<QuestionParts, 'words' | 'owner' | 'isOptional'>) {
  return (
    <>
      {owner && <span className="only-read">{owner} </span>}
      {words}
      {isOptional && (
        <span className="optional">
          {' '}
          <Trans>(optional)</Trans>
        </span>
      )}
    </>
  );
}

const Hint = ({ id, children }: { id: string; children: ReactNode }) =>
  children ? (
    <p className="hint" id={id}>
      {children}
    </p>
  ) : null;

const ErrorText = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <p className="error" id={id}>
      <span className="only-read">
        <Trans>Error:</Trans>{' '}
      </span>
      {said(error)}
    </p>
  ) : null;

/** One question with one control: label, hint, error, box, in this order. */
function Question({ parts, width, children }: { parts: QuestionParts; width?: Width; children: ReactNode }) {
  const { ids, error, hint } = parts;
  return (
    <div className={`question${error ? ' question-wrong' : ''}${width ? ` width-${width}` : ''}`}>
      <label htmlFor={ids.control} id={ids.label}>
        <LabelWords {...parts} />
      </label>
      <Hint id={ids.hint}>{hint}</Hint>
      <ErrorText id={ids.error} error={error} />
      {children}
    </div>
  );
}

/** One question with several controls, as a group with a legend. */
function Questions({
  parts,
  children,
  className = '',
}: {
  parts: QuestionParts;
  children: ReactNode;
  className?: string;
}) {
  const { ids, error, hint, described } = parts;
  return (
    <fieldset className={`question ${className}${error ? ' question-wrong' : ''}`} aria-describedby={described}>
      <legend>
        <LabelWords {...parts} />
      </legend>
      <Hint id={ids.hint}>{hint}</Hint>
      <ErrorText id={ids.error} error={error} />
      {children}
    </fieldset>
  );
}

/** Boxes are as wide as the answer they want. */
type Width = 'short' | 'medium';

interface TextProps extends Common {
  /** Several lines. */
  long?: boolean;
  width?: Width;
  type?: 'text' | 'tel' | 'email';
  inputMode?: HTMLAttributes<HTMLElement>['inputMode'];
  autoComplete?: string;
  suggestions?: readonly string[];
  /** The field whose value is shown here instead; this one can then be read but not changed. */
  mirrors?: string;
  /** Something that looks odd but is accepted; said below the box. */
  warn?: (value: string) => string | undefined;
  /** Offered beside the box: values known from elsewhere. */
  offers?: { label: string; value: string }[];
}

export function TextField(props: TextProps) {
  const {
    name,
    long = false,
    width,
    type = 'text',
    inputMode,
    autoComplete = 'off',
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
  const listId = useId();
  const warningId = useId();
  const describedBy = [parts.described, warning && warningId].filter(Boolean).join(' ') || undefined;
  return (
    <Question parts={parts} width={width}>
      <TextControl
        {...{ name, long, type, inputMode, autoComplete, readOnly, describedBy }}
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
        <button key={offer.label} type="button" className="offer" onClick={() => parts.change(name, offer.value)}>
          {offer.label}
        </button>
      ))}
      <p className="warning" id={warningId} role="status">
        {warning}
      </p>
    </Question>
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
  readOnly?: boolean;
  list?: string;
}

// Only the box whose text changed is drawn again while somebody types: a page has up to sixty of them.
const TextControl = memo(
  ({ name, long, value, isWrong, change, describedBy, inputMode, autoComplete, readOnly, ...more }: ControlProps) => {
    const common = {
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
    return long ? <textarea className="box" rows={4} {...common} /> : <input className="box" {...common} {...more} />;
  },
);

interface SelectProps extends Common {
  options: readonly (string | { value: string; label: string })[];
  width?: Width;
  disabled?: boolean;
  /** What stands there while nothing is chosen. */
  placeholder?: string;
  onChange?: (value: string) => void;
}

export function SelectField({ options, width, disabled, placeholder, onChange, ...common }: SelectProps) {
  const { t } = useLingui();
  const parts = useQuestion(common);
  const { name } = common;
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
          const { value, label } = typeof option === 'string' ? { value: option, label: said(option) } : option;
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
      options={options.map((value) => ({ value, label: said(value) }))}
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
  return (
    <Questions parts={parts} className={isPair || options.length === 2 ? 'pair' : ''}>
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
  onChange: (checked: boolean) => void;
}

/** A radio or checkbox with its words as one row, all of which can be tapped. */
export function Row({ label, describedBy, onChange, ...control }: RowProps) {
  return (
    <label className="row" htmlFor={control.id}>
      <input {...control} aria-describedby={describedBy} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
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
    const next = chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option];
    parts.change(name, options.filter((one) => next.includes(one)).join(','));
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
            label={said(option)}
            checked={chosen.includes(option)}
            onChange={() => toggle(option)}
          />
        ))}
      </div>
    </Questions>
  );
}

/** What cannot be changed, as printed text with a small lock. */
export function LockedFacts({ facts, source }: { facts: { label: string; value: string }[]; source: ReactNode }) {
  if (facts.length === 0) return null;
  return (
    <div className="locked">
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="locked-source">
        <IconLock size={16} aria-hidden /> {source}
      </p>
    </div>
  );
}
