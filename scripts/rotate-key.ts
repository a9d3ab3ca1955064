// `npm run rotate-key`: creates a new data key and re-encrypts everything under it while the servers keep serving. Only
// for keys in var/keys; configured keys are rotated there (README, "Keys").
import { readCommandLine } from './command-line.ts';

readCommandLine({
  command: 'npm run rotate-key',
  does: 'Makes a new data key in var/keys and encrypts everything again under it, while the server goes on serving.',
});
const { rotateDataKey } = await import('../src/app/rotate-key.ts');
const { openServices } = await import('../src/app/services.ts');
const { readConfig } = await import('../src/kit/server/config.ts');
const { openLog } = await import('../src/kit/server/log.ts');
const { provideDatabase } = await import('./database.ts');
const { say } = await import('./say.ts');
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
