import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Ids at the beginning of a test's title: S021, B10, D3, Z19, X42, APR1, MC18, K1.2 for the second check of area K1, R.1 for permissions. */
const idShape =
  /^(S[0-9]{3}|S?B[0-9]{2}|(RA|APR|BK|MC|MB|MP|WD|CO|TB|CM|GP|DL|FM|UP|OP|SY|IN|LG|RG)[0-9]{1,2}|[A-LTV-Z][0-9]{1,2}|[A-QU][0-9]{1,2}\.[0-9]{1,2}|R\.[0-9])$/;

export function idsOf(title: string): string[] {
  const words = title.split(/[\s,:]+/);
  const end = words.findIndex((word) => !idShape.test(word));
  return words.slice(0, end < 0 ? words.length : end);
}

/** At the end of a line of an acceptance.txt: `npm test` asks for no test of this id, `npm run soak` does. */
const soakMark = ' (soak)';

interface Chosen {
  /** The ids of this feature alone. */
  feature?: string;
  /** Those that `npm test` must prove, or `npm run soak`. */
  by?: 'test' | 'soak';
}

/** The ids that docs/acceptance.txt and the features promise, one a line before its words. */
export function readPromises({ feature, by }: Chosen = {}): string[] {
  const files = feature
    ? globSync(`src/features/${feature}/acceptance.txt`, { cwd: root })
    : ['docs/acceptance.txt', ...globSync('src/features/*/acceptance.txt', { cwd: root })];
  const lines = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'));
  return lines
    .filter((line) => line && !line.startsWith('#'))
    .filter((line) => by === undefined || line.endsWith(soakMark) === (by === 'soak'))
    .map((line) => line.split(/\s/)[0] ?? '');
}

/**
 * Compares promised ids with the titles of passed tests; reports promises without a test and ids that are not promised.
 */
export function compare(promises: string[], passedTitles: string[]) {
  const proved = new Set(passedTitles.flatMap(idsOf));
  return {
    unproved: promises.filter((id) => !proved.has(id)),
    unknown: [...proved].filter((id) => !promises.includes(id)),
    twice: promises.filter((id, index) => promises.indexOf(id) !== index),
  };
}
