// Upgrades the school of a test to version 0.3.0, as a start does; the test kills it.
import { prepareUpgrade } from '../src/app/backup/before-upgrade.ts';
import type { Config } from '../src/kit/server/config.ts';
import { migrate } from '../src/kit/server/database/migrations.ts';
import { openLog } from '../src/kit/server/log.ts';

const { config, folder } = JSON.parse(process.env.UPGRADE ?? '{}') as { config: Config; folder: string };
process.stdout.write('begins');
await migrate(config.databaseOwnerUrl, {
  folder,
  version: '0.3.0',
  prepare: (upgrade) => prepareUpgrade(config, openLog('silent'), upgrade),
});
