import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { floatsIn } from './no-float.ts';

test('fractions in floating point are found, divisions of bigint are not', () => {
  expect(floatsIn('const part = amount / 12;')).toEqual(['amount / 12']);
  expect(floatsIn('const share = amount * 0.2; const shown = Math.round(share).toFixed(2);')).toEqual([
    '0.2',
    'Math.round(share).toFixed(2)',
    'Math.round(share)',
  ]);
  expect(floatsIn('parseFloat(typed); total /= 3;')).toEqual(['parseFloat(typed)', 'total /= 3']);
  expect(floatsIn('const part = BigInt(amount) / 12n; const rest = amount % 100; // half / whole')).toEqual([]);
});

test('the check is one of those of npm run check', () => {
  expect(readFileSync(join(import.meta.dirname, 'checks.ts'), 'utf8')).toContain("'scripts/no-float.ts'");
});
