import * as z from 'zod/mini';

/**
 * A list of at most `most` items. Of a longer one no more than that is read before it is refused, so that it costs
 * no more than the longest that is accepted.
 */
export const listOf = <Item extends z.ZodMiniType>(
  item: Item,
  { most, least = 0, none, many }: { most: number; least?: number; none?: string; many?: string },
) =>
  z.pipe(
    z.transform((given: z.input<Item>[]) => (Array.isArray(given) ? given.slice(0, most + 1) : given)),
    z.array(item, { error: none }).check(z.minLength(least, { error: none }), z.maxLength(most, { error: many })),
  );
