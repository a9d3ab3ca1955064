// `npm run backup`: writes everything as of one moment into an encrypted archive while the servers keep serving.
import { join, resolve } from 'node:path';
import { backUp } from '../src/app/backup/backup.ts';
import { openArchivePlace, withArchive } from '../src/app/backup/place.ts';
import { archiveName, sized, wordsOnAudit, wordsOnKeys } from '../src/app/backup/words.ts';
import { type Config, readConfig } from '../src/kit/server/config.ts';
import { readVariables } from '../src/kit/server/variables.ts';
import { runCommand } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';
import { tryRestore } from './trial.ts';

process.umask(0o077);

const { values, argument } = readCommandLine({
  command: 'npm run backup',
  does: 'Writes everything but the keys into one encrypted archive and reads it back, while the server goes on serving.',
  options: {
    verify: {
      type: 'boolean',
      help: 'Restore the archive (a new one, or the one named) into a database and a folder that are removed afterwards.',
    },
  },
  argument: {
    name: 'archive',
    help: 'The file to write; with --verify, the file to read. Else one where the daily ones are.',
  },
});
const inCaller = (path: string) => resolve(process.env.INIT_CWD ?? '.', path); // The folder in which npm was called.

if (values.verify && argument) {
  await runCommand('The archive was not verified', (signal) => verify(readConfig(process.env), argument, signal));
} else {
  await runCommand('No backup was made', async (signal) => {
    const config = readConfig(process.env);
    if (argument?.startsWith('s3://'))
      throw new Error('Name a file of this machine. Without a name the archive goes into the bucket of BACKUP_BUCKET.');
    const { path, lost } = await make(config, argument && inCaller(argument), signal);
    if (values.verify) await verify(config, path, signal);
    if (lost > 0) process.exitCode = 2;
  });
}

/** Writes the named archive, or one where the daily ones are. */
async function make(config: Config, named: string | undefined, signal: AbortSignal) {
  const began = performance.now();
  const place = openArchivePlace(config);
  const name = archiveName(new Date());
  const path = named ?? place.pathOf(name);
  const options = { signal, bucket: named ? undefined : place.bucket };
  const { lost, audit, ...made } = await backUp(config, named ?? join(config.backup.folder, name), options);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(
    `Backed up ${made.tables} tables with ${made.rows} rows and ${made.files} files, and read them back: ` +
      `${sized(made.bytes)}, ${seconds} s`,
  );
  say(`The archive: ${path}`);
  say(wordsOnAudit(audit));
  for (const words of wordsOnKeys(config)) say(words);
  if (lost.length > 0) {
    say(
      `WARNING: ${lost.length} files are missing or damaged in the store, and so not in the archive: ${lost.join(', ')}`,
    );
  }
  return { path, lost: lost.length };
}

async function verify(config: Config, argument: string, signal: AbortSignal) {
  say(`Verifying ${argument}`);
  const began = performance.now();
  const admin = readVariables(process.env).find('DATABASE_ADMIN_URL');
  const done = await withArchive(config, { argument, resolve: inCaller, signal }, (path) =>
    tryRestore(config, path, { signal, admin }).catch((error: Error) => {
      throw new Error(`${argument} could not be restored: ${error.message}`);
    }),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(
    `Restored and compared: ${done.tables} tables with ${done.rows} rows, ${done.files} opened files and the end of the ` +
      `audit log, in ${seconds} s. The trial was removed.`,
  );
}
