// Checks package-lock.json: `npm ci` verifies a package only by its hash, and leaves out binaries for other C libraries
// only where the entry names its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './say.ts';

interface Entry {
  integrity?: string;
  resolved?: string;
  libc?: string[];
  os?: string[];
}

const file = join(import.meta.dirname, '../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };

/** What is wrong with an entry; undefined if nothing is. */
function faultOf(place: string, { integrity, resolved, libc, os }: Entry): string | undefined {
  if (!integrity) return 'has no hash. Run: node scripts/complete-lock.mjs';
  if (resolved) return 'names the address of a registry. Keep omit-lockfile-registry-resolved in .npmrc';
  if (/musl(-|$)/.test(place) && os?.includes('linux') && !libc?.includes('musl'))
    return 'does not name its C library. Delete it and run: node scripts/complete-lock.mjs';
  return undefined;
}

for (const [place, entry] of Object.entries(packages)) {
  const fault = place === '' ? undefined : faultOf(place, entry);
  if (!fault) continue;
  say(`package-lock.json: ${place} ${fault}`);
  process.exitCode = 1;
}
