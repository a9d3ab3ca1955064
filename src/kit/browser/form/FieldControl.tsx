import { Fragment, lazy, type ReactNode, Suspense } from 'react';
import { ChoiceRow, RadioField, TicksField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, useFieldInfo } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import type { Field, Fields } from '#kit/contract/field.ts';
import { colours } from '#kit/contract/palette.ts';
import { translate } from '../text.ts';
import styles from './FieldControl.module.css';

// Few forms have ages or colours.
const MonthsField = lazy(async () => ({ default: (await import('./MonthsField.tsx')).MonthsField }));
const PaletteField = lazy(async () => ({ default: (await import('./PaletteField.tsx')).PaletteField }));

interface Props {
  name: string;
  field: Field;
  /** In place of the field's own hint. */
  hint?: ReactNode;
  /** The id of a row that is not offered. */
  without?: number;
  /** Required by a rule of the form, although its contract allows it to be empty. */
  required?: boolean;
}

/** The control of a field, by its kind. */
export function FieldControl({ name, field, hint, without, required }: Props) {
  const common = { name, required, hint: hint ?? (field.hint && translate(field.hint)) };
  switch (field.kind) {
    case 'text': {
      const { width = field.max <= 12 ? 'short' : undefined, inputMode } = field;
      return <TextField {...common} width={width} inputMode={inputMode} />;
    }
    case 'longText':
      return <TextField {...common} long />;
    case 'mobile':
      return <TextField {...common} type="tel" inputMode="tel" width="medium" />;
    case 'email':
      return <TextField {...common} type="email" inputMode="email" />;
    case 'number':
      if (field.inYears)
        return (
          <Suspense>
            <MonthsField {...common} label={field.inYears} />
          </Suspense>
        );
      return <TextField {...common} width="short" inputMode="numeric" />;
    case 'money':
      return <TextField {...common} width="medium" inputMode="decimal" />;
    case 'percent':
      return <TextField {...common} width="short" inputMode="decimal" />;
    case 'time':
      return <TextField {...common} width="short" />;
    case 'date':
      return <DateField {...common} toward={field.toward} hasQuickDays={field.hasQuickDays} />;
    case 'birthDate':
      return <DateField {...common} toward="birth" />;
    case 'yesNo':
      return <TickRow name={name} hint={common.hint} />;
    case 'oneOf':
      if (field.options === colours)
        return (
          <Suspense>
            <PaletteField {...common} />
          </Suspense>
        );
      return field.isRadio ? (
        <RadioField {...common} options={field.options} />
      ) : (
        <SelectField {...common} options={field.options} />
      );
    case 'someOf':
      return <TicksField {...common} options={field.options} />;
    case 'ref':
      if (field.to === 'self') throw new Error(`The form of ${name} must say which table it points to.`);
      return (
        <OptionField
          {...common}
          options={field.to.options}
          without={without === undefined ? undefined : String(without)}
        />
      );
  }
}

interface ControlsProps<Some extends Fields> {
  fields: Some;
  /** Hints of this form, by field. */
  hints?: Partial<Record<keyof Some, ReactNode>>;
  /** What this form shows in place of a field, and after one. */
  instead?: Partial<Record<keyof Some, ReactNode>>;
  after?: Partial<Record<keyof Some, ReactNode>>;
  /** Ids that are not offered, by field: a record does not refer to itself. */
  without?: Partial<Record<keyof Some, number>>;
}

/** The longest text whose box needs half a panel only. */
const mostOfHalf = 50;

const halves: readonly string[] = ['number', 'mobile', 'money', 'percent', 'time', 'date', 'birthDate', 'ref'];

/** Whether the box of a field needs half a panel only, so that two of them share a line. */
const isHalf = (field: Field) =>
  field.kind === 'text'
    ? field.max <= mostOfHalf
    : field.kind === 'oneOf'
      ? !field.isRadio && field.options !== colours
      : halves.includes(field.kind) && !('inYears' in field && field.inYears);

/** The controls of some fields, in their order; two that need half a line share one. */
export function FieldControls<Some extends Fields>(props: ControlsProps<Some>) {
  const { fields, hints = {}, instead = {}, after = {}, without = {} } = props as ControlsProps<Fields>;
  const lines: [string, Field][][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const before = lines.at(-1);
    // Lines of help beside a short box would leave a gap.
    const fits = ([name, field]: [string, Field]) => isHalf(field) && !field.hint && !hints[name] && !(name in instead);
    const line: [string, Field] = [name, field];
    if (before?.length === 1 && [...before, line].every(fits)) before.push(line);
    else lines.push([line]);
  }
  return lines.map((line) => {
    const controls = line.map(([name, field]) =>
      name in instead ? (
        <Fragment key={name}>{instead[name]}</Fragment>
      ) : (
        <FieldControl key={name} name={name} field={field} hint={hints[name]} without={without[name]} />
      ),
    );
    return (
      <Fragment key={line.map(([name]) => name).join()}>
        {line.length > 1 ? <div className={`side-by-side ${styles.pair}`}>{controls}</div> : controls}
        {line.map(([name]) => (
          <Fragment key={name}>{after[name]}</Fragment>
        ))}
      </Fragment>
    );
  });
}

/** A checkbox with more text below its label. */
export function TickRow({ name, hint }: { name: string; hint?: ReactNode }) {
  const { values, change } = useApiForm();
  const { label } = useFieldInfo(name);
  return (
    <div className="question">
      <ChoiceRow
        type="checkbox"
        id={name}
        name={name}
        label={translate(label)}
        hint={hint}
        checked={values[name] === true}
        onChange={(isTicked) => change(name, isTicked)}
      />
    </div>
  );
}
