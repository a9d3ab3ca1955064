// `npm run restore -- <archive>`: puts an archive into an empty database and an empty file store, and verifies all of it.
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { restore } from '../src/app/backup/restore.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { runCommand } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

process.umask(0o077);

const { argument: given } = readCommandLine({
  command: 'npm run restore',
  does: 'Puts an archive into an empty database and an empty file store, and verifies it.',
  argument: { name: 'archive', help: 'The archive of npm run backup. Required.' },
});

await runCommand('The restore did not succeed', async (signal) => {
  const config = readConfig(process.env);
  if (!given) throw new Error('Name the archive: npm run restore -- <archive>');
  const done = await restore(config, resolve(process.env.INIT_CWD ?? '.', given), { signal });
  const seconds = (performance.now() / 1000).toFixed(1);
  say(`Restored what was backed up at ${done.madeAt}, in ${seconds} s`);
  say(`Verified: ${done.tables} tables with ${done.rows} rows, and ${done.files} files opened and compared`);
  if (done.migrated > 0) say(`The archive was older than this program: ran ${done.migrated} more migrations`);
  if (done.strange.length > 0) {
    say(`WARNING: these tables of the archive are not Shala's and were left out: ${done.strange.join(', ')}`);
  }
  if (done.lost.length > 0) {
    say(`WARNING: ${done.lost.length} files were missing or damaged when the backup was made: ${done.lost.join(', ')}`);
  }
});
