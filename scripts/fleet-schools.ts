import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Config, isLoopback, readConfig } from '../src/kit/server/config.ts';

/** One school of a trust: its settings, as its file has them. */
export interface FleetSchool {
  /** The name of its file, without the ending. */
  name: string;
  environment: Record<string, string>;
  config: Config;
}

/** The schools of a folder with a file of settings each, in the order of their names. Throws when two share a thing. */
export function readFleet(folder: string): FleetSchool[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is no folder. Name the one with a file of settings for each school.`);
  const files = globSync('*.env', { cwd: folder }).sort();
  if (files.length === 0) throw new Error(`${folder} has no file such as north.env, with the settings of a school.`);
  const schools = files.map((file) => readSchool(join(folder, file)));
  refuseShared(schools);
  return schools;
}

function readSchool(path: string): FleetSchool {
  const file = basename(path);
  const settings = parseEnv(readFileSync(path, 'utf8')) as Record<string, string>;
  if (settings.NODE_ENV && settings.NODE_ENV !== 'production')
    throw new Error(`${file}: NODE_ENV must be production, or left out. A demo school is started with npm start.`);
  if (!settings.DATABASE_URL && !settings.DATABASE_URL_FILE)
    throw new Error(`${file} names no DATABASE_URL. Each school needs a database of its own.`);
  const environment = { NODE_ENV: 'production', ...settings };
  try {
    return { name: file.replace(/\.env$/, ''), environment, config: readConfig(environment) };
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

/** What each school must have alone; a database also where one login goes through a pooler. */
const alone: readonly [string, (config: Config) => string[]][] = [
  ['database', ({ databaseUrl, databaseOwnerUrl }) => [databaseUrl, databaseOwnerUrl].map(databaseAt)],
  ['SHALA_FOLDER', ({ folder }) => [resolve(folder)]],
  ['BACKUP_FOLDER', ({ backup }) => [resolve(backup.folder)]],
  ['S3_BUCKET', ({ bucket }) => bucketAt(bucket)],
  ['BACKUP_BUCKET', ({ backup }) => bucketAt(backup.bucket)],
  ['PORT', ({ port }) => [String(port)]],
];

const bucketAt = (bucket: Config['bucket']) => (bucket ? [`${bucket.endpoint} ${bucket.name}/${bucket.folder}`] : []);

function refuseShared(schools: readonly FleetSchool[]) {
  for (const [what, valuesOf] of alone) {
    const takenBy = new Map<string, string>();
    for (const { name, config } of schools) {
      for (const value of new Set(valuesOf(config))) {
        const other = takenBy.get(value);
        if (other) throw new Error(`${other}.env and ${name}.env have the same ${what}, ${value}. Give each its own.`);
        takenBy.set(value, name);
      }
    }
  }
}

/** Which database an address leads to, whoever signs in there: "db.example:5432/shala". */
export function databaseAt(address: string): string {
  const { hostname, port, pathname, searchParams } = new URL(address);
  const host = (searchParams.get('host') ?? hostname).toLowerCase();
  return `${isLoopback(host) ? 'localhost' : host}:${searchParams.get('port') ?? (port || '5432')}${pathname}`;
}
