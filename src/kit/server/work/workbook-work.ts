// Runs in a child process: makes a workbook of a table with a fixed first row.
import { deserialize } from 'node:v8';
import writeExcelFile from 'write-excel-file/node';
import type { Sheet } from '#kit/server/list/table-file.ts';
import { serve } from './serve.ts';

serve(async (sent) => {
  const { heads, rows } = deserialize(sent) as Sheet;
  const bold = heads.map((value) => ({ value, fontWeight: 'bold' as const }));
  const columns = heads.map(() => ({ width: 20 }));
  return { bytes: await writeExcelFile([bold, ...rows], { stickyRowsCount: 1, columns }).toBuffer() };
});
