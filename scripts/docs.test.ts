import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { guidePath, withVariables } from './docs.ts';

test('the guide for operators has every variable as the program reads it; npm run docs writes them', () => {
  const guide = readFileSync(guidePath, 'utf8');
  expect(withVariables(guide)).toBe(guide);
  expect(withVariables(guide.replace('Port to listen on', 'Gate'))).toBe(guide);
});
