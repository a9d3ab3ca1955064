// `npm run upgrade`: backs up a school and brings its database to this version, without serving it.
import { upgradeDatabase } from '../src/app/upgrade-database.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { programVersion } from '../src/kit/server/version.ts';
import { runCommand } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { say } from './say.ts';

process.umask(0o077);

readCommandLine({
  command: 'npm run upgrade',
  does: 'Backs up the school, applies the migrations of this version, and ends. A start does the same unless SHALA_UPGRADE is off.',
});

await runCommand('The school was not upgraded', async () => {
  const migrations = await upgradeDatabase(readConfig(process.env), { warn: (words: string) => say(words) });
  say(
    migrations === 0
      ? `The database fits version ${programVersion()} already.`
      : `Upgraded to ${programVersion()} with ${migrations} migrations.`,
  );
});
