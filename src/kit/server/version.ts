import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

// Read once: when a newer program is installed beside a running one, the file no longer names the running one.
const version: string = read('package.json').version;
let commit: string | undefined;

/** This program's version, such as 0.2.0. */
export const programVersion = (): string => version;

/** The commit that it was built from; empty where the build knew none. Asked first when the pages have been built. */
export function programCommit(): string {
  commit ??= existsSync(join(root, 'dist/version.json')) ? String(read('dist/version.json').commit) : '';
  return commit;
}

/** The same with the commit it was built from, where the build knew one: "0.2.0 (578a5e2)". */
export const builtVersion = (): string => (programCommit() ? `${version} (${programCommit()})` : version);
