import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openLog } from '#kit/server/log.ts';
import { buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import { type Config, readConfig } from '../src/kit/server/config.ts';
import { execute, urlOf } from './postgres.ts';

/** An empty database and folder with a school's keys, into which a backup is restored. */
export interface EmptySchool {
  config: Config;
  sql: (statement: string) => Promise<Record<string, unknown>[]>;
  /** The restored school's answer to a GET. */
  get: (url: string, headers?: Record<string, string>) => Promise<{ status: number; text: string; bytes: Buffer }>;
  close: () => Promise<void>;
}

/** Creates it; with `login` the database has an owner of its own, who is no superuser. `at` is another server than the tests'. */
export async function emptySchool(
  keysOf?: Pick<Config, 'folder'>,
  { login = false, at: url = inject('postgres').url } = {},
): Promise<EmptySchool> {
  const name = `shala_place_${randomUUID().replaceAll('-', '')}`;
  const folder = mkdtempSync(join(tmpdir(), 'shala-place-'));
  if (keysOf) cpSync(join(keysOf.folder, 'keys'), join(folder, 'keys'), { recursive: true });

  const address = new URL(urlOf(url, name));
  if (login) {
    await execute(url, `create role ${name} login nosuperuser password 'place'`);
    await execute(url, `grant shala_app to ${name}`);
    address.username = name;
    address.password = 'place';
  }
  await execute(url, `create database ${name} ${login ? `owner ${name}` : ''}`);
  const config = readConfig({ DATABASE_URL: address.href, SHALA_FOLDER: folder });
  return {
    config,
    sql: (statement) => execute(address.href, statement),
    get: async (path, headers = {}) => {
      const log = openLog('silent');
      const { services, close } = await openServices(config, log);
      const app = await buildServer(services, config, log);
      const response = await app.inject({ method: 'GET', url: path, headers });
      await app.close();
      await close();
      return { status: response.statusCode, text: response.body, bytes: response.rawPayload };
    },
    close: async () => {
      await execute(url, `drop database if exists ${name} with (force)`);
      if (login) await execute(url, `drop role ${name}`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
