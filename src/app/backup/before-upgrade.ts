import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#kit/server/config.ts';
import type { Upgrade } from '#kit/server/database/migrations.ts';
import { starts } from '#kit/server/files/bytes.ts';
import { openBytes } from '#kit/server/files/open-bytes.ts';
import { backUp, makeArchiveFolder } from './backup.ts';
import { byTime, openArchivePlace } from './place.ts';

/** Archives made before upgrades have these names; the fourth deletes the oldest, and the daily backup none of them. */
const archiveName = /^shala-before-[0-9A-Za-z.-]+-\d{4}-\d\d-\d\dT\d{6}\.backup$/;
const unfinishedName = /^shala-before-[0-9A-Za-z.-]+-\d{4}-\d\d-\d\dT\d{6}\.backup\.part$/;
const kept = 3;

/** A log, or a command's own lines. */
export interface Warns {
  warn: (words: string) => void;
}

/**
 * What a start in production does before waiting migrations run: refuses a database that is not that of the files here,
 * and backs up a school with data. Returns the archive's path.
 */
export async function prepareUpgrade(config: Config, log: Warns, upgrade: Upgrade) {
  if (!config.production) return undefined;
  if (upgrade.isFirst) return void (await refuseStrangeFiles(config));
  if (!config.backup.beforeUpgrade) return undefined;
  const path = await backUpBefore(config, upgrade).catch((error: Error) => {
    const earlier = upgrade.from ? `Version ${upgrade.from}` : 'The version before';
    throw new Error(
      `The school was not upgraded to ${upgrade.to}, because no backup could be made: ` +
        `${error.message.replace(/\.?$/, '.')} ${earlier} can be started again.`,
    );
  });
  if (path) {
    const earlier = upgrade.from ? `version ${upgrade.from}` : 'the version before';
    log.warn(
      `Backed up to ${path} before the upgrade to ${upgrade.to}. ` +
        `To go back, name an empty database and folder and run ${earlier}: npm run restore -- ${path}`,
    );
  }
  return path;
}

/** Files without their database would look like bytes that nothing refers to, and be deleted. */
async function refuseStrangeFiles(config: Config) {
  const bytes = openBytes(config);
  if (await bytes.isEmpty()) return;
  let found = 0;
  for (const start of starts) found += (await bytes.list(start)).length;
  if (found === 0) return;
  throw new Error(
    `The database is empty, but ${bytes.place} holds ${found} files. Is DATABASE_URL right? ` +
      `To begin a new school, name an empty ${config.bucket ? 'S3_BUCKET' : 'SHALA_FOLDER'}. Nothing was changed.`,
  );
}

interface LastAct {
  action: string;
  archive: string | null;
  at: Date;
}

/** Undefined for a school in which nothing was done yet. */
async function backUpBefore(config: Config, { to }: Upgrade): Promise<string | undefined> {
  const { folder } = config.backup;
  const last = await readLastAct(config);
  if (!last) return undefined;
  const lying = findUnchanged(last);
  const place = openArchivePlace(config);
  if (lying && (await place.has(lying))) return place.pathOf(lying);

  makeArchiveFolder(folder);
  for (const name of await readdir(folder)) if (unfinishedName.test(name)) await rm(join(folder, name));
  const name = nameOf(to, new Date());
  const options = { isLocked: true, command: 'before an upgrade', bucket: place.bucket };
  await backUp(config, join(folder, name), options);
  const made = (await place.names()).filter((one) => archiveName.test(one)).sort(byTime);
  for (const one of made.slice(0, -kept)) await place.remove(one);
  return place.pathOf(name);
}

/** Saves that are not in the audit log, such as drafts, may have been made since an older archive. */
const trustedFor = 10 * 60_000;

/**
 * The archive of a start that was cut off after its backup. One that was made while the school was served is never
 * enough: what was saved during a backup is not in it, but has an earlier row in the audit log.
 */
function findUnchanged({ action, archive, at }: LastAct): string | undefined {
  const isOwn = action === 'backup.made' && archive !== null && archiveName.test(archive);
  return isOwn && Date.now() - at.getTime() < trustedFor ? archive : undefined;
}

async function readLastAct({ databaseOwnerUrl }: Config): Promise<LastAct | undefined> {
  const client = new pg.Client({ connectionString: databaseOwnerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    const { rows } = await client.query<LastAct>(
      `select action, details ->> 'archive' as archive, at from public.audit order by id desc limit 1`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

/** By the second: a second try in the same minute needs a name of its own. */
function nameOf(version: string, now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return `shala-before-${version}-${local.slice(0, 19).replaceAll(/:/g, '')}.backup`;
}
