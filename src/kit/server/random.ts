/** Pseudorandom choices, the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `most` - 1. */
  upTo: (most: number) => number;
  oneOf: <Value>(values: readonly Value[]) => Value;
  /** True once in `times` on average. */
  isOnceIn: (times: number) => boolean;
}

/** Mulberry32: its 32 bits of state are enough for choices. */
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
