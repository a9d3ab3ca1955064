import type { Values } from '#kit/browser/form/form-context.ts';
import type { Difference } from '#kit/browser/ui/TwoVersions.tsx';
import type { Field, Fields } from '#kit/contract/field.ts';
import { typedMoney, typedPercent } from '#kit/contract/money.ts';
import { translate } from '../text.ts';
import { showValue } from './show-value.tsx';

/** The values of fields as a form holds them: its boxes hold text. */
export const typedOf = (fields: Fields, values: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = values[name] ?? '';
      return [name, typeof value === 'number' ? typedNumber(field, value) : value];
    }),
  );

/** A number as it is typed into the box of its field. */
function typedNumber({ kind }: Field, value: number): string {
  if (kind === 'money') return typedMoney(value);
  return kind === 'percent' ? typedPercent(value) : String(value);
}

/** The record that another user saved, with the names of the rows it refers to. */
export interface SavedVersion {
  version: number;
  saved: Values;
  names?: Readonly<Record<string, string>>;
}

/** The values that differ. `asChosen` stands for an own choice from a list, of which the form has only the id. */
export const differencesOf = (
  fields: Fields,
  { saved, names = {} }: SavedVersion,
  mine: Values,
  asChosen: string,
): Difference[] =>
  Object.entries(fields)
    .filter(([name]) => String(saved[name] ?? '') !== String(mine[name] ?? ''))
    .map(([name, field]) => ({
      label: translate(field.label),
      saved: showValue(field, saved[name], names[name]),
      mine: field.kind === 'ref' ? asChosen : showValue(field, mine[name]),
    }));
