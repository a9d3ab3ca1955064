import { setImmediate } from 'node:timers/promises';

/** After which other requests run. */
const mostMilliseconds = 10;

/** As `map`, but lets other requests run in between: a long table takes a second. */
export async function mapRows<Row, Result>(rows: readonly Row[], map: (row: Row) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let begun = performance.now();
  for (const row of rows) {
    results.push(map(row));
    if (performance.now() - begun < mostMilliseconds) continue;
    await setImmediate();
    begun = performance.now();
  }
  return results;
}
