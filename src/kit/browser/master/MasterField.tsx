import { useApiForm, useFieldInfo } from '#kit/browser/form/ApiForm.tsx';
import { Row, TicksField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { PaletteField } from '#kit/browser/form/PaletteField.tsx';
import type { MasterField as Field, Master } from '#kit/contract/master.ts';
import { namedBy, targetOf } from '#kit/contract/master.ts';
import { colours } from '#kit/contract/palette.ts';
import { translate } from '../text.ts';

interface Props {
  master: Master;
  name: string;
  field: Field;
  /** The row being edited. */
  ownId?: number;
}

/** The control of a field, by its kind. */
export function MasterField({ master, name, field, ownId }: Props) {
  const common = { name, hint: field.hint && translate(field.hint) };
  switch (field.kind) {
    case 'longText':
      return <TextField {...common} long />;
    case 'number':
      return <TextField {...common} width="short" inputMode="numeric" />;
    case 'date':
      return <DateField {...common} />;
    case 'yesNo':
      return <TickRow {...common} />;
    case 'oneOf':
      return field.options === colours ? (
        <PaletteField {...common} />
      ) : (
        <SelectField {...common} options={field.options} />
      );
    case 'someOf':
      return <TicksField {...common} options={field.options} />;
    case 'ref':
      return (
        <OptionField
          {...common}
          options={targetOf(namedBy(master), field).options}
          without={field.to === 'self' ? String(ownId) : undefined}
        />
      );
    default:
      return <TextField {...common} width={field.max <= 12 ? 'short' : undefined} />;
  }
}

/** A checkbox with more text below its label. */
export function TickRow({ name, hint }: { name: string; hint?: string }) {
  const { values, change } = useApiForm();
  const { label } = useFieldInfo(name);
  return (
    <div className="question">
      <Row
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
