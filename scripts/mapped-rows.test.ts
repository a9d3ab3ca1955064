import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handMapped, mappedRows } from './mapped-rows.ts';

const path = 'src/features/garden/server/bed.ts';
const read = `rows.map((row) => ({
  id: row.id,
  plantedOn: row.planted_on ?? '',
  gardenerId: row.gardener_id,
  wateredAt: row.watered_at.toISOString(),
}));`;
const write = `values({ planted_on: draft.plantedOn || null, gardener_id: Number(draft.gardenerId), bed_no: draft.bedNo })`;

test('three columns of one row that change nothing but their names are found, both ways', () => {
  expect(handMapped(read)).toEqual(['line 1: plantedOn, gardenerId, wateredAt of row: use toOutput or toWire']);
  expect(handMapped(write)).toEqual(['line 1: planted_on, gardener_id, bed_no of draft: use toRow or insertTogether']);
});

test('two columns, other names, other rows and computed values are not found', () => {
  expect(handMapped('({ plantedOn: row.planted_on, gardenerId: row.gardener_id })')).toEqual([]);
  expect(handMapped('({ on: row.planted_on, by: row.gardener_id, no: row.bed_no })')).toEqual([]);
  expect(handMapped('({ plantedOn: a.planted_on, gardenerId: b.gardener_id, bedNo: c.bed_no })')).toEqual([]);
  expect(handMapped('({ plantedOn: show(row.planted_on), gardenerId: row.gardener_id, bedNo: row.bed_no })')).toEqual(
    [],
  );
});

test.each([
  "if (row.version !== version) throw new AppError('stale', staleMessage);",
  'if ((row?.version ?? 0) !== seen) throw stale();',
  "if (seen !== undefined && seen !== bed.version) throw new AppError('stale', staleMessage, { data });",
])('a version that is compared by hand is found: %s', (line) => {
  expect(handMapped(line)).toEqual(['line 1: use requireVersion']);
});

test('a file has as many as its exception says, neither more nor fewer', () => {
  const allowed = (rows: number) => ({ [path]: { rows, reason: 'Beds.' } });
  expect(mappedRows([{ path, text: read }], {})).toHaveLength(1);
  expect(mappedRows([{ path, text: read }], allowed(1))).toEqual([]);
  expect(mappedRows([{ path, text: read }], allowed(2))).toHaveLength(1);
  expect(mappedRows([], allowed(1))).toHaveLength(1);
});

test('the check is one of those of npm run check', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/mapped-rows.ts'");
});
