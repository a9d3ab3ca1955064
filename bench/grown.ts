/** What a statement costs on a page of one school. */
export interface Cost {
  page: string;
  statement: string;
  ms: number;
}

/** A statement that costs more in the large school. */
export interface Grown {
  page: string;
  statement: string;
  small: number;
  large: number;
}

/** Below this a statement may grow: it is far from the limit at any size that a school has. */
const noticed = 20;
/** What a statement may grow by while the children become eight times as many. */
const mostGrowth = 3;

/** The statements that cost more than thrice as much in the large school, the costliest first, each on its costliest page. */
export function grownOf(small: readonly Cost[], large: readonly Cost[]): Grown[] {
  const costliest = (costs: readonly Cost[]) => {
    const found = new Map<string, Cost>();
    for (const cost of costs) if (cost.ms > (found.get(cost.statement)?.ms ?? -1)) found.set(cost.statement, cost);
    return found;
  };
  const before = costliest(small);
  return [...costliest(large).values()]
    .map(({ page, statement, ms }) => ({ page, statement, small: before.get(statement)?.ms ?? 0, large: ms }))
    .filter((one) => one.large > noticed && one.large > mostGrowth * one.small)
    .sort((one, other) => other.large - one.large);
}

/** They as lines of text. */
export const linesOfGrowth = (grown: readonly Grown[]) =>
  grown
    .map(
      ({ page, statement, small, large }) =>
        `  ${small.toFixed(1)} -> ${large.toFixed(1)} ms  ${page}\n    ${statement.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}\n`,
    )
    .join('');
