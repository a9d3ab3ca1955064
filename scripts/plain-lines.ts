// Checks the words of test titles, comments and commit subjects that main does not have yet. Older ones may stay.
import { git, mergedCommit } from './merged.ts';
import { findUnplainWord } from './plain-words.ts';

export interface Line {
  path: string;
  text: string;
}

/** The added lines of a diff. */
export function addedLines(diff: string): Line[] {
  let path = '';
  return diff.split('\n').flatMap((line) => {
    if (line.startsWith('+++ ')) path = line.replace(/^\+\+\+ (b\/)?/, '');
    return line.startsWith('+') && !line.startsWith('+++ ') ? [{ path, text: line.slice(1) }] : [];
  });
}

const testFile = /\.(test|spec)\.tsx?$/;
const call = /(?:\b(?:test|soak|describe)(?:\.\w+)?|\))\(\s*/;
const comments = ['/*', '*', '//', '-- '];

/** The words of comments and test titles among added lines. */
export const wordsOf = (lines: readonly Line[]): Line[] => {
  const comments = lines.flatMap(({ path, text }) => {
    const comment = commentIn(text);
    return comment === undefined ? [] : [{ path, text: comment }];
  });
  return [...comments, ...titlesOf(lines)];
};

/** The titles of tests. One may stand on the line after its call. */
export function titlesOf(lines: readonly Line[]): Line[] {
  let isTitleNext = false;
  return lines
    .filter(({ path }) => testFile.test(path))
    .flatMap(({ path, text }) => {
      const start = isTitleNext ? 0 : startOfTitle(text);
      const title = start === undefined ? undefined : quoted(text.slice(start));
      isTitleNext = /\b(?:test|soak|describe)\($|\)\($/.test(text);
      return title === undefined ? [] : [{ path, text: title }];
    });
}

function commentIn(text: string): string | undefined {
  if (comments.some((start) => text.trimStart().startsWith(start))) return text;
  const at = text.indexOf(' // ');
  return at < 0 ? undefined : text.slice(at);
}

function startOfTitle(text: string): number | undefined {
  const found = call.exec(text);
  return found ? found.index + found[0].length : undefined;
}

/** The string that a text begins with. */
function quoted(text: string): string | undefined {
  const trimmed = text.trimStart();
  const quote = trimmed[0] ?? '';
  if (!['"', "'", '`'].includes(quote)) return undefined;
  const end = trimmed.indexOf(quote, 1);
  return end > 0 ? trimmed.slice(1, end) : undefined;
}

/** A message for each text that uses a word of scripts/plain-words.ts. */
export const unplainLines = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ path, text }) => {
    const found = findUnplainWord(text);
    return found ? [`${path}: “${text.trim()}” says “${found.word}”; say: ${found.instead}.`] : [];
  });

if (import.meta.main) {
  const base = mergedCommit();
  const files = ['*.ts', '*.tsx', '*.mjs', '*.css', '*.sql'];
  const diff = (base && git('diff', '--unified=0', '--no-color', '--no-ext-diff', base, '--', ...files)) ?? '';
  const subjects = ((base && git('log', '--format=%s', `${base}..HEAD`)) ?? '').split('\n').filter(Boolean);
  const problems = unplainLines([
    // The lists of words and their tests contain them.
    ...wordsOf(addedLines(diff)).filter(({ path }) => !path.startsWith('scripts/plain-')),
    ...subjects.map((text) => ({ path: 'commit', text })),
  ]);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
