import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringPackages } from './bring.ts';

const root = join(import.meta.dirname, '..');
const folderOf = (version: string) => join(import.meta.dirname, `postgres-${version}`);

/** Whether this machine runs the binaries of another major version of PostgreSQL. */
export const canBring = (version: string): boolean =>
  process.platform === 'linux' && process.arch === 'x64' && existsSync(folderOf(version));

/** Installs those binaries where they are missing; returns the folder that `startEmbeddedPostgres` takes. */
export function bringPostgres(version: string): string {
  const folder = folderOf(version);
  if (!canBring(version)) throw new Error(`There are no binaries of PostgreSQL ${version} for this machine.`);
  bringPackages(folder);
  return folder;
}

/** The test files that also run on the oldest PostgreSQL: their first line says so. */
export const smokeFiles = (): string[] =>
  globSync('src/**/*.test.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').startsWith('// Smoke:'))
    .sort();
