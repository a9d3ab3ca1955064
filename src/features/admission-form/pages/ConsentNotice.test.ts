import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noticeVersion } from '../contract/consent.ts';

/** The words of each notice that parents have agreed to. A changed word is a new version with a line of its own. */
const words: Record<string, string> = {
  '2026-11-21': 'cc01239a34b0b763',
  '2026-11-24': '1d0112242b24c9a2',
};

test('I7 the words of the notice are those of its version', () => {
  const source = readFileSync(join(import.meta.dirname, 'ConsentNotice.tsx'), 'utf8');
  const text = source
    .slice(source.indexOf('return ('))
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/ +/g, ' ');
  expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(words[noticeVersion]);
});
