import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** This program's version, such as 0.2.0. */
export const programVersion = (): string => read('package.json').version;
