// The server alone, for a process manager: DATABASE_URL is given and the pages are built. `npm start` does all of it.
import { enableCompileCache } from 'node:module';

enableCompileCache();
process.umask(0o077);

const { readConfig } = await import('#kit/server/config.ts');
const { stopOnSignal } = await import('#kit/server/signals.ts');
const { run } = await import('./app/run.ts');

try {
  const { stop } = await run(readConfig(process.env));
  stopOnSignal(stop);
} catch (error) {
  process.stderr.write(`Shala did not start: ${(error as Error).message}\n`);
  process.exit(1);
}
