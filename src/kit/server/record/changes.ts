import { type Field, type Fields, namesOf, type Stored } from '#kit/contract/field.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { english } from '#kit/contract/text.ts';

/** The history's words for an empty value, for one that it does not show, and for a row whose name is not read. */
export const nothing = '–';
const hidden = '••••';
const another = '…';

/** A value in English, for the history and for files. A reference is shown by the row's `name`. */
export function shownInEnglish(field: Field | undefined, value: unknown, name?: string): string {
  if (field?.kind === 'ref') return name || nothing;
  if (field?.kind === 'money' && typeof value === 'number') return showMoney(value);
  if (field?.kind === 'percent' && typeof value === 'number') return showPercent(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (field?.kind === 'someOf') return String(value).replaceAll(',', ', ') || nothing;
  return value === '' || value === null || value === undefined ? nothing : String(value);
}

/** The fields whose values differ. */
export const changedFields = <Some extends Fields>(
  fields: Some,
  before: Partial<Stored<Some>>,
  after: Partial<Stored<Some>>,
) => namesOf(fields).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));

/**
 * What changes, by label, as "before → after"; without `before` everything that is filled in. Of a row from a list it only
 * says that another one was chosen.
 */
export function changesOf<Some extends Fields>(
  fields: Some,
  before: Partial<Stored<Some>> | undefined,
  after: Partial<Stored<Some>>,
): Record<string, string> {
  return Object.fromEntries(
    changedFields(fields, before ?? {}, after).map((name) => {
      const field = fields[name] as Field;
      const words = (value: unknown) => {
        const plain = shownInEnglish(field, value);
        return field.isUnlogged && plain !== nothing ? hidden : plain;
      };
      const change = before ? `${words(before[name])} → ${words(after[name])}` : words(after[name]);
      return [english(field.label), field.kind === 'ref' ? another : change];
    }),
  );
}
