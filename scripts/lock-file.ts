// Checks every package-lock.json: `npm ci` verifies a package only by its hash, and leaves out binaries for other C libraries
// only where the entry names its own.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './say.ts';

interface Entry {
  integrity?: string;
  resolved?: string;
  libc?: string[];
  os?: string[];
}

const root = join(import.meta.dirname, '..');
const entriesOf = (file: string): [place: string, entry: Entry][] =>
  Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')).packages);

/** What is wrong with an entry; undefined if nothing is. */
function faultOf(place: string, { integrity, resolved, libc, os }: Entry): string | undefined {
  if (!integrity) return 'has no hash. Run: node scripts/complete-lock.mjs';
  if (resolved) return 'names the address of a registry. Keep omit-lockfile-registry-resolved in .npmrc';
  if (/musl(-|$)/.test(place) && os?.includes('linux') && !libc?.includes('musl'))
    return 'does not name its C library. Delete it and run: node scripts/complete-lock.mjs';
  return undefined;
}

for (const file of ['package-lock.json', ...globSync('testing/*/package-lock.json', { cwd: root })]) {
  for (const [place, entry] of entriesOf(file)) {
    const fault = place === '' ? undefined : faultOf(place, entry);
    if (!fault) continue;
    say(`${file}: ${place} ${fault}`);
    process.exitCode = 1;
  }
}
