// `npm run backup`: everything of this moment in one encrypted archive, while the servers go on serving. Another place
// than var/backups is named behind two dashes: npm run backup -- /media/disk/monday.backup
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { backUp } from '../src/app/backup/backup.ts';
import { archiveName, sized, wordsOnKeys } from '../src/app/backup/words.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { runCommand } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

process.umask(0o077);

const { argument: given } = readCommandLine({
  command: 'npm run backup',
  does: 'Writes everything but the keys into one encrypted archive, while the server goes on serving.',
  argument: { name: 'archive', help: 'Where to write it; without it into var/backups.' },
});

await runCommand('No backup was made', async (signal) => {
  const config = readConfig(process.env);
  const path = given
    ? resolve(process.env.INIT_CWD ?? '.', given) // Where the person stands, who called npm.
    : join(config.folder, 'backups', archiveName(new Date()));
  const { lost, ...made } = await backUp(config, path, signal);
  const seconds = (performance.now() / 1000).toFixed(1);
  say(
    `Backed up ${made.tables} tables with ${made.rows} rows and ${made.files} files: ${sized(made.bytes)}, ${seconds} s`,
  );
  say(`The archive: ${path}`);
  for (const words of wordsOnKeys(config)) say(words);
  if (lost.length === 0) return;
  say(
    `WARNING: ${lost.length} files are missing or damaged in the store, and so not in the archive: ${lost.join(', ')}`,
  );
  process.exitCode = 2;
});
