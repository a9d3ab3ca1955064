import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The test files of which `npm run soak` runs more than `npm test`: they import testing/soak.ts. */
export const soakFiles = (): string[] =>
  globSync('{src,scripts,testing}/**/*.test.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes("testing/soak.ts'"))
    .sort();
