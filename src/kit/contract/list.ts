// Lists, which the form's first page has none of: apart, so that a phone need not load them for it.
import * as z from 'zod/mini';
import { fieldInfo, invalidWords, requiredWords, type Words } from './fields.ts';

/**
 * A list of at most `most` items. Of a longer one no more than that is read before it is refused, so that it costs
 * no more than the longest that is accepted.
 */
export const listOf = <Item extends z.ZodMiniType>(
  item: Item,
  { most, least = 0, none, many }: { most: number; least?: number; none?: string; many?: string },
) =>
  z.pipe(
    z.transform((values: z.input<Item>[]) => (Array.isArray(values) ? values.slice(0, most + 1) : values)),
    z.array(item, { error: none }).check(z.minLength(least, { error: none }), z.maxLength(most, { error: many })),
  );

/** Several of a fixed list, on the wire one comma-joined string without blanks. */
export function someOf<const Options extends readonly string[]>(label: string, options: Options, words: Words = {}) {
  const [required, invalid] = [requiredWords(label, words), invalidWords(label, words)];
  const schema = z.pipe(
    z.transform((values) =>
      typeof values === 'string'
        ? values
            .split(',')
            .map((value) => value.trim())
            .filter(Boolean)
            .join(',')
        : (values ?? ''),
    ),
    z.string({ error: invalid }).check(
      z.refine((value) => value !== '', { error: required }),
      z.refine((value) => value === '' || isSome(value.split(','), options), { error: invalid }),
    ),
  );
  return schema.register(fieldInfo, { label, optional: false, options, messages: [required, invalid] });
}

const isSome = (values: string[], options: readonly string[]) =>
  values.length <= options.length &&
  values.every((value, place) => options.includes(value) && values.indexOf(value) === place);
