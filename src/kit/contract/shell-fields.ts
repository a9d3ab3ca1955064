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

/** A required row of a list. */
export const neededId = (label: Text) =>
  z
    .pipe(idOrNull, z.nullable(z.number()).check(z.refine((value) => value !== null, because(isRequired(label)))))
    .register(fieldInfo, { label, optional: false });
