import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalogue } from '#kit/server/language/catalogue.ts';
import { noticeVersions } from '../contract/consent.ts';

/**
 * The words of each notice that parents have agreed to, with the sentences that they ticked. A changed word is a new version
 * with a line of its own.
 */
const words: Record<string, string> = {
  '2026-11-21': 'cc01239a34b0b763',
  '2026-11-24': '917a94de8de11334',
  'gu 2026-11-24.1': '515df0bd69571780',
  'hi 2026-11-24.1': 'a7dfb04b21ca94b2',
  'gu 2026-12-01': 'a7b9d59b2003aadc',
  'hi 2026-12-01': 'fbdf88b7be611cfb',
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const source = readFileSync(join(import.meta.dirname, 'ConsentNotice.tsx'), 'utf8');
const notice = source
  .slice(source.indexOf('return ('))
  .replace(/<[^>]*>|\s+/g, ' ')
  .replace(/ +/g, ' ');

const ticked = [
  'I am the child’s parent or lawful guardian and am over 18',
  'I agree that the school may use my answers for this application, as the notice says',
];

test('I7 the words of the notice and of its two ticks are those of its version', () => {
  const contract = readFileSync(join(import.meta.dirname, '../contract/consent.ts'), 'utf8');
  const page = readFileSync(join(import.meta.dirname, 'ConsentPage.tsx'), 'utf8');
  expect(ticked.map((sentence) => `${contract}${page}`.includes(`\`${sentence}\``))).toEqual([true, true]);
  expect(hashOf([notice, ...ticked].join('\n'))).toBe(words[noticeVersions.en]);
});

test.each(['gu', 'hi'] as const)(
  'I7 the words of the notice and of its two ticks in %s are those of its version',
  (language) => {
    const read = (catalogue: string) =>
      readCatalogue(join(import.meta.dirname, `../../../locales/${catalogue}/${language}.po`));
    const ofNotice = read('consent').filter(({ id }) => notice.includes(id));
    expect(ofNotice).toHaveLength(12);
    const ofTicks = [...read('words/form'), ...read('consent')].filter(({ id }) => ticked.includes(id));
    expect(ofTicks).toHaveLength(2);
    expect(hashOf([...ofNotice, ...ofTicks].map(({ translation }) => translation).join('\n'))).toBe(
      words[`${language} ${noticeVersions[language]}`],
    );
  },
);
