import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

// Read once: when a newer program is installed beside a running one, the file no longer names the running one.
const version: string = read('package.json').version;
const commit: string = existsSync(join(root, 'dist/version.json')) ? read('dist/version.json').commit : '';

/** This program's version, such as 0.2.0. */
export const programVersion = (): string => version;

/** The same with the commit it was built from, where the build knew one: "0.2.0 (578a5e2)". */
export const builtVersion = (): string => (commit ? `${version} (${commit})` : version);
