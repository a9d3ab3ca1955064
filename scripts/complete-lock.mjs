// Completes package-lock.json after `npm install`: npm omits optional packages of other platforms that it could not
// complete, and `npm ci` then refuses the file. The packages that need them name their versions; the registry has the rest.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const file = join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));

for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, wanted] of Object.entries(optionalDependencies)) {
    if (!/^[\^~]?[0-9]+\.[0-9]+\.[0-9]+/.test(wanted)) continue; // A platform's binary has no range.
    const version = wanted.replace(/^[\^~]/, '');
    const [outer, inner] = [`node_modules/${name}`, `${parent}/node_modules/${name}`];
    if (
      lock.packages[inner] ||
      lock.packages[outer]?.version === version ||
      (lock.packages[outer] && wanted !== version)
    )
      continue;
    lock.packages[lock.packages[outer] ? inner : outer] = { version, ...(dev && { dev }), optional: true };
  }
}

const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
const view = promisify(execFile);

/** Adds what npm left out: the hash of the package, and the systems on which it runs. */
async function complete(place) {
  const { version, ...entry } = lock.packages[place];
  const wanted = ['dist.integrity', 'os', 'cpu', 'libc', 'engines', 'license'];
  const { stdout } = await view('npm', ['view', `${nameOf(place)}@${version}`, ...wanted, '--json']);
  const { 'dist.integrity': integrity, ...systems } = JSON.parse(stdout);
  if (!integrity) throw new Error(`The registry has no hash of ${nameOf(place)}@${version}.`);
  lock.packages[place] = { version, integrity, ...entry, ...systems };
}

const waiting = Object.keys(lock.packages).filter((place) => place !== '' && !lock.packages[place].integrity);
const next = async () => {
  for (let place = waiting.shift(); place; place = waiting.shift()) await complete(place);
};
await Promise.all([next(), next()]);

const { '': root, ...rest } = lock.packages;
lock.packages = {
  '': root,
  ...Object.fromEntries(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1))),
};
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
