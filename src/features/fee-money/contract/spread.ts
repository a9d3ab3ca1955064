/** Something that a payment can settle. */
export interface Payable {
  key: string;
  dueOn: string;
  /** A fine follows the dues of its due day. */
  isFine: boolean;
  priority: number;
  /** What is left to pay, in paise. */
  owed: number;
}

/** By due day; within one by priority, the fine last, and otherwise in the given order. */
export const inOrder = <Line extends Payable>(lines: readonly Line[]): Line[] =>
  lines.toSorted(
    (one, other) =>
      one.dueOn.localeCompare(other.dueOn) ||
      Number(one.isFine) - Number(other.isFine) ||
      one.priority - other.priority,
  );

/** What an amount settles, the oldest first; what is left becomes advance. */
export function spread(amount: number, lines: readonly Payable[]): { parts: Map<string, number>; left: number } {
  let left = amount;
  const parts = new Map<string, number>();
  for (const { key, owed } of inOrder(lines)) {
    const part = Math.min(left, owed);
    if (part > 0) parts.set(key, part);
    left -= part;
  }
  return { parts, left };
}
