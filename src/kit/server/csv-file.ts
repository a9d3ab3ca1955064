import { csvLine } from '#kit/contract/csv.ts';
import { mapRows } from './map-rows.ts';

/** Rows as a CSV file with a byte order mark for spreadsheets. Other requests run while a long one is made. */
export async function csvFile(heads: readonly string[], rows: readonly (readonly unknown[])[]): Promise<Buffer> {
  const lines = await mapRows([heads, ...rows], csvLine);
  return Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
}
