import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalogue } from '#kit/server/language/catalogue.ts';
import { noticeVersions } from '../contract/consent.ts';

/** The words of each notice that parents have agreed to. A changed word is a new version with a line of its own. */
const words: Record<string, string> = {
  '2026-11-21': 'cc01239a34b0b763',
  '2026-11-24': '1d0112242b24c9a2',
  'gu 2026-11-24.1': '515df0bd69571780',
  'hi 2026-11-24.1': 'a7dfb04b21ca94b2',
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const source = readFileSync(join(import.meta.dirname, 'ConsentNotice.tsx'), 'utf8');
const notice = source
  .slice(source.indexOf('return ('))
  .replace(/<[^>]*>|\s+/g, ' ')
  .replace(/ +/g, ' ');

test('I7 the words of the notice are those of its version', () => {
  expect(hashOf(notice)).toBe(words[noticeVersions.en]);
});

test.each(['gu', 'hi'] as const)('I7 the words of the notice in %s are those of its version', (language) => {
  const file = join(import.meta.dirname, `../../../locales/consent/${language}.po`);
  const ofNotice = readCatalogue(file).filter(({ id }) => notice.includes(id));
  expect(ofNotice).toHaveLength(12);
  expect(hashOf(ofNotice.map(({ translation }) => translation).join('\n'))).toBe(
    words[`${language} ${noticeVersions[language]}`],
  );
});
