import writeExcelFile from 'write-excel-file/node';
import { csvOf } from './csv.ts';

/** A table as a file people keep: CSV, or a workbook whose first row stays in sight. `name` is without its ending. */
export async function tableFile(
  name: string,
  heads: readonly string[],
  rows: readonly (string | number | null)[][],
  as: 'csv' | 'xlsx',
) {
  if (as === 'csv') return { mediaType: 'text/csv', name: `${name}.csv`, bytes: csvOf(heads, rows) };
  const bold = heads.map((value) => ({ value, fontWeight: 'bold' as const }));
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: `${name}.xlsx`,
    bytes: await writeExcelFile([bold, ...rows], {
      stickyRowsCount: 1,
      columns: heads.map(() => ({ width: 20 })),
    }).toBuffer(),
  };
}
