import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs what only some tests need, in a folder with a package.json and lock of its own, where it is missing. Test files
 * that run beside each other may ask for it at the same moment: each installs it apart, and the first puts it into place.
 */
export function bringPackages(folder: string) {
  if (isInstalled(folder)) return;
  const apart = mkdtempSync(join(folder, '.bring-'));
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(folder, name), join(apart, name));
    const install = () =>
      spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: apart, encoding: 'utf8' });
    let done = install();
    // A registry fails now and then.
    if (done.status !== 0) done = install();
    if (done.status !== 0) throw new Error(`The packages of ${folder} could not be installed: ${done.stderr}`);
    put(join(apart, 'node_modules'), join(folder, 'node_modules'), () => isInstalled(folder));
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

/** Moves a folder to its place unless the right one is there; only an old one is removed first. */
function put(from: string, to: string, isRight: () => boolean) {
  try {
    renameSync(from, to);
  } catch {
    if (isRight()) return;
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

/** Whether each package is there in its version; the files of the version before it are of no use. */
function isInstalled(folder: string): boolean {
  const wanted: Record<string, string> = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
  return Object.entries(wanted).every(([name, number]) => {
    const installed = join(folder, 'node_modules', name, 'package.json');
    return existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === number;
  });
}
