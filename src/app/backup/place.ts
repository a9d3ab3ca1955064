import { existsSync, mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config } from '#kit/server/config.ts';
import { type ArchiveBucket, openArchiveBucket } from './bucket.ts';

/** Where the archives of a school are kept: a folder, or a bucket. */
export interface ArchivePlace {
  /** An archive, as the commands name it. */
  pathOf: (name: string) => string;
  has: (name: string) => Promise<boolean>;
  names: () => Promise<string[]>;
  remove: (name: string) => Promise<void>;
  bucket?: ArchiveBucket;
}

export function openArchivePlace({ backup: { folder, bucket: settings } }: Pick<Config, 'backup'>): ArchivePlace {
  if (!settings) {
    const pathOf = (name: string) => join(folder, name);
    return {
      pathOf,
      has: async (name) => existsSync(pathOf(name)),
      names: () => readdir(folder),
      remove: (name) => rm(pathOf(name)),
    };
  }
  const bucket = openArchiveBucket(settings);
  const { pathOf, names, remove } = bucket;
  return { pathOf, names, remove, has: async (name) => (await bucket.sizeOf(name)) !== undefined, bucket };
}

/** The newest archives of a bucket, to choose one from. */
const shown = 10;

/**
 * Gives the archive that a command names to `act` as a file of this machine: one of the bucket (`s3://…`) is copied into
 * BACKUP_FOLDER for that time.
 */
export async function withArchive<Result>(
  config: Config,
  { argument, resolve, signal }: { argument?: string; resolve: (path: string) => string; signal: AbortSignal },
  act: (path: string) => Promise<Result>,
): Promise<Result> {
  const { bucket, names, pathOf } = openArchivePlace(config);
  if (!argument) {
    const begin = 'Name the archive: npm run restore -- <archive>';
    if (!bucket) throw new Error(begin);
    const some = (await names()).sort(byTime).slice(-shown);
    throw new Error([`${begin}. The bucket has:`, ...some.map(pathOf)].join('\n  '));
  }
  if (!argument.startsWith('s3://')) return act(resolve(argument));
  if (!bucket || pathOf(basename(argument)) !== argument)
    throw new Error(`${argument} is not in the place of BACKUP_BUCKET. Name the bucket and the folder there.`);
  mkdirSync(config.backup.folder, { recursive: true, mode: 0o700 });
  const path = join(config.backup.folder, `${basename(argument)}.${process.pid}.fetched`);
  await bucket.fetch(basename(argument), path, signal);
  try {
    return await act(path);
  } finally {
    await rm(path, { force: true });
  }
}

const timeOf = (name: string) => /\d{4}-\d\d-\d\dT\d+/.exec(name)?.[0] ?? '';

/** The oldest archive first, whatever else its name says. */
export const byTime = (a: string, b: string): number => timeOf(a).localeCompare(timeOf(b));
