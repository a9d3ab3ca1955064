/** What a statement costs on a page of one school. */
export interface Cost {
  page: string;
  statement: string;
  ms: number;
  /** The rows that it answers, and the rows that its plan reads; where it was explained. */
  rows?: number;
  reads?: number;
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

/** A page, a card or a task whose statements together grow or read too much. */
export interface GrownPage {
  page: string;
  small: number;
  large: number;
  marks: string[];
}

/** Below these milliseconds a page may grow. */
const noticedOfPage = 10;
/** What the statements of a page may grow by together. */
const mostOfPage = 1.5;
/** The rows that a statement may read for one that it answers. */
const mostReads = 20;
/** The rows of a page: fewer answers, such as a count, count as so many. */
const rowsOfPage = 25;

/** The pages whose statements grow by more than half, or of which one reads more than twenty times the rows it answers. */
export function grownPagesOf(small: readonly Cost[], large: readonly Cost[]): GrownPage[] {
  const sumOf = (costs: readonly Cost[] = []) => costs.reduce((sum, { ms }) => sum + ms, 0);
  const before = Map.groupBy(small, ({ page }) => page);
  const pages = [...Map.groupBy(large, ({ page }) => page)].map(([page, costs]): GrownPage => {
    const [was, is] = [sumOf(before.get(page)), sumOf(costs)];
    const { reads = 0, rows = 0 } = costs.toSorted((one, other) => (other.reads ?? 0) - (one.reads ?? 0))[0] ?? {};
    const marks = is > noticedOfPage && is > mostOfPage * was ? ['GREW'] : [];
    if (reads > mostReads * Math.max(rows, rowsOfPage)) marks.push(`READS ${reads} FOR ${rows}`);
    return { page, small: was, large: is, marks };
  });
  return pages.filter(({ marks }) => marks.length > 0).sort((one, other) => other.large - one.large);
}

/** A request, a card or a task, and its milliseconds of processor, of server and database together. */
export interface BusyPage {
  page: string;
  ms: number;
}

/** The most milliseconds of processor of a request at 5,000 children. */
const mostProcessor = 50;

/** The pages that take more, the costliest first. */
export const busyPagesOf = (pages: readonly BusyPage[]): BusyPage[] =>
  pages.filter(({ ms }) => ms > mostProcessor).sort((one, other) => other.ms - one.ms);

/** They as lines of text. */
export const linesOfBusy = (pages: readonly BusyPage[]) =>
  pages.map(({ page, ms }) => `  ${ms.toFixed(1)} ms of processor  ${page}\n`).join('');

/** Pages that grew or read much as lines of text. */
export const linesOfPages = (pages: readonly GrownPage[]) =>
  pages
    .map(
      ({ page, small, large, marks }) =>
        `  ${small.toFixed(1)} -> ${large.toFixed(1)} ms  ${page}  ${marks.join(', ')}\n`,
    )
    .join('');

/** Statements as lines of text. */
export const linesOfGrowth = (grown: readonly Grown[]) =>
  grown
    .map(
      ({ page, statement, small, large }) =>
        `  ${small.toFixed(1)} -> ${large.toFixed(1)} ms  ${page}\n    ${statement.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}\n`,
    )
    .join('');
