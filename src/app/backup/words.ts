import { join } from 'node:path';
import type { Config } from '#kit/server/config.ts';
import { keyNames } from '#kit/server/keys.ts';

/** Where the keys lie, and why they must be kept apart from the archive: what a person must know who keeps it. */
export function wordsOnKeys({ folder, keys }: Config): string[] {
  const given = keyNames.filter((name) => keys[name] !== undefined).map((name) => `SHALA_${name.toUpperCase()}_KEY`);
  const lying = keyNames.filter((name) => keys[name] === undefined);
  const places = [
    ...(lying.length > 0 ? [`in ${join(folder, 'keys')} (${lying.join(', ')})`] : []),
    ...(given.length > 0 ? [`in the configuration (${given.join(', ')})`] : []),
  ];
  return [
    `The keys are not in the archive. They lie ${places.join(' and ')}.`,
    'Keep a copy of them apart from it, in another place and under other hands. Without them the archive is worthless: ' +
      'nobody can open it, and what is sealed in it cannot be read again.',
  ];
}

/** The name an archive gets when none is given: the minute it was made, by this machine's clock. */
export function archiveName(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return `shala-${local.slice(0, 13)}${local.slice(14, 16)}.backup`;
}

/** Bytes as a person reads them. */
export function sized(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
