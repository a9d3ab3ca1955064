import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clocksIn, clocksInSql } from './one-clock.ts';

test('a planted now() is found in SQL and code, the school’s clock is not', () => {
  expect(clocksIn('sql`update x set at = now() where day < current_date`; const { now } = ctx; now();')).toEqual([
    'now()',
    'current_date',
  ]);
  expect(clocksIn('const today = new Date(); const at = Date.now(); const day = new Date(at);')).toEqual([
    'new Date()',
    'Date.now()',
  ]);
  const right = ['sql`at > school_now() and day = $', '{toLocalDate(ctx.now())} -- not now()`'].join('');
  expect(clocksIn(right)).toEqual([]);
  expect(clocksInSql('default CURRENT_TIMESTAMP, -- now()\n if new.at > now() then')).toEqual([
    'CURRENT_TIMESTAMP',
    'now()',
  ]);
});

test('the check is one of those of npm run check', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/one-clock.ts'");
});
