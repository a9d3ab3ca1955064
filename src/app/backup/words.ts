import { join } from 'node:path';
import type { Config } from '#kit/server/config.ts';
import { keyNames } from '#kit/server/security/keys.ts';
import type { ChainEnd } from './manifest.ts';

/** Tells the person who keeps the archive where the keys lie, and why to store them separately. */
export function wordsOnKeys({ folder, keys }: Config): string[] {
  const configured = keyNames
    .filter((name) => keys[name] !== undefined)
    .map((name) => `SHALA_${name.toUpperCase()}_KEY`);
  const lying = keyNames.filter((name) => keys[name] === undefined);
  const places = [
    ...(lying.length > 0 ? [`in ${join(folder, 'keys')} (${lying.join(', ')})`] : []),
    ...(configured.length > 0 ? [`in the configuration (${configured.join(', ')})`] : []),
  ];
  return [
    `The keys are not in the archive. They lie ${places.join(' and ')}.`,
    'Keep a copy of them apart from it, in another place and under other hands. Without them the archive is worthless: ' +
      'nobody can open it, and what is sealed in it cannot be read again.',
  ];
}

/** What a restore undoes: access ended after `madeAt` is valid again until it is ended again. */
export function wordsOnRestore(madeAt: string): string[] {
  return [
    'Everybody is signed out. Sign-in codes and password links that were sent no longer work.',
    `Everything is as it was on ${momentOf(madeAt)}. If any of this was done later, do it again:`,
    '  links revoked, accounts closed, passwords changed, permissions changed, consent withdrawn, data erased',
    'Number series go on from there too: README, “Number series go on”, says how to enter papers that have later numbers.',
  ];
}

/** The end of the audit log's chain, as its page shows it: a later check shows whether rows were cut off. */
export const wordsOnAudit = ({ sealed, head }: ChainEnd): string =>
  `The audit log ends in seal ${sealed}, ${head.slice(0, 8)}. Keep this line apart from this machine.`;

/** A time for people, by this machine's clock. */
export const momentOf = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at));

/** The default name of an archive: the minute it was made, by this machine's clock. */
export function archiveName(now: Date, begin = 'shala'): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return `${begin}-${local.slice(0, 13)}${local.slice(14, 16)}.backup`;
}

/** A size in bytes for people. */
export function sized(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
