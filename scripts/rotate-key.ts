// `npm run rotate-key`: a new data key, and everything sealed anew under it, while the servers go on serving. Only for keys
// that lie in var/keys; keys given by configuration are exchanged there (README, "Keys").

import { rotateDataKey } from '../src/app/rotate-key.ts';
import { openServices } from '../src/app/services.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { openLog } from '../src/kit/server/log.ts';
import { provideDatabase } from './database.ts';
import { say } from './say.ts';

process.umask(0o077);

const stop = await provideDatabase();
try {
  const config = readConfig(process.env);
  if (config.keys.data) throw new Error('The data key is given by SHALA_DATA_KEY; exchange it there.');
  const { services, close } = await openServices(config, openLog('silent'));
  const { keys, files } = services;
  const sealedAnew = await rotateDataKey({
    ownerUrl: config.databaseOwnerUrl,
    folder: config.folder,
    ring: keys.data,
    files,
  });
  await close();
  say(
    `${keys.data.current.id} is the data key now; ${sealedAnew} values were sealed anew. Keep a copy of var/keys apart from the backup.`,
  );
} catch (error) {
  say(`The key was not rotated: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await stop();
}
