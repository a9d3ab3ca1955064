/** A due as `settle` needs it. */
export interface SettledDue {
  id: number;
  receiptSeriesId: number;
  dueOn: string;
  net: number;
  paid: number;
  /** The part of `paid` that advance paid. */
  applied: number;
}

/** What an act changes, before it is made to fit: of a due, or of the advance of a series where the due is null. */
export interface Effect {
  dueId: number | null;
  receiptSeriesId: number;
  /** What the due charges more or less. */
  net: number;
  /** What is paid on it more or less; of an advance, what is added. */
  paid: number;
}

/** Advance that moves to a due, or back where negative. */
export interface Move {
  dueId: number;
  receiptSeriesId: number;
  amount: number;
}

/**
 * The moves between dues and advance that make an act fit: no due paid beyond its amount or below zero, no advance below
 * zero. What lacks, since it was refunded, is `missing` by series.
 */
export function settle(
  dues: readonly SettledDue[],
  advance: ReadonlyMap<number, number>,
  effects: readonly Effect[],
): { moves: Move[]; missing: Map<number, number> } {
  const left = new Map(advance);
  const state = new Map(dues.map((due) => [due.id, { ...due }]));
  for (const { dueId, receiptSeriesId, net, paid } of effects) {
    const due = dueId === null ? undefined : state.get(dueId);
    if (due) {
      due.net += net;
      due.paid += paid;
    } else left.set(receiptSeriesId, (left.get(receiptSeriesId) ?? 0) + paid);
  }
  const moves: Move[] = [];
  const move = (due: SettledDue, amount: number) => {
    if (amount === 0) return;
    due.paid += amount;
    due.applied += amount;
    left.set(due.receiptSeriesId, (left.get(due.receiptSeriesId) ?? 0) - amount);
    moves.push({ dueId: due.id, receiptSeriesId: due.receiptSeriesId, amount });
  };
  // What is paid beyond a due is freed; a due from which more was taken than stands on it gets it back.
  for (const due of state.values()) move(due, Math.min(0, due.net - due.paid) + Math.max(0, -due.paid));
  const missing = new Map<number, number>();
  for (const [series, amount] of left) {
    if (amount >= 0) continue;
    const newest = [...state.values()]
      .filter(({ receiptSeriesId, applied }) => receiptSeriesId === series && applied > 0)
      .sort((one, other) => other.dueOn.localeCompare(one.dueOn) || other.id - one.id);
    for (const due of newest) {
      const lacking = -Math.min(0, left.get(series) ?? 0);
      move(due, -Math.min(lacking, due.applied, due.paid));
    }
    const lacking = -Math.min(0, left.get(series) ?? 0);
    if (lacking > 0) missing.set(series, lacking);
  }
  return { moves: merged(moves), missing };
}

/** One move for each due. */
function merged(moves: readonly Move[]): Move[] {
  const byDue = new Map<number, Move>();
  for (const one of moves) {
    const before = byDue.get(one.dueId);
    byDue.set(one.dueId, before ? { ...before, amount: before.amount + one.amount } : { ...one });
  }
  return [...byDue.values()].filter(({ amount }) => amount !== 0);
}
