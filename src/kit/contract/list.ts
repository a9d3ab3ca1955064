// Lists, which the form's first page does not use: a separate module, so that a phone need not load it.
import * as z from 'zod/mini';
import { because, fieldInfo, isNotValid, isRequired, type Words } from './fields.ts';
import type { Text } from './text.ts';

/**
 * A list of at most `most` items. A longer list is refused after reading `most` items, so that it costs no more than
 * the longest accepted one.
 */
export const listOf = <Item extends z.ZodMiniType>(
  item: Item,
  { most, least = 0, none, many }: { most: number; least?: number; none?: Text; many?: Text },
) =>
  z.pipe(
    z.transform((values: z.input<Item>[]) => (Array.isArray(values) ? values.slice(0, most + 1) : values)),
    z.array(item).check(
      z.refine((list) => list.length >= least, none && because(none)),
      z.refine((list) => list.length <= most, many && because(many)),
    ),
  );

/** Several words of a fixed list, at least one unless optional; on the wire one string, joined by commas without spaces. */
export function someOf<const Options extends readonly string[]>(
  label: Text,
  options: Options,
  { required, invalid, optional = false }: Words & { optional?: boolean } = {},
) {
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
    z.string().check(
      z.refine((value) => optional || value !== '', because(required ?? isRequired(label))),
      z.refine((value) => value === '' || isSome(value.split(','), options), because(invalid ?? isNotValid(label))),
    ),
  );
  return schema.register(fieldInfo, { label, optional, options });
}

const isSome = (values: string[], options: readonly string[]) =>
  values.length <= options.length &&
  values.every((value, place) => options.includes(value) && values.indexOf(value) === place);
