import { expect, test } from 'vitest';
import { deadLinks, decisionNumbers, longPages, misshapenDecisions, missingFiles, unknownDecisions } from './papers.ts';

const decision = (path: string, body = 'Few words.') => ({
  path: `docs/decisions/${path}`,
  text: `# 0001 A rule\n\n## Context\n\n${body}\n\n## Decision\n\nOne.\n\n## Consequences\n\nTwo.\n`,
});

test('a decision in the one format is accepted', () => {
  expect(
    misshapenDecisions([decision('0001-rule.md'), { path: 'docs/decisions/README.md', text: '# Decisions' }]),
  ).toEqual([]);
});

test('a decision with another number, another part or too many words is reported', () => {
  expect(misshapenDecisions([decision('0002-rule.md')])).toEqual([
    'docs/decisions/0002-rule.md needs the title "# 0002 …" and the parts Context, Decision, Consequences.',
  ]);
  const extra = decision('0001-rule.md');
  expect(misshapenDecisions([{ ...extra, text: `${extra.text}\n## Alternatives\n` }])).toHaveLength(1);
  expect(misshapenDecisions([decision('0001-rule.md', 'word '.repeat(245))])).toEqual([
    'docs/decisions/0001-rule.md has 257 words; write at most 250.',
  ]);
});

test('a cited decision is found among the files and in the archive', () => {
  const archive = { path: 'docs/decisions/archive.md', text: '# Archive\n\n- **0003 An old rule.** Gone.\n' };
  const known = decisionNumbers([decision('0001-rule.md'), archive]);
  const source = (text: string) => [{ path: 'src/a.ts', text }];
  expect(unknownDecisions(source('// As decisions 0001 and 0003 say (docs/decisions/0001).'), known)).toEqual([]);
  expect(unknownDecisions(source('// See decisions 0001 and 0004.'), known)).toEqual([
    'src/a.ts cites decision 0004, which is neither in docs/decisions/ nor in its archive.',
  ]);
});

test('a link to a missing file is reported, an address and a heading are not', () => {
  const text = '[a](guide/a.md) [b](../README.md#two) [c](https://example.org) [d](#here) [e](guide/e.md)';
  const exists = (path: string) => ['docs/guide/a.md', 'README.md'].includes(path);
  expect(deadLinks([{ path: 'docs/x.md', text }], exists)).toEqual([
    'docs/x.md links to guide/e.md, which does not exist.',
  ]);
});

test('a missing README of a feature and pages that are too long are reported', () => {
  const lines = (count: number) => 'line\n'.repeat(count);
  const pages = [
    { path: 'src/features/tag/README.md', text: lines(60) },
    { path: 'src/features/fee/README.md', text: lines(61) },
    { path: 'ARCHITECTURE.md', text: lines(131) },
  ];
  expect(longPages(['tag', 'fee', 'club'], pages)).toEqual([
    'src/features/fee/README.md has 61 lines; write at most 60.',
    'src/features/club/README.md is missing; say what the area is, its words and its rules.',
    'ARCHITECTURE.md has 131 lines; write at most 130.',
  ]);
});

test('a file that a README of a feature names and that does not exist is reported', () => {
  const pages = [{ path: 'src/features/tag/README.md', text: '`tag.ts` and `ui/TagsField.tsx`, not `merge.ts`.' }];
  expect(missingFiles(pages, ['src/features/tag/server/tag.ts', 'src/features/tag/ui/TagsField.tsx'])).toEqual([
    'src/features/tag/README.md names merge.ts, which does not exist.',
  ]);
});
