// Demo schools of any size in databases of their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planOf, sizeFor } from '../database/seed/plan.ts';
import { openAppLogin } from '../scripts/app-login.ts';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.ts';
import { say } from '../scripts/say.ts';
import { seedDemo } from '../src/app/demo.ts';
import { buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { openLog } from '../src/kit/server/log.ts';
import { databaseOf, execute } from '../testing/postgres.ts';

export type Undo = (act: () => Promise<void>) => unknown;

/** A PostgreSQL for demo schools, and a folder for their files; `undo` gets what ends both. */
export async function openDemoServer(undo: Undo): Promise<{ url: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-demos-'));
  const configured = process.env.DATABASE_URL;
  const own = configured ? undefined : await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  undo(async () => {
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = configured ?? own?.url ?? '';
  await openAppLogin(url);
  return { url, folder };
}

/** A demo school with a server in this process; `undo` gets what drops its database, `close` ends the server. */
export async function openDemo(
  { url, folder }: { url: string; folder: string },
  students: number,
  undo: Undo,
  size: Partial<ReturnType<typeof sizeFor>> = {},
) {
  const database = `shala_demo_${process.pid}_${students}`;
  await execute(url, `create database ${database}`);
  undo(() => execute(url, `drop database if exists ${database} with (force)`).then(() => undefined));
  const env = { ...databaseOf(url, database), SHALA_FOLDER: join(folder, database) };
  const config = readConfig({ ...env, SHALA_PATIENCE: '20' });
  const log = openLog('error');
  const { services, close } = await openServices(config, log);
  const app = await buildServer(services, config, log);
  const end = async () => {
    await app.close();
    await close();
  };
  try {
    say(`Making a school of about ${students} students`);
    await seedDemo(app, services, { plan: planOf({ ...sizeFor(students, 1), ...size }, services.now()) });
    await execute(config.databaseOwnerUrl, 'analyze');
    return { app, services, ownerUrl: config.databaseOwnerUrl, close: end };
  } catch (error) {
    await end();
    throw error;
  }
}
