// `npm run restore -- <archive>`: restores an archive into an empty database and an empty file store, and verifies it.
import { resolve } from 'node:path';
import { withArchive } from '../src/app/backup/place.ts';
import { restore } from '../src/app/backup/restore.ts';
import { momentOf, wordsOnAudit, wordsOnRestore } from '../src/app/backup/words.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { runCommand } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

process.umask(0o077);

const { argument } = readCommandLine({
  command: 'npm run restore',
  does: 'Puts an archive into an empty database and an empty file store, and compares all of it with what was backed up.',
  argument: { name: 'archive', help: 'The archive to restore: a file, or s3://… of the bucket of BACKUP_BUCKET.' },
});

await runCommand('The restore did not succeed', async (signal) => {
  const config = readConfig(process.env);
  const began = performance.now();
  const inCaller = (path: string) => resolve(process.env.INIT_CWD ?? '.', path); // The folder in which npm was called.
  const done = await withArchive(config, { argument, resolve: inCaller, signal }, (path) =>
    restore(config, path, { signal }),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`Restored the backup of ${momentOf(done.madeAt)}, in ${seconds} s`);
  say(`Verified: ${done.tables} tables with ${done.rows} rows, and ${done.files} files opened and compared`);
  say(wordsOnAudit(done.audit));
  if (done.migrated > 0) say(`The archive was older than this program: ran ${done.migrated} more migrations`);
  if (done.strange.length > 0) {
    say(`WARNING: these tables of the archive are not Shala's and were left out: ${done.strange.join(', ')}`);
  }
  if (done.lost.length > 0) {
    say(`WARNING: ${done.lost.length} files were missing or damaged when the backup was made: ${done.lost.join(', ')}`);
  }
  for (const words of wordsOnRestore(done.madeAt)) say(words);
});
