/** A line of the table: a figure and, where it has one, its budget. */
export interface Figure {
  name: string;
  value: number;
  unit: 'ms' | 's' | 'kB' | '' | '×';
  /** What it should be at most. */
  most?: number;
  /** The same requests' SQL alone, in the same minutes. */
  bare?: number;
}

const shown = (value: number, unit: Figure['unit']) =>
  `${Number.isInteger(value) ? value : value.toFixed(value < 1 ? 3 : 2)}${unit && ` ${unit}`}`;

/**
 * The most milliseconds a page of a list may take at the 95th percentile, for the time its SQL alone takes (decision
 * 0047).
 */
export const mostOfList = (bareSql: number): number => 2 * bareSql + 2;

/** The same for a search of people, which asks once for each kind of them. */
export const mostOfSearch = (bareSql: number): number => 2 * bareSql + 3;

/** The most milliseconds of each request of the dashboard, at any size of a school. */
export const mostOfDashboard = () => 50;

/** Growth over the last committed result that is marked. */
const mostGrowth = 4 / 3;

/** What is said of a figure: that it grew by more than a third, or is over its budget. */
export function remarksOn({ value, most }: Figure, last: number | undefined): string[] {
  return [
    ...(last !== undefined && value > last * mostGrowth ? ['GREW'] : []),
    ...(most !== undefined && value > most ? ['over its budget'] : []),
  ];
}

/** The newest value of each figure; a committed result may be of one part only. */
export const lastOf = (results: readonly { figures: readonly Figure[] }[]): ReadonlyMap<string, number> =>
  new Map(results.flatMap(({ figures }) => figures.map(({ name, value }) => [name, value])));

/** The figures as lines of text, each beside its SQL alone, the last committed result and its budget. */
export function tableOf(figures: readonly Figure[], last: ReadonlyMap<string, number>): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, most, bare } = figure;
    const show = (other: number | undefined) => (other === undefined ? '' : shown(other, unit));
    const remarks = remarksOn(figure, last.get(name)).join(', ');
    return [name, show(value), show(bare), show(last.get(name)), show(most), remarks];
  });
  const lines = [['', 'now', 'bare SQL', 'last', 'at most', ''], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number) =>
    column === 0 || column === 5 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

/** The value below which this share of the values lies; NaN without values. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);
