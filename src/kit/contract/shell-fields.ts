// Fields that the parents' form does not use: a separate module, so that a phone need not load it.
import * as z from 'zod/mini';
import { asCode, because, fieldInfo, idOrNull, isRealDate, isRequired, unreal } from './fields.ts';
import { type Text, text } from './text.ts';

interface Range {
  least: number;
  most: number;
  optional?: boolean;
  /** Replaces the refusal of other numbers, whose limits are grouped as 1,940. */
  invalid?: Text;
}

/** A whole number from `least` to `most`, typed or given as a number; null where it is optional and empty. */
export function wholeNumber(label: Text, { least, most, optional = false, invalid }: Range) {
  const outside = because(invalid ?? text`Enter a whole number from ${{ least }} to ${{ most }}.`);
  const isWithin = (value: unknown) =>
    value === null || (Number.isInteger(value) && (value as number) >= least && (value as number) <= most);
  const schema = z.pipe(
    z.transform((value) => {
      const typed = asCode(value);
      if (typed === '') return null;
      return typeof typed === 'string' && /^-?[0-9]{1,10}$/.test(typed) ? Number(typed) : typed;
    }),
    z
      .custom<number | null>(isWithin, outside)
      .check(z.refine((value) => optional || value !== null, because(isRequired(label)))),
  );
  return schema.register(fieldInfo, { label, optional });
}

/** A calendar day, YYYY-MM-DD; '' where it is optional and empty. */
export function calendarDay(label: Text, optional = false) {
  const schema = z.pipe(
    z.transform(asCode),
    z.string().check(
      z.refine((value) => optional || value !== '', because(isRequired(label))),
      z.refine((value) => value === '' || isRealDate(value), because(unreal)),
    ),
  );
  return schema.register(fieldInfo, { label, optional });
}

/** Hours and minutes of a day, typed as 6:45, 0645, 6.45 or 6:45 am, and kept as 06:45; '' where it is optional and empty. */
export function clockTime(label: Text, optional = false) {
  const schema = z.pipe(
    z.transform((value) => readTime(asCode(value))),
    z.string().check(
      z.refine((value) => optional || value !== '', because(isRequired(label))),
      z.refine(
        (value) => value === '' || /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/.test(value),
        because(text`Enter a time, such as 06:45.`),
      ),
    ),
  );
  return schema.register(fieldInfo, { label, optional });
}

function readTime(typed: unknown): unknown {
  const found = typeof typed === 'string' ? /^([0-9]{1,2})[:.]?([0-9]{2})? ?([ap]m)?$/i.exec(typed) : null;
  if (!found) return typed;
  const [, hours = '', minutes = '00', half = ''] = found;
  if (half && (Number(hours) < 1 || Number(hours) > 12)) return typed;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours);
  return hour > 23 || Number(minutes) > 59 ? typed : `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** A required row of a list. */
export const neededId = (label: Text) =>
  z
    .pipe(idOrNull, z.nullable(z.number()).check(z.refine((value) => value !== null, because(isRequired(label)))))
    .register(fieldInfo, { label, optional: false });
