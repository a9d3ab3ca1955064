import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../src/features');

/** The server files of the features, below `src/features`. */
const sources = globSync('*/{api,server/**/*}.ts', { cwd: folder })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));

const queues = /\bqueue(Message|Messages|Rows)\(|into outbox|insertInto\('outbox'\)/;

/** The files that queue messages themselves. */
export const queuing: string[] = sources.filter(({ text }) => queues.test(text)).map(({ path }) => path);

/** Why the messages of a kind do not go to guardians as all others; '' where they do. */
export function detourOf(kind: string): string {
  const named = sources.filter(({ text }) => text.includes(`'${kind}'`));
  const round = named.filter(({ path }) => queuing.includes(path) && !path.startsWith('family/'));
  if (round.length > 0) return `${kind} is queued by ${round.map(({ path }) => path).join()}, not by tellGuardians.`;
  // Codes of the family page go to the stored contact from where they are made.
  const isOwn = (path: string) => path.startsWith('family/') && queuing.includes(path);
  return named.some(({ path, text }) => text.includes('tellGuardians(') || isOwn(path))
    ? ''
    : `${kind} is in no file that calls tellGuardians.`;
}
