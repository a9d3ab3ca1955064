import type { Config } from '#kit/server/config.ts';
import { migrate } from '#kit/server/database/migrations.ts';
import { checkOwnSession } from '#kit/server/database/pooler.ts';
import { waitForDatabase } from '#kit/server/database/wait.ts';
import { waitForEarlier } from '#kit/server/server-process.ts';
import { prepareUpgrade, type Warns } from './backup/before-upgrade.ts';
import { oneLogin } from './upgrade-stops.ts';

/** With one login for both, "reset role" would make the application the owner. */
function checkLogins({ production, databaseUrl, databaseOwnerUrl }: Config) {
  const isOne = new URL(databaseUrl).username === new URL(databaseOwnerUrl).username;
  if (production && isOne) throw new Error(oneLogin);
}

/**
 * Waits for the database and brings it to this version, after a backup; returns the number of migrations. Unless
 * `mayUpgrade`, it refuses while any wait.
 */
export async function upgradeDatabase(config: Config, log: Warns, { mayUpgrade = true } = {}): Promise<number> {
  const { databaseOwnerUrl, patience } = config;
  const say = (words: string) => log.warn(words);
  checkLogins(config);
  await waitForDatabase(databaseOwnerUrl, patience, say);
  await checkOwnSession(databaseOwnerUrl);
  return migrate(databaseOwnerUrl, {
    prepare: async (upgrade) => {
      if (!mayUpgrade)
        throw new Error(
          `${upgrade.migrations} migrations of ${upgrade.to} wait, and SHALA_UPGRADE is off. ` +
            'Run npm run upgrade first. Nothing was changed.',
        );
      await waitForEarlier(databaseOwnerUrl, { to: upgrade.to, patience, say });
      return prepareUpgrade(config, log, upgrade);
    },
  });
}
