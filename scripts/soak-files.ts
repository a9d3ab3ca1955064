import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The year of a school, which is a scenario. */
export const yearFile = 'testing/faults/whole-year.test.ts';

/** The test files that `npm run soak` runs in full and `npm test` shortens: they import testing/soak.ts. */
export const soakFiles = (): string[] =>
  globSync('{src,scripts,testing}/**/*.test.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes("/soak.ts'"))
    .filter((file) => file !== yearFile)
    .sort();
