// Finds titles of tests that begin with an id of no acceptance.txt, before the tests run. A title that is put together
// while they run is compared in scripts/test.ts.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, readPromises } from './acceptance.ts';
import { type Line, titlesOf } from './plain-lines.ts';

const root = join(import.meta.dirname, '..');

/** A message for each title that begins with an id that is not promised. */
export const unpromisedTitles = (lines: readonly Line[], promises: string[]): string[] =>
  titlesOf(lines).flatMap(({ path, text }) =>
    compare(promises, [text]).unknown.map((id) => `${path}: “${text}” begins with ${id}, which no acceptance.txt has.`),
  );

if (import.meta.main) {
  const files = globSync('{src,e2e,testing,scripts}/**/*.{test,spec}.{ts,tsx}', { cwd: root });
  // A planted feature brings its own promises, and the tests of ids have examples as titles.
  const others = files.filter((path) => !/^(testing.planted-feature|scripts.(acceptance|title-ids)\.test)/.test(path));
  const lines = others.flatMap((path) => {
    const texts = readFileSync(join(root, path), 'utf8').split('\n');
    return texts.map((text) => ({ path, text }));
  });
  const problems = unpromisedTitles(lines, readPromises());
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
