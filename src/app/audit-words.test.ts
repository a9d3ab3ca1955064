import { expect, test } from 'vitest';
import { allAuditWords } from './features.server.ts';

test('X21 every record of the audit log has an area', () => {
  const without = Object.entries(allAuditWords.records).filter(([, { area }]) => !area);
  const words = without.map(([entity]) => `“${entity}” has no area. Add auditArea to the manifest of its feature.`);
  expect(words).toEqual([]);
});
