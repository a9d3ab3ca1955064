/** Choices that look like chance and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to below `most`. */
  upTo: (most: number) => number;
  oneOf: <Value>(values: readonly Value[]) => Value;
  /** Whether something happens that happens once in `times`. */
  isOnceIn: (times: number) => boolean;
}

/** Mulberry32: 32 bits of state, which is plenty for choosing. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (most: number) => Math.floor(next() * most);
  return { upTo, oneOf: (values) => values[upTo(values.length)] as never, isOnceIn: (times) => upTo(times) === 0 };
}
