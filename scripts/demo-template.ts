// The demo school of an earlier start on this machine, as files: a later start on an empty folder copies it.
import { createHash } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { toLocalDate } from '../src/kit/server/day.ts';
import { say } from './say.ts';

const root = join(import.meta.dirname, '..');
/** With the packages, so that `npm ci` removes it. */
const cache = join(root, 'node_modules/.cache/shala/demo');

/** A folder of a school, but for its database. */
const besides = ['keys', 'files', 'postgres.password'];
const cluster = 'postgres';

/** What makes the demo school: the program, since each part is entered through it, its packages, the migrations and the seeds. */
const sources = [
  'src/**/*.ts',
  'database/**/*.{ts,sql}',
  'scripts/{app-login,demo-process,embedded-postgres}.ts',
  'package-lock.json',
];
const notSources = ['src/**/*.{test,spec}.ts', 'src/features/*/{matrix,examples}.ts'];

type Environment = Readonly<Record<string, string | undefined>>;

/** With one of these, a part of the school is elsewhere, its keys are given, or its clock is another one. */
const elsewhere = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'S3_BUCKET',
  'SHALA_LINK_KEY',
  'SHALA_DATA_KEY',
  'SHALA_CODE_KEY',
  'SHALA_BACKUP_KEY',
  'SHALA_CLOCK',
];

/** True of a start that makes the whole demo school in its folder, by the clock of the machine. */
export const takesTemplate = (environment: Environment): boolean =>
  environment.SHALA_DEMO_TEMPLATE !== 'off' &&
  environment.SHALA_DEMO !== 'off' &&
  environment.NODE_ENV !== 'production' &&
  !elsewhere.some((name) => environment[name] || environment[`${name}_FILE`]);

export const templateSources = (): string[] => globSync(sources, { cwd: root, exclude: notSources }).sort();

/** The demo school that this version makes on this day: many of its dates are today’s. */
export function templateName(now: Date): string {
  const hash = createHash('sha256').update(toLocalDate(now));
  for (const file of templateSources()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 32);
}

interface Place {
  /** The folder of the school. */
  folder: string;
  name: string;
  /** The folder of templates. */
  at?: string;
}

// Where the file system can, both share their blocks until one is changed.
const copy = (from: string, to: string, isLeft: (path: string) => boolean = () => false) =>
  cpSync(from, to, {
    recursive: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !isLeft(path),
  });

/** Whether a folder has a part of a school, such as keys that were put there before its first start. */
export const hasSchool = (folder: string): boolean =>
  [cluster, ...besides].some((part) => existsSync(join(folder, part)));

/**
 * Copies the template of this name into a folder that has no school yet; answers whether there was one that could be copied
 * whole. Another start may remove it meanwhile, or the disk be full: then the folder is as it was, and a start makes a school.
 */
export function copyTemplate({ folder, name, at = cache }: Place): boolean {
  const template = join(at, name);
  if (!existsSync(template) || hasSchool(folder)) return false;
  const draft = join(folder, 'template.draft');
  try {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copy(template, draft);
    // The database comes last: without it a start makes a school.
    for (const part of [...besides, cluster])
      if (existsSync(join(draft, part))) renameSync(join(draft, part), join(folder, part));
    return true;
  } catch (error) {
    say(`The demo school of an earlier start could not be copied: ${(error as Error).message}`);
    return false;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Keeps the school of a folder, whose PostgreSQL runs and which is not served yet, as the template of this name, in place of
 * all others. The database is copied as a base backup, which its copy replays at its first start.
 */
export async function keepTemplate({ folder, name, at = cache, ownerUrl }: Place & { ownerUrl: string }) {
  mkdirSync(at, { recursive: true, mode: 0o700 });
  for (const other of readdirSync(at))
    if (!isBeingMade(other)) rmSync(join(at, other), { recursive: true, force: true });
  const draft = join(at, `${draftOf}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  try {
    for (const part of besides) if (existsSync(join(folder, part))) copy(join(folder, part), join(draft, part));
    await copyCluster(join(folder, cluster), join(draft, cluster), ownerUrl);
    renameSync(draft, join(at, name));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

const draftOf = 'draft-';

/** True of the draft of a process that runs. */
function isBeingMade(name: string): boolean {
  if (!name.startsWith(draftOf)) return false;
  try {
    return process.kill(Number(name.slice(draftOf.length)), 0);
  } catch {
    return false;
  }
}

/** Copies a running cluster with the write-ahead log that makes the copy whole. */
async function copyCluster(from: string, to: string, ownerUrl: string) {
  const log = join(from, 'pg_wal');
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows: begun } = await client.query<{ file: string }>(
      `select pg_walfile_name(pg_backup_start('demo', fast => true)) as file`,
    );
    copy(from, to, (path) => ['postmaster.pid', 'postmaster.opts'].includes(basename(path)) || dirname(path) === log);
    const { rows: ended } = await client.query<{ file: string; label: string }>(
      `select pg_walfile_name(lsn) as file, labelfile as label from pg_backup_stop(wait_for_archive => false)`,
    );
    const [first = { file: '' }, last = { file: '', label: '' }] = [begun[0], ended[0]];
    for (const file of readdirSync(log))
      if (file.length === first.file.length && file >= first.file && file <= last.file)
        copy(join(log, file), join(to, 'pg_wal', file));
    writeFileSync(join(to, 'backup_label'), last.label, { mode: 0o600 });
  } finally {
    await client.end();
  }
}
