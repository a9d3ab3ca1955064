// `npm run backup`: writes everything as of one moment into an encrypted archive while the servers keep serving.
import { join, resolve } from 'node:path';
import { backUp } from '../src/app/backup/backup.ts';
import { archiveName, sized, wordsOnAudit, wordsOnKeys } from '../src/app/backup/words.ts';
import { type Config, readConfig } from '../src/kit/server/config.ts';
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
  argument: { name: 'archive', help: 'The file to write; with --verify, the file to read. Else one in BACKUP_FOLDER.' },
});
const archive = argument && resolve(process.env.INIT_CWD ?? '.', argument); // The folder in which npm was called.

if (values.verify && archive) {
  await runCommand('The archive was not verified', (signal) => verify(readConfig(process.env), archive, signal));
} else {
  await runCommand('No backup was made', async (signal) => {
    const config = readConfig(process.env);
    const path = archive ?? join(config.backup.folder, archiveName(new Date()));
    const lost = await make(config, path, signal);
    if (values.verify) await verify(config, path, signal);
    if (lost > 0) process.exitCode = 2;
  });
}

async function make(config: Config, path: string, signal: AbortSignal): Promise<number> {
  const began = performance.now();
  const { lost, audit, ...made } = await backUp(config, path, { signal });
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
  return lost.length;
}

async function verify(config: Config, path: string, signal: AbortSignal) {
  say(`Verifying ${path}`);
  const began = performance.now();
  const done = await tryRestore(config, path, signal).catch((error: Error) => {
    throw new Error(`${path} could not be restored: ${error.message}`);
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(
    `Restored and compared: ${done.tables} tables with ${done.rows} rows, ${done.files} opened files and the end of the ` +
      `audit log, in ${seconds} s. The trial was removed.`,
  );
}
