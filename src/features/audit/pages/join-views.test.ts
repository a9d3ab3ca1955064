import { expect, test } from 'vitest';
import { verbatim } from '#kit/contract/text.ts';
import type { AuditEntry } from '../contract/audit.ts';
import { joinViews } from './join-views.ts';

const entry = (id: number, minute: number, more: Partial<AuditEntry> = {}) =>
  ({
    id,
    at: new Date(Date.UTC(2026, 10, 26, 10, minute)).toISOString(),
    actor: 'Meena',
    staffId: 4,
    entity: 'admission_inquiry',
    entityId: 7,
    result: 'done',
    isView: true,
    act: verbatim('Viewed'),
    ...more,
  }) as AuditEntry;

test('views of one record by one person within ten minutes are one line, and no act is ever joined', () => {
  const rows = [
    entry(9, 30),
    entry(8, 25),
    entry(7, 21),
    entry(6, 12),
    entry(5, 11, { staffId: 5 }),
    entry(4, 10, { isView: false }),
    entry(3, 9, { isView: false }),
    entry(2, 8, { entityId: 6 }),
  ];
  expect(joinViews(rows).map(({ entry, earlier }) => [entry.id, earlier.map(({ id }) => id)])).toEqual([
    [9, [8, 7]],
    [6, []],
    [5, []],
    [4, []],
    [3, []],
    [2, []],
  ]);
});
