import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type Config, readConfig } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { openKept } from '#kit/server/kept.ts';
import { openLog } from '#kit/server/log.ts';
import { buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import { openPapers, type Papers } from './papers.ts';
import { testPatience } from './patience.ts';
import { copyDatabase, databaseOf, execute } from './postgres.ts';
import { rememberDatabase } from './put-back.ts';

/** What a school consists of: a database, a folder, and a server that does not listen. */
export interface Premises {
  app: FastifyInstance;
  services: Services;
  config: Config;
  clock: { now: Date | undefined };
  papers: Papers;
  /** All log lines, and all bodies and headers of answers, so far. */
  heard: { log: string; answers: string };
  remove: () => Promise<void>;
}

/** Builds a school in a copy of a template. */
export async function buildPremises(
  { url, template }: { url: string; template: string },
  name: string,
  settings: Record<string, string>,
): Promise<Premises> {
  await copyDatabase(url, name, template);
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const config = readConfig({
    ...databaseOf(url, name),
    SHALA_FOLDER: folder,
    SHALA_PATIENCE: String(testPatience),
    ...settings,
  });

  const heard = { log: '', answers: '' };
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      heard.log += chunk;
      done();
    },
  });
  const log = openLog('info', destination);
  const { services: opened, close } = await openServices(config, log);
  const clock: Premises['clock'] = { now: undefined };
  const { papers, makePaper } = openPapers(opened.makePaper);
  const services = { ...opened, now: () => clock.now ?? new Date(), readDisks, makePaper, kept: keptOf() };
  const app = await buildServer(services, config, log);
  await app.ready();
  const remove = async () => {
    await app.close();
    await close();
    await execute(url, `drop database if exists ${name} with (force)`);
    rmSync(folder, { recursive: true, force: true });
  };
  return { app, services, config, clock, papers, heard, remove };
}

/** A test's disks have room, however full the machine's are. */
const readDisks: Services['readDisks'] = async () => [
  { name: 'files', free: 5e10, total: 1e11 },
  { name: 'backups', free: 5e10, total: 1e11 },
];

/** No answer of a test is slow enough to be kept. */
const keptOf = () => openKept({ slow: Number.POSITIVE_INFINITY });

/** Premises that are lent to one file after another. */
export interface SharedPremises extends Premises {
  /** Makes them as new; returns what it cannot put back, in words. */
  putBack: () => Promise<string[]>;
}

/** Builds premises whose changes can be put back. */
export async function buildSharedPremises(postgres: { url: string; template: string }, name: string) {
  const premises = await buildPremises(postgres, name, {});
  const { app, services, config, clock, papers, heard } = premises;
  const database = await rememberDatabase(config.databaseOwnerUrl);
  const { ...servicesAtFirst } = services;
  const keys = keysIn(config.folder);
  const shared: SharedPremises = {
    ...premises,
    putBack: async () => {
      const left = await database.putBack();
      if (keysIn(config.folder) !== keys) left.push('other keys');
      if (app.server.listening) left.push('a server that listens');
      const { statusCode } = await app.inject('/healthz').catch(() => ({ statusCode: 0 }));
      if (statusCode !== 200) left.push('a closed server');
      emptyFolders(config.folder);
      Object.assign(services, servicesAtFirst, { kept: keptOf() });
      clock.now = undefined;
      papers.asked.length = 0;
      papers.isReal = false;
      Object.assign(heard, { log: '', answers: '' });
      return left;
    },
    remove: async () => {
      await database.end();
      await premises.remove();
    },
  };
  return shared;
}

const keysIn = (folder: string) =>
  readdirSync(join(folder, 'keys'))
    .sort()
    .map((name) => readFileSync(join(folder, 'keys', name), 'utf8'))
    .join();

/** Deletes what has been stored; the folders themselves remain, as does that of the keys. */
function emptyFolders(folder: string) {
  for (const name of readdirSync(folder).filter((one) => one !== 'keys')) {
    const at = join(folder, name);
    if (!statSync(at).isDirectory()) rmSync(at);
    else for (const stored of readdirSync(at)) rmSync(join(at, stored), { recursive: true });
  }
}
