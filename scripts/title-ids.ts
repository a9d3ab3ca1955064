// Finds titles of tests that begin with an id of no acceptance.txt, and tests that a run would leave out, before the
// tests run. A title that is put together while they run is compared in scripts/test.ts.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idsOf, readPromises } from './acceptance.ts';
import { type Line, titlesOf } from './plain-lines.ts';

const root = join(import.meta.dirname, '..');

/** A message for each title that begins with an id that is not promised. */
export const unpromisedTitles = (lines: readonly Line[], promises: string[]): string[] => {
  const known = new Set(promises);
  return titlesOf(lines).flatMap(({ path, text }) =>
    idsOf(text)
      .filter((id) => !known.has(id))
      .map((id) => `${path}: “${text}” begins with ${id}, which no acceptance.txt has.`),
  );
};

/** A message for each promised id that no title can begin with. */
export const unusableIds = (promises: string[]): string[] =>
  promises
    .filter((id) => idsOf(id).length === 0)
    .map((id) => `The id ${id} of an acceptance.txt has none of the forms in scripts/acceptance.ts.`);

/** What leaves a test out. A machine may lack an ability, which is named `can…`. */
const leavesOut = /^\s*(?:test|it|describe)\.(?:skip|todo|skipIf|runIf\((?!can[A-Z]))/;

/** A message for each test that `npm test` would leave out and count as failed. */
export const testsLeftOut = (lines: readonly Line[]): string[] =>
  lines
    .filter(({ text }) => leavesOut.test(text))
    .map(({ path, text }) => `${path}: “${text.trim()}” would not run. A test for soak alone is written with soak().`);

if (import.meta.main) {
  const files = globSync('{src,e2e,testing,scripts}/**/*.{test,spec}.{ts,tsx}', { cwd: root });
  // A planted feature brings its own promises, and the tests of ids have examples as titles.
  const others = files.filter((path) => !/^(testing.planted-feature|scripts.(acceptance|title-ids)\.test)/.test(path));
  const lines = others.flatMap((path) => {
    const texts = readFileSync(join(root, path), 'utf8').split('\n');
    return texts.map((text) => ({ path, text }));
  });
  const promises = readPromises();
  const problems = [...unusableIds(promises), ...unpromisedTitles(lines, promises), ...testsLeftOut(lines)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
