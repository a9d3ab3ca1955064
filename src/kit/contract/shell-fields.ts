// Fields that the parents' form has none of: apart, so that a phone need not load them.
import * as z from 'zod/mini';
import { asText, fieldInfo, idOrNull, isRealDate, requiredWords } from './fields.ts';

interface Range {
  least: number;
  most: number;
  optional?: boolean;
}

/** A whole number of `least` to `most`, typed or given as one; null where it may be left out and is. */
export function wholeNumber(label: string, { least, most, optional = false }: Range) {
  const [required, outside] = [requiredWords(label, {}), `${label} is a whole number of ${least} to ${most}.`];
  const schema = z.pipe(
    z.transform((values) => {
      if (values === undefined || values === null || (typeof values === 'string' && values.trim() === '')) return null;
      return typeof values === 'string' && /^-?[0-9]{1,10}$/.test(values.trim()) ? Number(values) : values;
    }),
    z
      .nullable(z.int({ error: outside }).check(z.gte(least, { error: outside }), z.lte(most, { error: outside })))
      .check(z.refine((value) => optional || value !== null, { error: required })),
  );
  return schema.register(fieldInfo, { label, optional, messages: optional ? [outside] : [required, outside] });
}

/** A day of the calendar, YYYY-MM-DD; '' where it may be left out and is. */
export function calendarDay(label: string, optional = false) {
  const [required, unreal] = [requiredWords(label, {}), `${label} is no day. Write it as 21-11-2026.`];
  const schema = z.pipe(
    z.transform(asText),
    z.string({ error: unreal }).check(
      z.refine((value) => optional || value !== '', { error: required }),
      z.refine((value) => value === '' || isRealDate(value), { error: unreal }),
    ),
  );
  return schema.register(fieldInfo, { label, optional, messages: optional ? [unreal] : [required, unreal] });
}

/** A row that must be picked from a list. */
export function neededId(label: string) {
  const required = requiredWords(label, {});
  return z
    .pipe(idOrNull, z.nullable(z.number()).check(z.refine((value) => value !== null, { error: required })))
    .register(fieldInfo, { label, optional: false, messages: [required] });
}
