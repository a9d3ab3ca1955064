import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what only some tests need, in a folder with a package.json and lock of its own, where it is missing. */
export function bringPackages(folder: string) {
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
  for (const [name, number] of Object.entries(wanted)) {
    const installed = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === number) continue;
    const install = () =>
      spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: folder, encoding: 'utf8' });
    let done = install();
    // A registry fails now and then.
    if (done.status !== 0) done = install();
    if (done.status !== 0) throw new Error(`${name} ${number} could not be installed: ${done.stderr}`);
  }
}
