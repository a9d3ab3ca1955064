// The server alone, for a process manager: needs DATABASE_URL and built pages. `npm start` prepares both.
import { enableCompileCache } from 'node:module';

enableCompileCache();
process.umask(0o077);

const { readConfig } = await import('#kit/server/config.ts');
const { stopOnSignal } = await import('#kit/server/signals.ts');
const { run } = await import('./app/run.ts');

try {
  const starting = run(readConfig(process.env));
  // Before it answers requests, so that a signal during the start waits for the start.
  stopOnSignal(async () => (await starting).stop());
  const { warnings } = await starting;
  for (const warning of warnings) process.stderr.write(`WARNING: ${warning}\n`);
} catch (error) {
  process.stderr.write(`Shala did not start: ${(error as Error).message}\n`);
  process.exit(1);
}
