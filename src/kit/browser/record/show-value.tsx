import { t } from '@lingui/core/macro';
import { showDate } from '#kit/contract/day.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { showMoney, showPercent } from '#kit/contract/money.ts';
import { translateOption } from '../text.ts';

interface Shown {
  kind: string;
  inYears?: object;
  options?: readonly string[];
  isSequence?: boolean;
}

/** A value for display; '' for none. `name` is the name of the row that the field points to. */
export function showValue(field: Shown | undefined, value: unknown, name = ''): string {
  if (field?.kind === 'ref') return name;
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (value === null || value === undefined || value === '') return '';
  if (field?.kind === 'money' && typeof value === 'number') return showMoney(value);
  if (field?.kind === 'percent' && typeof value === 'number') return showPercent(value);
  if (field?.kind === 'number' && field.inYears && typeof value === 'number') return showMonths(value);
  const words = String(value);
  if (field?.kind === 'date' || field?.kind === 'birthDate') return isRealDate(words) ? showDate(words) : words;
  if (field?.kind === 'someOf') return showChoices(field, words.split(','));
  return field?.kind === 'oneOf' ? translateOption(words) : words;
}

/** Months as years and months: 5 y 6 m. */
function showMonths(months: number): string {
  const [years, rest] = [Math.floor(months / 12), months % 12];
  if (years === 0) return t`${rest} m`;
  return rest === 0 ? t`${years} y` : t`${years} y ${rest} m`;
}

/** The chosen words; of a sequence three or more in a row by the first and the last: "Monday to Friday". */
function showChoices({ options = [], isSequence = false }: Shown, chosen: readonly string[]): string {
  if (!isSequence) return chosen.map(translateOption).join(', ');
  const runs: string[][] = [];
  for (const word of options.filter((option) => chosen.includes(option))) {
    const run = runs.at(-1);
    if (run && options.indexOf(word) === options.indexOf(run.at(-1) ?? '') + 1) run.push(word);
    else runs.push([word]);
  }
  return runs.flatMap((run) => (run.length < 3 ? run.map(translateOption) : [showSpan(run)])).join(', ');
}

function showSpan(run: readonly string[]): string {
  const [first, last] = [translateOption(run[0] ?? ''), translateOption(run.at(-1) ?? '')];
  return t`${first} to ${last}`;
}
