/** A line of the table: a figure and, where it has one, its budget. */
export interface Figure {
  name: string;
  value: number;
  unit: 'ms' | 's' | 'kB' | '' | '×';
  /** The budget; a figure without one is only reported. */
  most?: number;
}

export const isBroken = ({ value, most }: Figure) => most !== undefined && !(value <= most);

const shown = (value: number, unit: Figure['unit']) =>
  `${Number.isInteger(value) ? value : value.toFixed(value < 1 ? 3 : 2)}${unit && ` ${unit}`}`;

/**
 * The most milliseconds a page of a list may take at the 95th percentile, for the time its SQL alone takes (decision
 * 0047).
 */
export const mostOfList = (bareSql: number): number => 2 * bareSql + 2;

/** The same for a search of people, which asks once for each kind of them. */
export const mostOfSearch = (bareSql: number): number => 2 * bareSql + 3;

/** The figures as lines of text: name, figure, budget, verdict. */
export function tableOf(figures: Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map((figure) => {
    const { name, value, unit, most } = figure;
    const budget = most === undefined ? '' : `at most ${shown(most, unit)}`;
    const verdict = most === undefined ? '' : isBroken(figure) ? 'BROKEN' : 'kept';
    return `${name.padEnd(width)}  ${shown(value, unit).padStart(10)}  ${budget.padEnd(18)}  ${verdict}`.trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

/** The value below which this share of the values lies; NaN without values, which breaks every budget. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);
